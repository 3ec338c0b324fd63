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
from bpe_core.bpe.corpus import Progress
from bpe_core.sentencepiece.training import ModelType
from bpe_core.text.small_corpus import MOST_BYTES, bounded, count_small
from bpe_core.text.splits import BERT_SPLIT
from bpe_core.unigram.training import LARGEST_SEED
from bpe_core.wordpiece.merging import base_symbols
from bpe_core.wordpiece.training import SPECIAL_TOKENS
from ui.algorithms.algorithm_run import TITLES, AlgorithmRun, FailedRun
from ui.algorithms.bpe import Bpe
from ui.algorithms.sentencepiece import SentencePiece
from ui.algorithms.unigram import Unigram
from ui.algorithms.wordpiece import WordPiece
from ui.session.state import MOST_PIECES

T = TypeVar("T")

USUAL_SIZE = 200
_SEED_SIZE = 300
_SEED_SHARE = 3
"""Unigram begins with so many times the pieces that are asked for, and with _SEED_SIZE at least."""

LONGEST_RUN = 10_000
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
    """The size that is chosen for a text: its characters as WordPiece needs them, and up to a hundred pieces more.

    >>> usual_size("hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5)
    20
    """
    try:
        words = count_small(text, TrainConfig(unit="char", split=BERT_SPLIT)).words
    except CorpusError:
        return USUAL_SIZE
    characters = len({symbol for word in words for symbol in base_symbols(word)})
    size = len(SPECIAL_TOKENS) + characters + min(100, sum(map(len, words)) // 2)
    return min(-(-size // 10) * 10 if size > 40 else size, MOST_PIECES)


def train_algorithm(
    name: str, text: str, recipe: Recipe, on_progress: Progress | None = None
) -> AlgorithmRun | FailedRun:
    """One of the four, trained on a text; or why it cannot be."""
    try:
        return _MAKERS[name](text, recipe, on_progress)
    except BpeError as error:
        return FailedRun(error)


def _nearest(make: Callable[[int], T], requested: int) -> tuple[T, str]:
    """What `make` makes of the size that was asked for, or of the least that this text allows, and a word on that."""
    try:
        return make(requested), ""
    except ConfigError as error:
        if error.least is None:
            raise
        return make(error.least), f"This text needs {error.least:,} at least, so it has that instead of {requested:,}."


def _bpe(text: str, recipe: Recipe, on_progress: Progress | None) -> Bpe:
    config = recipe.config()
    training, note = _nearest(
        lambda size: train(text, replace(config, vocab_size=size), on_progress=on_progress), recipe.size
    )
    return Bpe(training, text, recipe.size, note)


def _wordpiece(text: str, recipe: Recipe, on_progress: Progress | None) -> WordPiece:
    training, note = _nearest(lambda size: train_wordpiece(text, size, on_progress=on_progress), recipe.size)
    return WordPiece(training, recipe.size, note)


def _unigram(text: str, recipe: Recipe, on_progress: Progress | None) -> Unigram:
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

    training, note = _nearest(make, recipe.size)
    if len(seeds) > 1 and not note:
        note = f"This text repeats itself within its words, so it begins with {seeds[-1]:,} pieces, not {seeds[0]:,}."
    return Unigram(training, recipe.size, note)


def _sentencepiece(text: str, recipe: Recipe, on_progress: Progress | None) -> SentencePiece:
    longest = max(map(len, text.split()), default=0)
    if longest > LONGEST_RUN:
        raise CorpusError(
            f"The text has {longest:,} characters without white space.",
            limit=f"SentencePiece takes {LONGEST_RUN:,} on this page: its library cannot be cancelled.",
            remedy="Take a shorter text, or one with spaces or line ends.",
        )
    training, note = _nearest(lambda size: train_sentencepiece(text, size, model_type=recipe.model), recipe.size)
    return SentencePiece(training, recipe.size, note)


_MAKERS: dict[str, Callable[[str, Recipe, Progress | None], AlgorithmRun]] = dict(
    zip(TITLES, (_bpe, _wordpiece, _unigram, _sentencepiece), strict=True)
)
