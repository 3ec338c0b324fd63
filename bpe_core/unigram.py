"""Training Unigram: from many pieces down, each round without the pieces that cost the least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bpe_core.config import TrainConfig
from bpe_core.corpus import Progress
from bpe_core.errors import ConfigError, quoted
from bpe_core.small_corpus import count_small
from bpe_core.unigram_model import LatticeEdge, Segmentation, UnigramModel
from bpe_core.unigram_seed import seed_counts
from bpe_core.unigram_tokenizer import UnigramTokenizer, marked
from bpe_core.words import WordCounts

LARGEST_SEED = 10_000


class PieceLoss(NamedTuple):
    """How much the loss of the corpus grows without a piece."""

    piece: str
    increase: float


class UnigramRound(NamedTuple):
    """One round: the loss of the corpus at its start, the pieces that were removed, and those that were kept.

    Both are in the order of the choice, the least increase first. Single letters are in neither: they always stay.
    """

    loss: float
    removed: tuple[PieceLoss, ...]
    kept: tuple[PieceLoss, ...]


def train_unigram(
    texts: str | Iterable[str],
    vocab_size: int,
    *,
    seed_size: int = 300,
    shrink: float = 0.1,
    on_progress: Progress | None = None,
) -> UnigramTraining:
    """Train Unigram on a text or on many, 100 KB together at most.

    Words by white space, each with ▁ in front. The training begins with every letter and the most frequent longer
    substrings, `seed_size` pieces together. Every round removes a share of the vocabulary (`shrink`, rounded down, at
    least one piece): the longer pieces without which the loss grows least; then the scores are reckoned anew from the
    first counts. It ends when there are `vocab_size` pieces or fewer. A seed smaller than that is left as it is.
    `on_progress(done, total)` is called with numbers of removed pieces; what it raises cancels.

    Raises CorpusError for what is no text, no words, too large, or too repetitive; ConfigError for a `vocab_size` that
    the letters alone exceed, and for settings out of range.

    Source: the Unigram chapter of the Hugging Face course, after Kudo (2018), "Subword Regularization". Its losses are
    larger by one per word, since its search begins at 1.

    >>> training = train_unigram("hug hug hugs pug pun bun", 10, seed_size=14)
    >>> list(training.vocab)
    ['▁', 'h', 'u', 'g', 's', 'p', 'n', 'b', 'ug', '▁hug']
    >>> [[piece for piece, _ in one.removed] for one in training.rounds]
    [['▁h'], ['▁hu'], ['hu'], ['hug']]
    >>> training.tokenizer().tokenize("hugs pug")
    ['▁hug', 's', '▁', 'p', 'ug']
    """
    TrainConfig(vocab_size=vocab_size, unit="char")  # checks the size
    _check_settings(seed_size, shrink)
    counted = count_small(texts, TrainConfig(unit="char", split="words"))
    words = tuple(marked(word) for word in counted.words)
    counts = seed_counts(words, counted.counts, seed_size)
    letters = sum(len(piece) == 1 for piece in counts)
    if letters > vocab_size:
        raise ConfigError(
            f"vocab_size is {vocab_size:,}, and this text alone has {letters:,} different characters, ▁ included.",
            limit=f"The least for this text is {letters:,}: single characters are never removed.",
            remedy=f"Ask for at least {letters:,}.",
            least=letters,
        )
    total = max(len(counts) - vocab_size, 0)
    models = [UnigramModel.of_counts(counts)]
    rounds: list[UnigramRound] = []
    while len(counts) > vocab_size:
        done = total + vocab_size - len(counts)
        loss, judged = _judge(models[-1], words, counted.counts, (done, total), on_progress)
        share = max(int(len(counts) * shrink), 1)
        rounds.append(UnigramRound(loss, judged[:share], judged[share:]))
        for piece, _ in judged[:share]:
            del counts[piece]
        models.append(UnigramModel.of_counts(counts))
    if on_progress is not None:
        on_progress(total, total)
    return UnigramTraining(rounds=rounds, models=models, words=words, counted=counted)


class UnigramTraining:
    """A finished Unigram training. Never changes, so one may be shared by many users.

    `rounds`: what every round saw and removed. `surrogates`: lone surrogates of the texts that were replaced by U+FFFD.

    >>> training = train_unigram("hug hug hugs pug pun bun", 10, seed_size=14)
    >>> [(pieces, round(score, 2)) for pieces, score in training.segmentations("▁hug", 2)]
    [(('▁hug',), 2.37), (('▁', 'h', 'ug'), 6.12)]
    """

    def __init__(
        self,
        *,
        rounds: Sequence[UnigramRound],
        models: Sequence[UnigramModel],
        words: Sequence[str],
        counted: WordCounts,
    ) -> None:
        """Made by `train_unigram`. `models`: the scores before the first round and after each; `words`: with ▁."""
        self.rounds = tuple(rounds)
        self.surrogates = counted.surrogates
        self._models = tuple(models)
        self._words = tuple(words)
        self._counts = counted.counts

    def __repr__(self) -> str:
        return f"<UnigramTraining: {len(self.vocab):,} pieces after {len(self.rounds):,} rounds>"

    @property
    def vocab(self) -> dict[str, float]:
        """Every piece and its score, −log of its probability: the letters, then the longer ones by count."""
        return dict(self._models[-1].scores)

    def loss(self) -> float:
        """The loss of the corpus by the final model: the sum of count × score over the words."""
        return self.at(len(self.rounds)).loss

    def segmentations(self, word: str, n: int | None = None) -> list[Segmentation]:
        """The best `n` segmentations of a word by the final model; see UnigramModel.segmentations."""
        return self._models[-1].segmentations(word, n)

    def at(self, step: int) -> UnigramSnapshot:
        """The model after `step` rounds, 0 … len(rounds), in any order."""
        if not isinstance(step, int | np.integer) or isinstance(step, bool) or not 0 <= step <= len(self.rounds):
            raise ConfigError(
                f"The step is {quoted(step)}.",
                limit=f"This training has the steps 0 to {len(self.rounds):,}, one a round.",
                remedy="Choose one of them.",
            )
        return UnigramSnapshot(int(step), self._models[step], self._words, self._counts)

    def tokenizer(self, step: int | None = None) -> UnigramTokenizer:
        """The tokenizer after `step` rounds (all of them when None)."""
        return UnigramTokenizer(self.at(len(self.rounds) if step is None else step).model)


@dataclass(frozen=True, eq=False)
class UnigramSnapshot:
    """The model after `step` rounds, and what it makes of the corpus.

    >>> snapshot = train_unigram("hug hug hugs pug pun bun", 10, seed_size=14).at(0)
    >>> [(best.pieces, count) for best, count in snapshot.words(2)]
    [(('▁hug',), 2), (('▁hug', 's'), 1)]
    """

    step: int
    model: UnigramModel = field(repr=False)
    _words: tuple[str, ...] = field(repr=False)
    _counts: tuple[int, ...] = field(repr=False)

    @property
    def vocab(self) -> dict[str, float]:
        """Every piece and its score."""
        return dict(self.model.scores)

    @property
    def loss(self) -> float:
        """The loss of the corpus: the sum of count × score over the words."""
        scores = [best.score for word in self._words if (best := self.model.best(word)) is not None]
        return _sum(np.array(scores), self._counts)

    def words(self, n: int | None = None) -> list[tuple[Segmentation, int]]:
        """The best segmentations of the first `n` distinct words (all when None), each with its count."""
        found = ((self.model.best(word), count) for word, count in zip(self._words[:n], self._counts[:n], strict=True))
        return [(best, count) for best, count in found if best is not None]

    def segmentations(self, word: str, n: int | None = None) -> list[Segmentation]:
        """The best `n` segmentations of a word; see UnigramModel.segmentations."""
        return self.model.segmentations(word, n)

    def lattice(self, word: str) -> list[LatticeEdge]:
        """Every piece that fits into a word; see UnigramModel.lattice."""
        return self.model.lattice(word)


_SLICE = 500
"""Words between two reports of progress."""


def _judge(
    model: UnigramModel,
    words: Sequence[str],
    counts: Sequence[int],
    done: tuple[int, int],
    on_progress: Progress | None,
) -> tuple[float, tuple[PieceLoss, ...]]:
    """The loss, and how much it grows without each piece of more than one letter, the least increase first.

    Only the words whose best segmentation holds the piece change their score.
    """
    scores = np.zeros(len(words))
    changed: dict[int, list[tuple[int, float]]] = {}
    for i, word in enumerate(words):
        if on_progress is not None and i % _SLICE == 0:
            on_progress(*done)
        scores[i], without = model.word_costs(word)
        for number, score in without.items():
            changed.setdefault(number, []).append((i, score))
    loss = _sum(scores, counts)
    judged = []
    for number, piece in enumerate(model.scores):
        if len(piece) > 1:
            other = scores.copy()
            for i, score in changed.get(number, ()):
                other[i] = score
            judged.append(PieceLoss(piece, _sum(other, counts) - loss))
    return loss, tuple(sorted(judged, key=lambda item: item.increase))


def _sum(scores: np.ndarray[tuple[int], np.dtype[np.float64]], counts: Sequence[int]) -> float:
    """Σ count × score, one word after the other: the result is that of the plain loop, to the last bit."""
    return float(np.cumsum(scores * np.array(counts))[-1])


def _check_settings(seed_size: object, shrink: object) -> None:
    if not isinstance(seed_size, int) or isinstance(seed_size, bool) or not 1 <= seed_size <= LARGEST_SEED:
        raise ConfigError(
            f"seed_size is {quoted(seed_size)}.",
            limit=f"It takes a whole number from 1 to {LARGEST_SEED:,}.",
            remedy="Correct it.",
        )
    if not isinstance(shrink, int | float) or isinstance(shrink, bool) or not 0 < shrink <= 1:
        raise ConfigError(
            f"shrink is {quoted(shrink)}.",
            limit="It takes a share of the vocabulary, above 0 and at most 1.",
            remedy="Write 0.1 for 10 %.",
        )
