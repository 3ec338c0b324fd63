"""The distinct words of a corpus as flat arrays of ids, and what training does to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core import compiled, engine, reference
from bpe_core.merges import PairMerges
from bpe_core.vocabulary import BaseVocabulary
from bpe_core.words import FlatWords

Progress = Callable[[int, int], object]
"""Called with (merges done, merges in all); whatever it raises ends the training."""


class Corpus(NamedTuple):
    """Distinct words in first-seen order: word i is ids[offsets[i]:offsets[i + 1]] and stands counts[i] times.

    ids: int32; offsets: int64, one more than the words; counts: int64.
    """

    ids: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, words: Iterable[Sequence[int]], counts: Sequence[int]) -> Corpus:
        """From words as sequences of ids.

        >>> Corpus.of([[1, 2], [3]], [5, 1]).offsets.tolist()
        [0, 2, 3]
        """
        sizes: list[int] = []
        flat: list[int] = []
        for word in words:
            flat += word
            sizes.append(len(word))
        return cls(np.array(flat, np.int32), np.cumsum([0, *sizes]), np.array(counts, np.int64))

    @classmethod
    def of_words(cls, base: BaseVocabulary, flat: FlatWords) -> Corpus:
        """From distinct words and the base vocabulary that was made for them."""
        ids, offsets = base.flat_symbols(flat.text, flat.offsets)
        return cls(ids, offsets, flat.counts)

    def words(self, n: int | None = None) -> list[list[int]]:
        """The first `n` words, or all, as lists of ids."""
        ends = self.offsets if n is None else self.offsets[: n + 1]
        flat: list[int] = self.ids[: int(ends[-1])].tolist()
        return [flat[start:end] for start, end in pairwise(ends.tolist())]

    @property
    def token_count(self) -> int:
        """Symbols of all words, each as often as its word stands."""
        return int(np.diff(self.offsets) @ self.counts)


class Learned(NamedTuple):
    """The merges of a training and, from the engine, where each was made.

    rows: int64 (merges, 4) of left, right, count when chosen, places replaced. `merged_at`, `merged_ends`: see
    engine.MergeLoop; None when the reference trained.
    """

    rows: npt.NDArray[np.int64]
    merged_at: npt.NDArray[np.int32] | None = None
    merged_ends: npt.NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Every adjacent pair of a corpus in first-seen order; arrays of equal length."""

    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    count: npt.NDArray[np.int64]


def learn(
    corpus: Corpus,
    *,
    first_id: int,
    most: int,
    tie_break: str,
    min_count: int,
    forced: Sequence[tuple[int, int]],
    on_progress: Progress | None,
) -> Learned:
    """The merges of a training. Small corpora are left to the reference until the engine is compiled."""
    report = on_progress or _ignore
    if _is_for_reference(len(corpus.ids) * most):
        return _learn_by_reference(
            corpus,
            first_id=first_id,
            most=most,
            tie_break=tie_break,
            min_count=min_count,
            forced=forced,
            report=report,
        )
    report(0, most)
    loop = engine.MergeLoop(
        corpus.ids,
        corpus.offsets,
        corpus.counts,
        first_new_id=first_id,
        max_merges=most,
        tie_break=engine.LOWEST_IDS if tie_break == "lowest-ids" else engine.FIRST_SEEN,
        min_count=min_count,
        forced=np.array(forced, np.int64).reshape(-1, 2),
    )
    while loop.stop_reason == engine.RUNNING:
        loop.run(_SLICE)
        report(loop.made, most)
    rows = np.column_stack((loop.pairs, loop.counts, loop.replaced))
    return Learned(rows, loop.merged_at.copy(), loop.merged_ends.copy())


def _learn_by_reference(
    corpus: Corpus,
    *,
    first_id: int,
    most: int,
    tie_break: str,
    min_count: int,
    forced: Sequence[tuple[int, int]],
    report: Progress,
) -> Learned:
    steps = reference.learn(
        corpus.words(),
        corpus.counts.tolist(),
        first_id=first_id,
        most=most,
        tie_break=tie_break,
        min_count=min_count,
        forced=forced,
    )
    rows = []
    report(0, most)
    for step in steps:
        rows.append(astuple(step))
        report(len(rows), most)
    return Learned(np.array(rows, np.int64).reshape(-1, 4))


def after(corpus: Corpus, learned: Learned, step: int, first_id: int) -> Corpus:
    """The corpus with the first `step` merges applied."""
    if learned.merged_at is not None and learned.merged_ends is not None:
        before = engine.Words(corpus.ids, corpus.offsets)
        words = engine.replay(before, learned.merged_at, learned.merged_ends, step, first_new_id=first_id)
        return Corpus(words.symbols, words.offsets, corpus.counts)
    merges = PairMerges([(left, right) for left, right in learned.rows[:step, :2].tolist()], first_id)
    replayed = [reference.encoded(word, merges.merge_of) for word in corpus.words()]
    return Corpus.of(replayed, corpus.counts.tolist())


def pair_counts(corpus: Corpus) -> PairCounts:
    """How often every adjacent pair stands, overlaps included, in first-seen order."""
    if _is_for_reference(len(corpus.ids)):
        pairs = reference.count_pairs(corpus.words(), corpus.counts.tolist())
        left, right = np.array(list(pairs), np.int32).reshape(-1, 2).T
        return PairCounts(left, right, np.array(list(pairs.values()), np.int64))
    found = engine.pair_counts(engine.Words(corpus.ids, corpus.offsets), corpus.counts)
    order = np.argsort(found.firsts)
    return PairCounts(found.lefts[order], found.rights[order], found.counts[order])


def count_changes(corpus: Corpus, left: int, right: int, new_id: int) -> list[tuple[int, int, int, int]]:
    """(left, right, before, after) of every pair whose count a merge changes, the merged one first."""
    if not _is_for_reference(len(corpus.ids)):
        flat = engine.Words(corpus.ids, corpus.offsets)
        columns = engine.count_changes(flat, corpus.counts, left, right, new_id)
        return list(zip(*(column.tolist() for column in columns), strict=True))
    words, counts = corpus.words(), corpus.counts.tolist()
    before = reference.count_pairs(words, counts)
    after = reference.count_pairs([reference.merge(word, (left, right), new_id) for word in words], counts)
    pairs = dict.fromkeys([(left, right), *before, *after])
    rows = [(*pair, before.get(pair, 0), after.get(pair, 0)) for pair in pairs]
    return rows[:1] + [row for row in rows[1:] if row[2] != row[3]]


_SLICE = 256
"""Merges between two reports of progress: a millisecond to a few."""

_REFERENCE_WORK = 2_000_000
"""Symbols times merges that the reference does in well under a second."""


def _is_for_reference(work: int) -> bool:
    return work <= _REFERENCE_WORK and not compiled.is_ready()


def _ignore(done: int, total: int) -> None:
    """No one wants to know."""
