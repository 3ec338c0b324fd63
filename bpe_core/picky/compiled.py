"""Events of a PickyBPE training by the compiled loop of `kernels/picky_loop.py`: those of `reference.learn`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.kernels import merge_loop, picky_loop
from bpe_core.kernels.backend import use_compiled_later
from bpe_core.picky.events import EventTable
from bpe_core.picky.plain import PlainLearner

_TIE_BREAKS = {
    "first-seen": merge_loop.FIRST_SEEN,
    "lowest-ids": merge_loop.LOWEST_IDS,
    "first-counted": merge_loop.FIRST_COUNTED,
}

SLICE = 256
"""Events that the loop makes at a time, in a few milliseconds."""

_SMALL = 300_000
"""Symbols of the distinct words times merges that plain Python handles in about a second."""

_LARGE_COUNT = 1 << 53
"""Tokens of a corpus from which the scores of the loop would be rounded."""


def learner_for(corpus: Corpus, plan: Plan, *, most_changes: int) -> PlainLearner | CompiledLearner:
    """Return the learner for a corpus: compiled, or in plain Python for small ones until the loop is ready.

    >>> corpus = Corpus.of([[0, 1, 2]], [1 << 53])
    >>> type(learner_for(corpus, Plan(first_id=3, most=1), most_changes=10)).__name__
    'PlainLearner'
    """
    if corpus.token_count < _LARGE_COUNT and use_compiled_later(len(corpus.ids) * plan.most, _SMALL):
        return CompiledLearner(corpus, plan, most_changes=most_changes)
    return PlainLearner(corpus, plan)


class CompiledLearner:
    """PickyBPE training with the attributes and results of `PlainLearner`; `counted` only if ties need it.

    It stops where `changes` becomes longer than `most_changes` numbers.

    >>> learner = CompiledLearner(Corpus.of([[0, 1, 2], [0, 1, 3]], [5, 1]), Plan(first_id=4, most=1))
    >>> list(learner.run(threshold=0.9, into="parts")), learner.table.event(0).replaced, learner.edges.tolist()
    ([1], 6, [8])
    >>> learner.changes.in_symbols().tolist()
    [[0, 4], [1, -1], [3, 4], [4, -1]]
    >>> [column.tolist() for column in learner.spelled], learner.size, learner.has_pairs, learner.counted.tolist()
    ([[0, 1], [0, 2]], 1, True, [])
    """

    def __init__(self, corpus: Corpus, plan: Plan, *, most_changes: int = 1 << 62) -> None:
        self._most_changes = most_changes
        self._has_order = plan.tie_break == "first-counted"
        self._loop = picky_loop.PickyLoop(
            corpus.ids,
            corpus.offsets,
            corpus.counts,
            first_new_id=plan.first_id,
            most=plan.most,
            tie_break=_TIE_BREAKS[plan.tie_break],
            min_count=plan.min_count,
        )

    @property
    def size(self) -> int:
        """Number of tokens in the vocabulary, without the base symbols."""
        return self._loop.size

    @property
    def has_pairs(self) -> bool:
        """Whether two tokens are side by side in any word."""
        return self._loop.has_pairs

    @property
    def table(self) -> EventTable:
        """The events so far."""
        return EventTable(self._loop.events[:, :-1].copy(), self._loop.pieces.copy())

    @property
    def edges(self) -> Int64s:
        """int64[events]: numbers in `changes` after each event."""
        return self._loop.events[:, -1].copy()

    @property
    def changes(self) -> picky_loop.CellChanges:
        """Place and token of every change in order."""
        return self._loop.changes

    @property
    def counted(self) -> Int64s:
        """int64[pairs, 2]: every pair that was ever counted, in that order; empty unless ties need it."""
        return self._loop.counted() if self._has_order else np.empty((0, 2), np.int64)

    @property
    def spelled(self) -> tuple[Int32s, Int64s]:
        """Base symbols of the tokens that were made, and the offsets of each."""
        return self._loop.spelled()

    def run(self, threshold: float, into: str) -> Iterator[int]:
        """Make the events, and yield their number now and then; arguments as of `reference.learn`."""
        while self._loop.run(SLICE, threshold=threshold, into_base=into == "base", most_changes=self._most_changes):
            yield len(self._loop.events)
