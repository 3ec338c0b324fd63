"""Trains the four algorithms on a text, each to the vocabulary size that was asked for or the nearest that it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from bpe_core import (
    BpeError,
    ConfigError,
    CorpusError,
    TrainConfig,
    UnigramTraining,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.corpus import Progress
from bpe_core.sentencepiece import ModelType
from bpe_core.small_corpus import MOST_BYTES, bounded, count_small
from bpe_core.unigram import LARGEST_SEED
from bpe_core.wordpiece import SPECIAL_TOKENS
from bpe_core.wordpiece_merging import base_symbols
from bpe_core.wordpiece_tokenizer import BERT_SPLIT
from ui.algorithms.bpe import Bpe
from ui.algorithms.member import TITLES, Failed, Member
from ui.algorithms.sentencepiece import SentencePiece
from ui.algorithms.unigram import Unigram
from ui.algorithms.wordpiece import WordPiece
from ui.state import MOST_PIECES

T = TypeVar("T")

USUAL_SIZE = 200
_SEED_SIZE = 300
_SEED_SHARE = 3
"""Unigram begins with so many times the pieces that are asked for, and with _SEED_SIZE at least."""

LONGEST_WORD = 10_000
"""Characters without white space that SentencePiece takes: it cannot be cancelled, and long words cost it most."""


@dataclass(frozen=True)
class Recipe:
    """What the four are trained with. `split` and `tie_break` are BPE's: those of the Train page."""

    size: int
    model: ModelType
    split: str
    tie_break: str

    def config(self) -> TrainConfig:
        """BPE's settings."""
        return TrainConfig(vocab_size=self.size, unit="char", split=self.split, tie_break=self.tie_break)  # type: ignore[arg-type]


def check_size(text: str) -> None:
    """Raises CorpusError for a text that is too large for the algorithms written in plain Python."""
    list(bounded(text, MOST_BYTES))


def usual_size(text: str) -> int:
    """The size that is chosen for a text: its letters as WordPiece needs them, and up to a hundred pieces more.

    >>> usual_size("hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5)
    20
    """
    try:
        words = count_small(text, TrainConfig(unit="char", split=BERT_SPLIT)).words
    except CorpusError:
        return USUAL_SIZE
    letters = len({symbol for word in words for symbol in base_symbols(word)})
    size = len(SPECIAL_TOKENS) + letters + min(100, sum(map(len, words)) // 2)
    return min(-(-size // 10) * 10 if size > 40 else size, MOST_PIECES)


def trained_member(name: str, text: str, asked: Recipe, on_progress: Progress | None = None) -> Member | Failed:
    """One of the four, trained on a text; or why it cannot be."""
    try:
        return _MAKERS[name](text, asked, on_progress)
    except BpeError as error:
        return Failed(error)


def _nearest(make: Callable[[int], T], asked: int) -> tuple[T, str]:
    """What `make` makes of the size that was asked for, or of the least that this text allows, and a word on that."""
    try:
        return make(asked), ""
    except ConfigError as error:
        if error.least is None:
            raise
        return make(error.least), f"This text needs {error.least:,} at least, so it has that instead of {asked:,}."


def _bpe(text: str, asked: Recipe, on_progress: Progress | None) -> Bpe:
    config = asked.config()
    training, note = _nearest(
        lambda size: train(text, replace(config, vocab_size=size), on_progress=on_progress), asked.size
    )
    return Bpe(training, text, asked.size, note)


def _wordpiece(text: str, asked: Recipe, on_progress: Progress | None) -> WordPiece:
    training, note = _nearest(lambda size: train_wordpiece(text, size, on_progress=on_progress), asked.size)
    return WordPiece(training, asked.size, note)


def _unigram(text: str, asked: Recipe, on_progress: Progress | None) -> Unigram:
    seeds: list[int] = []

    def make(size: int) -> UnigramTraining:
        """A text that repeats itself within its words has too many places for a large seed: then a smaller one."""
        seeds.append(min(max(_SEED_SIZE, _SEED_SHARE * size), LARGEST_SEED))
        while True:
            try:
                return train_unigram(text, size, seed_size=seeds[-1], on_progress=on_progress)
            except CorpusError:
                if seeds[-1] < 2 or not text.split():
                    raise
                seeds.append(seeds[-1] // 2)

    training, note = _nearest(make, asked.size)
    if len(seeds) > 1 and not note:
        note = f"This text repeats itself within its words, so it begins with {seeds[-1]:,} pieces, not {seeds[0]:,}."
    return Unigram(training, asked.size, note)


def _sentencepiece(text: str, asked: Recipe, on_progress: Progress | None) -> SentencePiece:
    longest = max(map(len, text.split()), default=0)
    if longest > LONGEST_WORD:
        raise CorpusError(
            f"The text has {longest:,} characters without white space.",
            limit=f"SentencePiece takes {LONGEST_WORD:,} on this page: its library cannot be cancelled.",
            remedy="Take a shorter text, or one with spaces or line ends.",
        )
    training, note = _nearest(lambda size: train_sentencepiece(text, size, model_type=asked.model), asked.size)
    return SentencePiece(training, asked.size, note)


_MAKERS: dict[str, Callable[[str, Recipe, Progress | None], Member]] = dict(
    zip(TITLES, (_bpe, _wordpiece, _unigram, _sentencepiece), strict=True)
)
