"""Unigram training: starting from a large seed, every round removes the pieces that increase the loss least."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.bpe.config import UNKNOWN, TrainConfig
from bpe_core.bpe.corpus import Progress
from bpe_core.errors import ConfigError
from bpe_core.kernels import backend, judging
from bpe_core.language import message
from bpe_core.text.small_corpus import PER_BYTE, count_small
from bpe_core.text.word_counts import WordCounts
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.assembly import unigram_tokenizer
from bpe_core.unigram.lattice import LatticeEdge, Segmentation, UnknownRule, checked_special
from bpe_core.unigram.marking import marked
from bpe_core.unigram.model import UnigramModel
from bpe_core.unigram.seed import seed_counts
from bpe_core.work import taking

LARGEST_SEED = 10_000


class PieceLoss(NamedTuple):
    """Increase of the corpus loss without a piece.

    >>> train_unigram("hug hug hugs pug pun bun", 10, seed_size=14).rounds[0].removed
    (PieceLoss(piece='▁h', increase=0.0),)
    """

    piece: str
    increase: float


class UnigramRound(NamedTuple):
    """One round: the loss of the corpus at its start, the pieces that were removed, and those that were kept.

    Both are sorted by increase, least first. Single characters are in neither: they are never removed.

    >>> one = train_unigram("hug hug hugs pug pun bun", 10, seed_size=14).rounds[0]
    >>> round(one.loss, 2), len(one.removed), len(one.kept)
    (40.35, 1, 5)
    """

    loss: float
    removed: tuple[PieceLoss, ...]
    kept: tuple[PieceLoss, ...]


def train_unigram(
    texts: str | Iterable[str] | WordCounts,
    vocab_size: int,
    *,
    seed_size: int = 300,
    shrink: float = 0.1,
    special_tokens: Sequence[str] = (UNKNOWN,),
    on_progress: Progress | None = None,
) -> UnigramTraining:
    """Train Unigram on one or many texts, 5 MB together at most, or on WordCounts of any corpus.

    It trains on the distinct words and their counts. WordCounts must be those of the split "words".
    Texts are split at white space, and each word gets ▁ prepended. The training begins with every character and the
    most frequent longer substrings, `seed_size` pieces together. Every round removes a share of the vocabulary
    (`shrink`, rounded down, at least one piece): the longer pieces that increase the loss least. Then the scores are
    recomputed from the counts in the seed. It ends with `vocab_size` pieces or fewer; a smaller seed is not pruned.
    The `special_tokens` come before the pieces and are not counted; <unk> is their last one if it is not among them.
    `on_progress(done, total)` is called with numbers of removed pieces; an exception raised in it cancels the training.

    Raises CorpusError for texts that are not text, have no words, or are too large or too repetitive; ConfigError for a
    `vocab_size` that the characters alone exceed, and for settings out of range.

    Source: the Unigram chapter of the Hugging Face course, after Kudo (2018), "Subword Regularization". The losses of
    the course are larger by one per word, because its search starts at 1.

    >>> training = train_unigram("hug hug hugs pug pun bun", 10, seed_size=14)
    >>> list(training.vocab)
    ['▁', 'h', 'u', 'g', 's', 'p', 'n', 'b', 'ug', '▁hug']
    >>> [[piece for piece, _ in one.removed] for one in training.rounds]
    [['▁h'], ['▁hu'], ['hu'], ['hug']]
    >>> training.tokenizer().tokenize("hugs pug")
    ['▁hug', 's', '▁', 'p', 'ug']
    """
    vocab_size = TrainConfig(vocab_size=vocab_size, unit="char").vocab_size
    seed_size = checks.whole_number(seed_size, "seed_size", 1, LARGEST_SEED)
    share_removed = _share(shrink)
    special = checked_special(special_tokens)
    checks.callback(on_progress)
    counted = count_small(texts, TrainConfig(unit="char", split="words"))
    with taking(PER_BYTE * len(counted.text)):
        return _train(counted, vocab_size, seed_size, share_removed, special, on_progress)


def _train(
    counted: WordCounts,
    vocab_size: int,
    seed_size: int,
    share_removed: float,
    special_tokens: tuple[str, ...],
    on_progress: Progress | None,
) -> UnigramTraining:
    words = tuple(marked(word) for word in counted.words)
    occurrences: list[int] = counted.counts.tolist()
    counts = seed_counts(words, occurrences, seed_size)
    characters = sum(len(piece) == 1 for piece in counts)
    if characters > vocab_size:
        raise ConfigError(
            message(
                "vocab_size is {vocab_size:,}, and this text alone has {characters:,} different characters, "
                "▁ included.",
                vocab_size=vocab_size,
                characters=characters,
            ),
            limit=message(
                "The least for this text is {characters:,}: single characters are never removed.", characters=characters
            ),
            remedy=message("Ask for at least {least:,}.", least=characters),
            least=characters,
        )
    total = max(len(counts) - vocab_size, 0)
    seed = dict(counts)
    models = [UnigramModel.of_counts(counts)]
    rounds: list[UnigramRound] = []
    compiled = backend.use_compiled(sum(map(len, words)), _SMALL)
    judge = _CompiledJudge(models[0], words, occurrences) if compiled else _Judge(words, occurrences)
    while len(counts) > vocab_size:
        done = total + vocab_size - len(counts)
        loss, judged = judge.round(models[-1], (done, total), on_progress)
        share = max(int(len(counts) * share_removed), 1)
        rounds.append(UnigramRound(loss, judged[:share], judged[share:]))
        for piece, _ in judged[:share]:
            del counts[piece]
        models.append(UnigramModel.of_counts(counts))
    if on_progress is not None:
        on_progress(total, total)
    loss = judge.loss(models[-1])
    return UnigramTraining(
        rounds=rounds,
        models=models,
        seed=seed,
        words=words,
        counted=counted,
        loss=loss,
        special_tokens=special_tokens,
    )


class UnigramTraining:
    """Result of a Unigram training. Immutable, so sessions can share it.

    `rounds`: results of each round. `seed`: the initial pieces and how often each occurs in the text, the characters
    first, then the substrings by count. `surrogates`: number of lone surrogates replaced by U+FFFD. `special_tokens`:
    the first ids of its tokenizers.

    >>> training = train_unigram("hug hug hugs pug pun bun", 10, seed_size=14)
    >>> [(pieces, round(score, 2)) for pieces, score in training.segmentations("▁hug", 2)]
    [(('▁hug',), 2.37), (('▁', 'h', 'ug'), 6.12)]
    >>> list(training.vocab)[-1], round(training.loss(), 2)
    ('▁hug', 35.57)
    >>> list(training.at(0).vocab)[-1], training.tokenizer(0).tokenize("hug")
    ('hug', ['▁hug'])
    >>> training.seed["▁h"], training.seed["ug"]
    (3, 4)
    """

    def __init__(
        self,
        *,
        rounds: Sequence[UnigramRound],
        models: Sequence[UnigramModel],
        seed: Mapping[str, int],
        words: Sequence[str],
        counted: WordCounts,
        loss: float,
        special_tokens: tuple[str, ...],
    ) -> None:
        """Use `train_unigram` instead. `models`: one before the first round and one after each; `words`: with ▁;
        `loss`: with the last model."""
        self.rounds = tuple(rounds)
        self._seed = dict(seed)
        self.surrogates = counted.surrogates
        self.special_tokens = special_tokens
        self._models = tuple(models)
        self._words = tuple(words)
        self._loss = loss
        self._counts = tuple(counted.counts.tolist())

    def __repr__(self) -> str:
        return f"<UnigramTraining: {len(self.vocab):,} pieces after {len(self.rounds):,} rounds>"

    @property
    def seed(self) -> Mapping[str, int]:
        """Every piece of the seed and its count in the corpus."""
        return MappingProxyType(self._seed)

    @property
    def vocab(self) -> dict[str, float]:
        """Every piece and its score, −log of its probability: the characters, then longer pieces by count."""
        return dict(self._models[-1].scores)

    def loss(self) -> float:
        """Loss of the corpus with the final model: the sum of count × score over its words."""
        return self._loss

    def segmentations(self, word: str, n: int | None = None) -> list[Segmentation]:
        """Best `n` segmentations of a word with the final model; see UnigramModel.segmentations."""
        return self._models[-1].segmentations(word, n)

    def at(self, step: int) -> UnigramSnapshot:
        """Model after `step` rounds, 0 … len(rounds), in any order. Raises ConfigError for another step."""
        last = len(self.rounds)
        limit = message("This training has the steps 0 to {last:,}, one per round.", last=last)
        number = checks.step_number(step, last, limit=limit)
        return UnigramSnapshot(number, self._models[number], self._words, self._counts)

    def tokenizer(self, step: int | None = None, *, unknown: UnknownRule = "characters") -> Tokenizer:
        """Tokenizer after `step` rounds (all if None); `unknown`: see UnigramModel. Raises ConfigError for others.

        Its scores have 15 digits, which every program parses identically: otherwise the last bit of a number could
        decide between two segmentations with the same score.
        """
        model = self.at(len(self.rounds) if step is None else step).model
        scores = {piece: float(f"{score:.15g}") for piece, score in model.scores.items()}
        return unigram_tokenizer(UnigramModel(scores, unknown=unknown, special_tokens=self.special_tokens))


@dataclass(frozen=True, eq=False)
class UnigramSnapshot:
    """Model after `step` rounds, and its segmentation of the corpus.

    >>> snapshot = train_unigram("hug hug hugs pug pun bun", 10, seed_size=14).at(0)
    >>> [(best.pieces, count) for best, count in snapshot.words(2)]
    [(('▁hug',), 2), (('▁hug', 's'), 1)]
    >>> list(snapshot.vocab)[-1], round(snapshot.loss, 2)
    ('hug', 40.35)
    >>> snapshot.segmentations("▁hug", 2)[1].pieces, [edge.piece for edge in snapshot.lattice("▁h")]
    (('▁', 'hug'), ['▁', '▁h', 'h'])
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
        """Loss of the corpus: the sum of count × score over its words."""
        return _loss(self.model, self._words, self._counts)

    def words(self, n: int | None = None) -> list[tuple[Segmentation, int]]:
        """Best segmentations of the first `n` distinct words (all if None), each with its count.

        Raises ConfigError if `n` is not a whole number, at least 0.
        """
        most = checks.how_many(n)
        counted = zip(self._words[:most], self._counts[:most], strict=True)
        found = ((self.model.best(word), count) for word, count in counted)
        return [(best, count) for best, count in found if best is not None]

    def segmentations(self, word: str, n: int | None = None) -> list[Segmentation]:
        """Best `n` segmentations of a word; see UnigramModel.segmentations."""
        return self.model.segmentations(word, n)

    def lattice(self, word: str) -> list[LatticeEdge]:
        """Every piece that fits into a word; see UnigramModel.lattice."""
        return self.model.lattice(word)


_SLICE = 500
"""Words between two calls of `on_progress`."""


_SMALL = 2_000
"""Characters of distinct words that plain Python judges in a fraction of a second."""


class _Judge:
    """Rounds of a training in plain Python."""

    def __init__(self, words: Sequence[str], counts: Sequence[int]) -> None:
        self.words = words
        self.counts = counts

    def round(
        self, model: UnigramModel, done: tuple[int, int], on_progress: Progress | None
    ) -> tuple[float, tuple[PieceLoss, ...]]:
        """Loss, and its increase without each piece of several characters, least increase first.

        Only words whose best segmentation has the piece change their score.
        """
        scores = np.zeros(len(self.words))
        changed: dict[int, list[tuple[int, float]]] = {}
        for i, word in enumerate(self.words):
            if on_progress is not None and i % _SLICE == 0:
                on_progress(*done)
            scores[i], without = model.word_costs(word)
            for number, score in without.items():
                changed.setdefault(number, []).append((i, score))
        loss = _sum(scores, self.counts)
        judged = []
        for number, piece in enumerate(model.scores):
            if len(piece) > 1:
                other = scores.copy()
                for i, score in changed.get(number, ()):
                    other[i] = score
                judged.append(PieceLoss(piece, _sum(other, self.counts) - loss))
        return loss, tuple(sorted(judged, key=lambda item: item.increase))

    def loss(self, model: UnigramModel) -> float:
        """Loss with a model."""
        return _loss(model, self.words, self.counts)


class _CompiledJudge(_Judge):
    """The same rounds by compiled kernels, which find the pieces that fit into the words only once."""

    def __init__(self, model: UnigramModel, words: Sequence[str], counts: Sequence[int]) -> None:
        super().__init__(words, counts)
        self.edges = judging.Edges(map(model.edges, words), list(map(len, words)))
        self.pieces = list(model.scores)

    def round(
        self, model: UnigramModel, done: tuple[int, int], on_progress: Progress | None
    ) -> tuple[float, tuple[PieceLoss, ...]]:
        """Result of `_Judge.round`; the model's pieces must be a subset of the previous model's."""
        costs = self.costs(model, lambda: None if on_progress is None else on_progress(*done))
        *sums, loss = judging.sums_without(costs, self.counts, len(self.pieces)).tolist()
        judged = [
            PieceLoss(piece, total - loss)
            for piece, total in zip(self.pieces, sums, strict=True)
            if len(piece) > 1 and piece in model.scores
        ]
        return loss, tuple(sorted(judged, key=lambda item: item.increase))

    def loss(self, model: UnigramModel) -> float:
        """Loss with a model, whose pieces must be a subset of the previous one's."""
        return _sum(self.costs(model).scores, self.counts)

    def costs(self, model: UnigramModel, report: Callable[[], object] = lambda: None) -> judging.Costs:
        """Costs of all words; `report` is called before every slice of them."""
        if len(model.scores) < len(self.pieces):
            self.edges.keep([piece in model.scores for piece in self.pieces])
        values = [model.scores.get(piece, 0.0) for piece in self.pieces]
        found = []
        for first in range(0, len(self.words), _SLICE):
            report()
            found.append(self.edges.costs(values, first, min(first + _SLICE, len(self.words))))
        return judging.Costs(*map(np.concatenate, zip(*found, strict=True)))


def _loss(model: UnigramModel, words: Sequence[str], counts: Sequence[int]) -> float:
    scores = [best.score for word in words if (best := model.best(word)) is not None]
    return _sum(np.array(scores), counts)


def _sum(scores: np.ndarray[tuple[int], np.dtype[np.float64]], counts: Sequence[int]) -> float:
    """Σ count × score, added word by word: identical to the plain loop's result to the last bit."""
    return float(np.cumsum(scores * np.array(counts))[-1])


def _share(shrink: object) -> float:
    if checks.is_number(shrink) and 0 < shrink <= 1:
        return float(shrink)
    raise checks.wrong(
        shrink,
        "shrink",
        message("It takes a share of the vocabulary, above 0 and at most 1."),
        message("Write 0.1 for 10 %."),
    )
