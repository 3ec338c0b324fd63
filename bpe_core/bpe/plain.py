"""Training engine in plain Python: follows `reference.py` and needs no compiled kernels.

`engine.Engine` documents the functions; `compiled.py` implements them by kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe import reference
from bpe_core.bpe.corpus import NEVER, Corpus, CountedChange, Learned, PairCounts, Plan, Progress


def learn(corpus: Corpus, plan: Plan, report: Progress) -> Learned:
    """Return the merges of a training; `report` is called before the first merge and after each.

    >>> learn(Corpus.of([[1, 2, 1, 2]], [1]), Plan(first_id=3, most=2), lambda done, total: None).rows.tolist()
    [[1, 2, 2, 2], [3, 3, 1, 1]]
    """
    rows = []
    counted: dict[reference.Pair, None] = {}
    report(0, plan.most)
    for step in reference.learn(corpus.words(), corpus.counts.tolist(), **plan._asdict(), counted=counted):
        rows.append(astuple(step))
        report(len(rows), plan.most)
    pairs = np.array(list(counted), np.int64).reshape(-1, 2) if plan.tie_break == "first-counted" else None
    return Learned(np.array(rows, np.int64).reshape(-1, 4), counted=pairs)


def replay(corpus: Corpus, learned: Learned, step: int, first_id: int) -> Corpus:
    """Return the corpus after the first `step` merges; one pass over all symbols per merge.

    >>> learned = Learned(np.array([[1, 1, 2, 1], [3, 1, 1, 1]]))
    >>> replay(Corpus.of([[1, 1, 1], [1, 2]], [1, 1]), learned, 2, 3).words()
    [[4], [1, 2]]
    """
    state = _State(corpus)
    for _ in state.merges(learned.rows[:step], first_id):
        pass
    sizes = np.bincount(state.word_ids, minlength=len(corpus.counts))
    return Corpus(state.ids, np.concatenate(([0], np.cumsum(sizes))), corpus.counts)


def joined_at(corpus: Corpus, learned: Learned, first_id: int) -> Int32s:
    """Rank of the merge that joined each symbol to the one before it, or NEVER.

    >>> learned = Learned(np.array([[1, 1, 2, 1], [3, 1, 1, 1]]))
    >>> joined_at(Corpus.of([[1, 1, 1, 2]], [1]), learned, 3).tolist()[1:3]
    [0, 1]
    """
    joined = np.full(len(corpus.ids), NEVER, np.int32)
    for rank, seconds in enumerate(_State(corpus).merges(learned.rows, first_id)):
        joined[seconds] = rank
    return joined


def pair_counts(corpus: Corpus) -> PairCounts:
    """Every adjacent pair with its count, overlaps included, in first-seen order.

    >>> pair_counts(Corpus.of([[1, 1, 1], [1, 2]], [10, 5])).count.tolist()
    [20, 5]
    """
    pairs = reference.count_pairs(corpus.words(), corpus.counts.tolist())
    left, right = np.array(list(pairs), np.int32).reshape(-1, 2).T
    return PairCounts(left, right, np.array(list(pairs.values()), np.int64))


def count_changes(corpus: Corpus, left: int, right: int, new_id: int) -> list[CountedChange]:
    """Every pair whose count changes when (left, right) merges into `new_id`, the merged pair first.

    >>> count_changes(Corpus.of([[1, 2, 3]], [5]), 1, 2, 4)[1:]
    [CountedChange(left=2, right=3, before=5, after=0), CountedChange(left=4, right=3, before=0, after=5)]
    """
    words, counts = corpus.words(), corpus.counts.tolist()
    before = reference.count_pairs(words, counts)
    after = reference.count_pairs([reference.merge(word, (left, right), new_id) for word in words], counts)
    pairs = dict.fromkeys([(left, right), *before, *after])
    changes = [CountedChange(*pair, before.get(pair, 0), after.get(pair, 0)) for pair in pairs]
    return changes[:1] + [change for change in changes[1:] if change.before != change.after]


class _State:
    """Symbols of a corpus while merges are applied."""

    def __init__(self, corpus: Corpus) -> None:
        self.ids: Int32s = corpus.ids.copy()
        self.word_ids: Int64s = corpus.word_ids
        self._at = np.arange(len(corpus.ids))  # index of the base symbol at which each remaining symbol begins

    def merges(self, rows: Int64s, first_id: int) -> Iterator[Int64s]:
        """Apply the merges in order; for each, yield the base symbols at which its right tokens begin."""
        for new_id, (left, right) in enumerate(rows[:, :2].tolist(), first_id):
            ids, words = self.ids, self.word_ids
            places = np.flatnonzero((ids[:-1] == left) & (ids[1:] == right) & (words[:-1] == words[1:]))
            if left == right:  # in a run of overlapping places, every other one is merged
                begins = np.diff(places, prepend=-2) > 1
                places = places[(places - np.maximum.accumulate(np.where(begins, places, 0))) % 2 == 0]
            seconds = self._at[places + 1]
            if len(places):
                ids[places] = new_id
                self.ids, self.word_ids = np.delete(ids, places + 1), np.delete(words, places + 1)
                self._at = np.delete(self._at, places + 1)
            yield seconds
