"""Trains the four algorithms on a text, each to the vocabulary size that was asked for or the nearest that it can.

Pure data: what the Algorithms page shows of a training is in that page's room, and every page takes its tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias, TypeVar

from bpe_core import (
    BpeError,
    ConfigError,
    CorpusError,
    SentencePieceTraining,
    Tokenizer,
    TrainConfig,
    Training,
    UnigramTraining,
    WordPieceTraining,
    train,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.bpe.corpus import Progress
from bpe_core.language import message
from bpe_core.sentencepiece.settings import ModelType
from bpe_core.sentencepiece.training import NormalizationRule
from bpe_core.text.small_corpus import MOST_BYTES, bounded, count_small
from bpe_core.text.splits import BERT_SPLIT
from bpe_core.unigram.lattice import UnknownRule
from bpe_core.unigram.training import LARGEST_SEED
from bpe_core.wordpiece.merging import base_symbols
from bpe_core.wordpiece.training import SPECIAL_TOKENS, WordPieceRule
from ui.session.learned_tokenizers import LearnedTokenizer
from ui.session.state import ALGORITHMS, MOST_PIECES

T = TypeVar("T")

_ASKED = {
    "bpe": ("split", "tie_break"),
    "wordpiece": ("merges_by",),
    "sentencepiece": ("model", "byte_fallback", "normalization"),
}

USUAL_SIZE = 200
_SEED_SIZE = 300
_SEED_SHARE = 3
"""Unigram begins with so many times the pieces that are asked for, and with _SEED_SIZE at least."""

LONGEST_RUN = 10_000
"""Characters without white space that SentencePiece takes: it cannot be cancelled, and long words cost it most."""


@dataclass(frozen=True)
class Recipe:
    """What the four are trained with.

    split, tie_break                      BPE's: those of the Train page
    model, byte_fallback, normalization   SentencePiece's
    merges_by                             WordPiece's
    unknown                               what becomes <unk> in Unigram, which its training does not ask
    """

    size: int
    model: ModelType
    split: str
    tie_break: str
    byte_fallback: bool = False
    normalization: NormalizationRule = "nmt_nfkc"
    merges_by: WordPieceRule = "score"
    unknown: UnknownRule = "characters"

    def of(self, name: str) -> Recipe:
        """What the training of one algorithm asks of it; the rest as it is usually."""
        own = {key: getattr(self, key) for key in _ASKED.get(name, ())}
        return replace(Recipe(self.size, "bpe", "gpt2", "first-seen"), **own)

    @classmethod
    def of_learned(cls, learned: LearnedTokenizer, text: str) -> Recipe:
        """That of a tokenizer that visitors choose on all pages; BPE's settings are the usual ones."""
        size = learned.size or usual_size(text)
        return replace(cls(size, "bpe", "gpt2", "first-seen"), **learned.options)

    def config(self) -> TrainConfig:
        """BPE's settings."""
        return TrainConfig(vocab_size=self.size, unit="char", split=self.split, tie_break=self.tie_break)  # type: ignore[arg-type]


AlgorithmTraining: TypeAlias = Training | WordPieceTraining | UnigramTraining | SentencePieceTraining


class TrainedAlgorithm(NamedTuple):
    """A finished training. `note`: where it differs from what was asked for, to be `said`; "" where it does not."""

    training: AlgorithmTraining
    requested: int
    note: str = ""

    def tokenizer(self, recipe: Recipe) -> Tokenizer:
        """The tokenizer at the end of the training."""
        if isinstance(self.training, UnigramTraining):
            return self.training.tokenizer(unknown=recipe.unknown)
        return self.training.tokenizer()


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


def beginning(text: str) -> str:
    """What is taken of a text where that is longer than the algorithms take."""
    data = text.encode("utf-8", "surrogatepass")
    return text if len(data) <= MOST_BYTES else data[:MOST_BYTES].decode("utf-8", "ignore")


def train_algorithm(
    name: str, text: str, recipe: Recipe, on_progress: Progress | None = None
) -> TrainedAlgorithm | BpeError:
    """One of the four, trained on a text; or why it cannot be."""
    try:
        return _MAKERS[name](text, recipe, on_progress)
    except BpeError as error:
        return error.with_traceback(None)


def _nearest(make: Callable[[int], T], requested: int) -> tuple[T, str]:
    """What `make` makes of the size that was asked for, or of the least that this text allows, and a word on that."""
    try:
        return make(requested), ""
    except ConfigError as error:
        if error.least is None:
            raise
        note = message(
            "This text needs {least:,} at least, so it has that instead of {requested:,}.",
            least=error.least,
            requested=requested,
        )
        return make(error.least), note


def _bpe(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    config = recipe.config()
    training, note = _nearest(
        lambda size: train(text, replace(config, vocab_size=size), on_progress=on_progress), recipe.size
    )
    return TrainedAlgorithm(training, recipe.size, note)


def _wordpiece(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    training, note = _nearest(
        lambda size: train_wordpiece(text, size, rule=recipe.merges_by, on_progress=on_progress), recipe.size
    )
    return TrainedAlgorithm(training, recipe.size, note)


def _unigram(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
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
        note = message(
            "This text repeats itself within its words, so it begins with {pieces:,} pieces, not {usual:,}.",
            pieces=seeds[-1],
            usual=seeds[0],
        )
    return TrainedAlgorithm(training, recipe.size, note)


def _sentencepiece(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    longest = max(map(len, text.split()), default=0)
    if longest > LONGEST_RUN:
        raise CorpusError(
            message("The text has {characters:,} characters without white space.", characters=longest),
            limit=message(
                "SentencePiece takes {most:,} on this page: its library cannot be cancelled.", most=LONGEST_RUN
            ),
            remedy=message("Take a shorter text, or one with spaces or line ends."),
        )
    own_bytes = 256 if recipe.byte_fallback else 0

    def make(size: int) -> SentencePieceTraining:
        """The bytes come on top: with them in it, a usual size has no room for anything else."""
        return train_sentencepiece(
            text,
            size,
            model_type=recipe.model,
            byte_fallback=recipe.byte_fallback,
            normalization=recipe.normalization,
        )

    training, note = _nearest(make, recipe.size + own_bytes)
    return TrainedAlgorithm(training, recipe.size, note)


_MAKERS: dict[str, Callable[[str, Recipe, Progress | None], TrainedAlgorithm]] = dict(
    zip(ALGORITHMS, (_bpe, _wordpiece, _unigram, _sentencepiece), strict=True)
)
