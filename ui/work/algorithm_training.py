"""Training of the algorithms on a text, each to the requested vocabulary size or the nearest possible.

Pure data. The Algorithms page shows the trainings; all pages use their tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias, TypeVar

from bpe_core import (
    BpeError,
    ConfigError,
    CorpusError,
    PickyTraining,
    SentencePieceTraining,
    Tokenizer,
    TrainConfig,
    Training,
    UnigramTraining,
    WordPieceTraining,
    train,
    train_picky,
    train_sentencepiece,
    train_unigram,
    train_wordpiece,
)
from bpe_core.bpe.config import UNKNOWN
from bpe_core.bpe.corpus import Progress
from bpe_core.language import message
from bpe_core.sentencepiece.settings import ModelType
from bpe_core.sentencepiece.training import MOST_BYTES as MOST_OF_SENTENCEPIECE
from bpe_core.sentencepiece.training import NormalizationRule
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.small_corpus import MOST_BYTES, bounded, count_small
from bpe_core.text.splits import BERT_SPLIT
from bpe_core.unigram.lattice import UnknownRule
from bpe_core.unigram.training import LARGEST_SEED
from bpe_core.wordpiece.merging import base_symbols
from bpe_core.wordpiece.training import SPECIAL_TOKENS, WordPieceRule
from ui.session.algorithms import MOST_PIECES, SIDE_BY_SIDE_AT_FIRST, TITLES
from ui.session.learned_tokenizers import LearnedTokenizer

T = TypeVar("T")

_ASKED = {
    "bpe": ("split", "tie_break"),
    "picky": ("split", "tie_break", "threshold"),
    "superbpe": ("split", "tie_break", "crossing"),
    "boundlessbpe": ("split", "tie_break"),
    "wordpiece": ("merges_by", "special_tokens"),
    "unigram": ("seed_size", "shrink", "first_tokens"),
    "sentencepiece": ("model", "byte_fallback", "normalization"),
}

DEFAULT_SIZE = 200
LEAST_SEED = 300
_SEED_SHARE = 3
"""Unigram's seed has this many times the requested pieces, and at least LEAST_SEED."""

LONGEST_RUN = 10_000
"""Maximum characters without white space for SentencePiece: it cannot be cancelled, and long words are slowest."""


@dataclass(frozen=True)
class Recipe:
    """Training settings of all algorithms, and the algorithms shown side by side.

    split, tie_break                      BPE and its variants, from the Train page
    threshold                             PickyBPE: share of a token's occurrences, in percent, from which it is removed
    crossing                              SuperBPE: share of the size, in percent, from which merges cross words
    model, byte_fallback, normalization   SentencePiece
    merges_by, special_tokens             WordPiece; special tokens with spaces between them
    seed_size, shrink                     Unigram: pieces of the seed, None for a size by that of the vocabulary; the
                                          share that a round removes, in percent
    first_tokens                          Unigram: its special tokens, with spaces between them
    unknown                               Unigram: the text that becomes <unk>; not used in training
    side_by_side                          algorithms that are shown, in page order
    """

    size: int
    model: ModelType
    split: str
    tie_break: str
    byte_fallback: bool = False
    normalization: NormalizationRule = "nmt_nfkc"
    merges_by: WordPieceRule = "score"
    special_tokens: str = " ".join(SPECIAL_TOKENS)
    seed_size: int | None = None
    shrink: int = 10
    first_tokens: str = UNKNOWN
    unknown: UnknownRule = "characters"
    threshold: int = 90
    crossing: int = 80
    side_by_side: tuple[str, ...] = SIDE_BY_SIDE_AT_FIRST

    def of(self, name: str) -> Recipe:
        """The settings that one algorithm uses, with the others at their defaults."""
        own = {key: getattr(self, key) for key in _ASKED.get(name, ())}
        return replace(Recipe(self.size, "bpe", "gpt2", "first-seen"), **own)

    @classmethod
    def of_learned(cls, learned: LearnedTokenizer, text: str) -> Recipe:
        """Recipe of a tokenizer selectable on all pages; BPE's settings have their defaults."""
        size = learned.size or default_size(text)
        return replace(cls(size, "bpe", "gpt2", "first-seen"), **learned.options)

    def config(self) -> TrainConfig:
        """Settings of BPE and its variants."""
        return TrainConfig(vocab_size=self.size, unit="char", split=self.split, tie_break=self.tie_break)  # type: ignore[arg-type]


AlgorithmTraining: TypeAlias = Training | PickyTraining | WordPieceTraining | UnigramTraining | SentencePieceTraining


class TrainedAlgorithm(NamedTuple):
    """A finished training. `note`: an untranslated message on how it differs from the request, or ""."""

    training: AlgorithmTraining
    requested: int
    note: str = ""

    def tokenizer(self, recipe: Recipe) -> Tokenizer:
        """The tokenizer after the last step."""
        if isinstance(self.training, UnigramTraining):
            return self.training.tokenizer(unknown=recipe.unknown)
        return self.training.tokenizer()


def check_size(text: str) -> None:
    """Raise CorpusError for a text too large for the algorithms in plain Python."""
    list(bounded(text, MOST_BYTES))


def default_size(text: str) -> int:
    """Default size for a text: WordPiece's base characters, and up to a hundred more pieces.

    >>> default_size("hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5)
    20
    """
    try:
        words = count_small(text, TrainConfig(unit="char", split=BERT_SPLIT)).words
    except CorpusError:
        return DEFAULT_SIZE
    characters = len({symbol for word in words for symbol in base_symbols(word)})
    size = len(SPECIAL_TOKENS) + characters + min(100, sum(map(len, words)) // 2)
    return min(-(-size // 10) * 10 if size > 40 else size, MOST_PIECES)


def beginning(text: str, algorithm: str = "") -> str:
    """The start of a text, up to an algorithm's limit in bytes."""
    most = MOST_OF_SENTENCEPIECE if algorithm == "sentencepiece" else MOST_BYTES
    data = text.encode("utf-8", "surrogatepass")
    return text if len(data) <= most else data[:most].decode("utf-8", "ignore")


def train_algorithm(
    name: str, text: str, recipe: Recipe, on_progress: Progress | None = None
) -> TrainedAlgorithm | BpeError:
    """Train one of the algorithms on a text; errors are returned."""
    try:
        return _MAKERS[name](text, recipe, on_progress)
    except BpeError as error:
        return error.with_traceback(None)


def _nearest(name: str, make: Callable[[int], T], requested: int) -> tuple[T, str]:
    """Result of `make` for the requested size, or for the smallest possible one, with a note."""
    try:
        return make(requested), ""
    except ConfigError as error:
        if error.least is None:
            raise
        note = message(
            "{algorithm}: the text needs {least:,} at least, so it has that instead of {requested:,}.",
            algorithm=TITLES[name],
            least=error.least,
            requested=requested,
        )
        return make(error.least), note


def _bpe(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    config = recipe.config()
    training, note = _nearest(
        "bpe", lambda size: train(text, replace(config, vocab_size=size), on_progress=on_progress), recipe.size
    )
    return TrainedAlgorithm(training, recipe.size, note)


def _picky(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    config, threshold = recipe.config(), recipe.threshold / 100
    training, note = _nearest(
        "picky",
        lambda size: train_picky(text, replace(config, vocab_size=size), threshold=threshold, on_progress=on_progress),
        recipe.size,
    )
    return TrainedAlgorithm(training, recipe.size, note)


def _superbpe(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    characters = len({*replace_surrogates(text)[0]}) + 1  # with <unk>: the size without merges, the smallest transition

    def make(size: int) -> Training:
        transition = min(max(size * recipe.crossing // 100, characters), size)
        config = replace(recipe.config(), vocab_size=size, method="superbpe", transition=transition)
        return train(text, config, on_progress=on_progress)

    training, note = _nearest("superbpe", make, recipe.size)
    return TrainedAlgorithm(training, recipe.size, note)


def _boundlessbpe(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    config = replace(recipe.config(), method="boundlessbpe")
    training, note = _nearest(
        "boundlessbpe", lambda size: train(text, replace(config, vocab_size=size), on_progress=on_progress), recipe.size
    )
    return TrainedAlgorithm(training, recipe.size, note)


def _wordpiece(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    special = recipe.special_tokens.split()
    training, note = _nearest(
        "wordpiece",
        lambda size: train_wordpiece(
            text, size, rule=recipe.merges_by, special_tokens=special, on_progress=on_progress
        ),
        recipe.size,
    )
    return TrainedAlgorithm(training, recipe.size, note)


def _unigram(text: str, recipe: Recipe, on_progress: Progress | None) -> TrainedAlgorithm:
    seeds: list[int] = []
    words = count_small(text, TrainConfig(unit="char", split="words"))

    def make(size: int) -> UnigramTraining:
        """Train, halving the seed as long as substrings repeated within words have too many occurrences for it."""
        seeds.append(recipe.seed_size or min(max(LEAST_SEED, _SEED_SHARE * size), LARGEST_SEED))
        while True:
            try:
                return train_unigram(
                    words,
                    size,
                    seed_size=seeds[-1],
                    shrink=recipe.shrink / 100,
                    special_tokens=recipe.first_tokens.split(),
                    on_progress=on_progress,
                )
            except CorpusError:
                if seeds[-1] < 2:
                    raise
                seeds.append(seeds[-1] // 2)

    training, note = _nearest("unigram", make, recipe.size)
    if len(seeds) > 1 and not note:
        note = message(
            "{algorithm}: the text repeats itself within its words, so it begins with {pieces:,} pieces, not "
            "{usual:,}.",
            algorithm=TITLES["unigram"],
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
        """Train with bytes in addition to the size: within it, they would leave no room in a small vocabulary."""
        return train_sentencepiece(
            text,
            size,
            model_type=recipe.model,
            byte_fallback=recipe.byte_fallback,
            normalization=recipe.normalization,
        )

    training, note = _nearest("sentencepiece", make, recipe.size + own_bytes)
    return TrainedAlgorithm(training, recipe.size, note)


_MAKERS: dict[str, Callable[[str, Recipe, Progress | None], TrainedAlgorithm]] = {
    "bpe": _bpe,
    "picky": _picky,
    "superbpe": _superbpe,
    "boundlessbpe": _boundlessbpe,
    "wordpiece": _wordpiece,
    "unigram": _unigram,
    "sentencepiece": _sentencepiece,
}
