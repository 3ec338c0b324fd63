"""PickyBPE training in plain Python: follows `reference.py` and needs no compiled kernels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.bpe.reference import Pair, merge
from bpe_core.picky.events import EventTable, PickyEvent, PickyMerge
from bpe_core.picky.reference import learn, split


class PlainLearner:
    """The words of a corpus, and what each event changes in them.

    A place is the index of a base symbol; a token is at the place of its first one.

    edges  numbers in `changes` after each event

    >>> learner = PlainLearner(Corpus.of([[0, 1, 2], [0, 1, 3]], [5, 1]), Plan(first_id=4, most=1))
    >>> list(learner.run(0.9, "parts")), learner.table.event(0).replaced, learner.edges
    ([1], 6, [8])
    >>> learner.changes.tolist(), [column.tolist() for column in learner.spelled]
    ([[0, 4], [1, -1], [3, 4], [4, -1]], [[0, 1], [0, 2]])
    >>> learner.size, learner.has_pairs, learner.counted.tolist()
    (1, True, [])
    """

    def __init__(self, corpus: Corpus, plan: Plan) -> None:
        self.edges: list[int] = []
        self._changes: list[Int32s] = [np.empty((0, 2), np.int32)]
        self._plan = plan
        self._counts: list[int] = corpus.counts.tolist()
        self._words = corpus.words()
        self._at = corpus.ids.copy()
        self._symbols: dict[int, list[int]] = {token: [token] for token in range(plan.first_id)}
        self._counted: dict[Pair, None] = {}
        self._events: list[PickyEvent] = []

    @property
    def changes(self) -> Int32s:
        """int32[changes, 2]: place and token of every change in order, -1 where a token is a part of another now."""
        return np.concatenate(self._changes)

    @property
    def size(self) -> int:
        """Number of tokens in the vocabulary, without the base symbols."""
        return int(self.table.growth.sum())

    @property
    def has_pairs(self) -> bool:
        """Whether two tokens are side by side in any word."""
        return any(len(word) > 1 for word in self._words)

    @property
    def table(self) -> EventTable:
        """The events so far."""
        return EventTable.of(self._events)

    @property
    def counted(self) -> Int64s:
        """int64[pairs, 2]: every pair that was ever counted, in that order; empty unless ties need it."""
        return np.array(list(self._counted), np.int64).reshape(-1, 2)

    @property
    def spelled(self) -> tuple[Int32s, Int64s]:
        """Base symbols of the tokens that were made, and the offsets of each."""
        made = list(self._symbols.values())[self._plan.first_id :]
        return np.array([symbol for each in made for symbol in each], np.int32), np.cumsum([0, *map(len, made)])

    def run(self, threshold: float, into: str) -> Iterator[int]:
        """Make the events, and yield their number after each; arguments as of `reference.learn`."""
        first_id, most, tie_break, min_count, _ = self._plan
        for event in learn(
            self._words,
            self._counts,
            first_id=first_id,
            most=most,
            threshold=threshold,
            into=into,
            tie_break=tie_break,
            min_count=min_count,
            counted=self._counted,
        ):
            self._events.append(event)
            self._apply(event)
            yield len(self._events)

    def _apply(self, event: PickyEvent) -> None:
        if isinstance(event, PickyMerge):
            pair = event.left, event.right
            self._symbols.setdefault(event.token_id, self._symbols[event.left] + self._symbols[event.right])
            self._words = [merge(word, pair, event.token_id) for word in self._words]
        else:
            self._words = [split(word, event.token_id, event.pieces) for word in self._words]
        tokens = [token for word in self._words for token in word]
        after = np.full_like(self._at, -1)
        after[np.cumsum([0, *(len(self._symbols[token]) for token in tokens)])[:-1]] = tokens
        places = np.flatnonzero(after != self._at).astype(np.int32)
        self._changes.append(np.column_stack((places, after[places])))
        self.edges.append(2 * len(places) + sum(self.edges[-1:]))
        self._at = after
