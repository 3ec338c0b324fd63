"""Events of a PickyBPE training: merges, and removals of tokens that merges have left almost unused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.kernels.picky_loop import MERGE, NEW_MERGE, REMOVAL, CellChanges


@dataclass(frozen=True, slots=True)
class PickyMerge:
    """A merge: every `left` + `right` became `token_id`.

    count                    count of the pair when it was chosen, overlaps included
    replaced                 occurrences that were replaced: `count`, or fewer if `left` is `right`
    left_count, right_count  occurrences of the two tokens before the merge
    is_new                   whether it adds a token to the vocabulary; False if it was already there by another pair

    >>> from bpe_core import TrainConfig, train_picky
    >>> train_picky("low low lower", TrainConfig(unit="char", split="words", vocab_size=8)).events[0]
    PickyMerge(left=2, right=3, token_id=6, count=3, replaced=3, left_count=3, right_count=3, is_new=True)
    """

    left: int
    right: int
    token_id: int
    count: int
    replaced: int
    left_count: int
    right_count: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Removal:
    """A removal: `token_id` left the vocabulary, and its remaining occurrences were split into `pieces`.

    made       token of the merge that has used it up
    used       occurrences of the token that the merge replaced
    count      its occurrences before the merge
    remaining  its occurrences that were split

    >>> from bpe_core import TrainConfig, train_picky
    >>> event = train_picky("low low lower", TrainConfig(unit="char", split="words", vocab_size=8)).events[2]
    >>> event, event.score
    (Removal(token_id=6, pieces=(2, 3), made=7, used=3, count=3, remaining=0), 1.0)
    """

    token_id: int
    pieces: tuple[int, ...]
    made: int
    used: int
    count: int
    remaining: int

    @property
    def score(self) -> float:
        """Intersection over self, 0.0 … 1.0: the share of the token's occurrences that the merge replaced."""
        return self.used / self.count


PickyEvent: TypeAlias = PickyMerge | Removal


class EventTable(NamedTuple):
    """Events as numbers; objects are created on access.

    rows    int64[events, 8]: kind and fields, as in `kernels.picky_loop.PickyLoop.events`
    pieces  int32: pieces of all removals, one after another

    >>> events = [PickyMerge(0, 1, 2, 5, 5, 5, 5, True), Removal(2, (0, 1), 3, 5, 5, 0)]
    >>> table = EventTable.of(events)
    >>> [table.event(number) for number in (0, 1)] == events, table.token_ids.tolist(), table.growth.tolist()
    (True, [2, 2], [1, -1])
    """

    rows: Int64s
    pieces: Int32s

    @classmethod
    def of(cls, events: Sequence[PickyEvent]) -> EventTable:
        """Make a table of events."""
        rows: list[tuple[int, ...]] = []
        pieces: list[int] = []
        for event in events:
            if isinstance(event, Removal):
                begin = len(pieces)
                pieces += event.pieces
                fields = event.token_id, event.made, event.used, event.count, event.remaining, begin, len(pieces)
                rows.append((REMOVAL, *fields))
            else:
                parts = event.left, event.right, event.token_id, event.count, event.replaced
                rows.append((NEW_MERGE if event.is_new else MERGE, *parts, event.left_count, event.right_count))
        return cls(np.array(rows, np.int64).reshape(-1, 8), np.array(pieces, np.int32))

    def event(self, number: int) -> PickyEvent:
        """Event of a number from 0."""
        kind, one, two, three, four, five, six, seven = self.rows[number].tolist()
        if kind == REMOVAL:
            pieces = tuple(self.pieces[six:seven].tolist())
            return Removal(one, pieces, made=two, used=three, count=four, remaining=five)
        return PickyMerge(one, two, three, four, five, six, seven, kind == NEW_MERGE)

    @property
    def token_ids(self) -> Int64s:
        """int64[events]: the token that each event makes or removes."""
        return np.where(self.rows[:, 0] == REMOVAL, self.rows[:, 1], self.rows[:, 3])

    @property
    def growth(self) -> Int64s:
        """int64[events]: tokens that each event adds to the vocabulary: 1, 0 or -1."""
        growth: Int64s = (self.rows[:, 0] == NEW_MERGE).astype(np.int64) - (self.rows[:, 0] == REMOVAL)
        return growth


class LearnedEvents(NamedTuple):
    """Events of a training, and what they changed.

    table      the events
    edges      number of changes before each event, then of all events
    changes    place and token of every change in order, -1 where a token has become part of another: int32[changes, 2],
               or those of the compiled loop
    counted    int64[pairs, 2]: every pair that was ever counted, in that order; empty unless ties need it
    spelled    base symbols of the tokens that were made, and the offsets of each
    has_pairs  whether two tokens are side by side in any word at the end

    >>> table, none = EventTable.of([PickyMerge(0, 1, 2, 5, 5, 5, 5, True)]), np.empty((0, 2), np.int32)
    >>> LearnedEvents(table, [0, 0], none, none, (none, none), False).size
    1
    """

    table: EventTable
    edges: Sequence[int] | Int64s
    changes: Int32s | CellChanges
    counted: Int64s
    spelled: tuple[Int32s, Int64s]
    has_pairs: bool

    @property
    def size(self) -> int:
        """Number of tokens in the vocabulary, without the base symbols."""
        return int(self.table.growth.sum())
