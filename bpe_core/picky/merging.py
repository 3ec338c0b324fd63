"""Events of a PickyBPE training with incremental counts: those of `reference.learn`, as fast as plain Python allows."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.picky.events import EventTable, PickyEvent, PickyMerge, Removal
from bpe_core.picky.reference import taken_apart

NOT_CREATED = np.iinfo(np.int64).max
"""Place in the order of pairs of one that is not in it yet."""


class Learner:
    """Symbols of all words as a linked list, with the places and counts of tokens and of pairs.

    A place is the index of a base symbol; a token is at the place of its first one. Places do not move, so the first
    occurrence of a pair is its lowest place.

    changes  int32: place and token of every change in order, -1 where a token has become a part of another
    edges    length of `changes` after each event
    counted  every pair that was ever counted, in that order

    >>> learner = Learner(Corpus.of([[0, 1, 2], [0, 1, 3]], [5, 1]), Plan(first_id=4, most=1))
    >>> next(learner.events(threshold=0.9, into="parts")).replaced, learner.changes.tolist(), learner.edges
    (6, [0, 4, 1, -1, 3, 4, 4, -1], [8])
    >>> learner.counted[:2], learner.symbols(4), learner.size, learner.has_pairs
    ([(0, 1), (1, 2)], (0, 1), 0, True)
    >>> learner = Learner(Corpus.of([[0, 1]], [5]), Plan(first_id=2, most=1))
    >>> list(learner.run(0.9, "parts")), learner.table.event(0).token_id, learner.spelled[0].tolist()
    ([1], 2, [0, 1])
    """

    def __init__(self, corpus: Corpus, plan: Plan) -> None:
        self.changes = array("i")
        self.edges: list[int] = []
        self.counted: list[tuple[int, int]] = []
        self._events: list[PickyEvent] = []
        self._plan = plan
        self._at: list[int] = corpus.ids.tolist()
        words = corpus.word_ids
        self._weight: list[int] = corpus.counts[words].tolist()
        after, before = np.arange(1, len(words) + 1), np.arange(-1, len(words) - 1)
        last = np.append(words[1:] != words[:-1], True) if len(words) else np.zeros(0, bool)
        after[last] = -1
        before[1:][last[:-1]] = -1
        self._next: list[int] = after.tolist()
        self._previous: list[int] = before.tolist()
        self._counts: dict[int, int] = {}  # of tokens
        self._places: dict[int, set[int]] = {}  # of tokens, without the base symbols
        self._spelled: dict[tuple[int, ...], int] = {}
        self._symbols: dict[int, tuple[int, ...]] = {}
        self._parts: dict[int, tuple[int, int]] = {}
        self._there: set[int] = set()
        self._pairs: dict[tuple[int, int], int] = {}  # index of each pair
        self._pair_places: list[set[int]] = []
        self._left, self._right, self._pair_counts, self._first, self._created_at = (
            np.zeros(1024, np.int64) for _ in "12345"
        )
        self._touched: set[int] = set()
        for place, token in enumerate(self._at):
            self._counts[token] = self._counts.get(token, 0) + self._weight[place]
            if self._next[place] >= 0:
                self._add_pair(place)
        self._settle()

    @property
    def size(self) -> int:
        """Number of tokens in the vocabulary, without the base symbols."""
        return len(self._there)

    @property
    def has_pairs(self) -> bool:
        """Whether two tokens are side by side in any word."""
        return self._best() is not None

    def symbols(self, token: int) -> tuple[int, ...]:
        """Base symbols of a token."""
        return self._symbols.get(token, (token,))

    @property
    def spelled(self) -> tuple[Int32s, Int64s]:
        """Base symbols of the tokens that were made, and the offsets of each."""
        flat = [symbol for symbols in self._spelled for symbol in symbols]
        return np.array(flat, np.int32), np.cumsum([0, *map(len, self._spelled)])

    @property
    def table(self) -> EventTable:
        """The events that `run` has made."""
        return EventTable.of(self._events)

    def run(self, threshold: float, into: str) -> Iterator[int]:
        """Make the events, and yield their number after each; arguments as of `reference.learn`."""
        for event in self.events(threshold, into):
            self._events.append(event)
            yield len(self._events)

    def events(self, threshold: float, into: str) -> Iterator[PickyEvent]:
        """Yield the events; arguments as of `reference.learn`."""
        while len(self._there) < self._plan.most and (best := self._best()) is not None:
            pair = int(self._left[best]), int(self._right[best])
            count = int(self._pair_counts[best])
            if count < self._plan.min_count:
                return
            before = {token: self._counts[token] for token in pair}
            symbols = tuple(symbol for token in pair for symbol in self.symbols(token))
            made = self._spelled.setdefault(symbols, self._plan.first_id + len(self._spelled))
            self._symbols[made] = symbols
            self._parts.setdefault(made, pair)
            replaced = self._merge(pair, made)
            self.edges.append(len(self.changes))
            yield PickyMerge(*pair, made, count, replaced, before[pair[0]], before[pair[1]], made not in self._there)
            self._there.add(made)
            for token in dict.fromkeys(pair):
                if token in self._parts and replaced / before[token] >= threshold:
                    self._there.discard(token)
                    pieces = self.symbols(token) if into == "base" else taken_apart(token, self._parts, self._there)
                    remaining = self._counts[token]
                    self._split(token, pieces)
                    self.edges.append(len(self.changes))
                    yield Removal(token, pieces, made, replaced, before[token], remaining)
            self._settle()

    def _best(self) -> int | None:
        """Index of the pair that merges next; None if no pair is left."""
        size = len(self._pair_places)
        counts = self._pair_counts[:size]
        most = counts.max(initial=0)
        if not most:
            return None
        tied = np.flatnonzero(counts == most)
        if self._plan.tie_break == "lowest-ids":
            return int(tied[np.lexsort((self._right[tied], self._left[tied]))[0]])
        order = self._created_at if self._plan.tie_break == "first-counted" else self._first
        return int(tied[np.argmin(order[tied])])

    def _merge(self, pair: tuple[int, int], made: int) -> int:
        """Replace a pair everywhere, left to right, without overlap; return the number of occurrences replaced."""
        left, right = pair
        at, after = self._at, self._next
        replaced = 0
        places = self._places.setdefault(made, set())
        for place in sorted(self._pair_places[self._pairs[pair]]):
            second = after[place]
            if at[place] != left or second < 0 or at[second] != right:
                continue  # overlapped the previous occurrence
            self._unlink(place, second)
            third = after[second]
            at[place], at[second], after[place] = made, -1, third
            if third >= 0:
                self._previous[third] = place
            self.changes.extend((place, made, second, -1))
            self._move(left, place, None)
            self._move(right, second, None)
            places.add(place)
            replaced += self._weight[place]
            self._link(place, place)
        self._counts[made] = self._counts.get(made, 0) + replaced
        self._counts[left] -= replaced
        self._counts[right] -= replaced
        return replaced

    def _split(self, token: int, pieces: tuple[int, ...]) -> None:
        """Replace a token by its pieces everywhere."""
        widths = [len(self.symbols(piece)) for piece in pieces]
        for place in sorted(self._places[token]):
            self._unlink(place, place)
            end, start = self._next[place], place
            starts = []
            for piece, width in zip(pieces, widths, strict=True):
                starts.append(start)
                self._at[start] = piece
                self.changes.extend((start, piece))
                self._move(piece, None, start)
                self._counts[piece] = self._counts.get(piece, 0) + self._weight[place]
                start += width
            for one, two in zip(starts, [*starts[1:], end], strict=True):
                self._next[one] = two
                if two >= 0:
                    self._previous[two] = one
            self._link(place, starts[-1])
        self._places[token] = set()
        self._counts[token] = 0

    def _move(self, token: int, old: int | None, new: int | None) -> None:
        """Update the places of a token; those of base symbols are not kept."""
        if token in self._places:
            if old is not None:
                self._places[token].discard(old)
            if new is not None:
                self._places[token].add(new)

    def _unlink(self, first: int, last: int) -> None:
        """Remove the pairs from the one that ends at the token `first` to the one that begins at `last`."""
        place = first if self._previous[first] < 0 else self._previous[first]
        while True:
            if self._next[place] >= 0:
                pair = self._pairs[self._at[place], self._at[self._next[place]]]
                self._pair_counts[pair] -= self._weight[place]
                self._pair_places[pair].discard(place)
                self._touched.add(pair)
            if place == last:
                return
            place = self._next[place]

    def _link(self, first: int, last: int) -> None:
        """Add the pairs of the same range."""
        place = first if self._previous[first] < 0 else self._previous[first]
        while True:
            if self._next[place] >= 0:
                self._add_pair(place)
            if place == last:
                return
            place = self._next[place]

    def _add_pair(self, place: int) -> None:
        key = self._at[place], self._at[self._next[place]]
        pair = self._pairs.get(key)
        if pair is None:
            pair = self._pairs[key] = len(self._pair_places)
            self._pair_places.append(set())
            if pair == len(self._left):
                self._grow()
            self._left[pair], self._right[pair] = key
            self._created_at[pair] = NOT_CREATED
        self._pair_counts[pair] += self._weight[place]
        self._pair_places[pair].add(place)
        self._touched.add(pair)

    def _settle(self) -> None:
        """Update the first places of all pairs that have changed, and the order in which pairs were counted."""
        created = []
        for pair in self._touched:
            if self._pair_counts[pair]:
                self._first[pair] = min(self._pair_places[pair])
                if self._created_at[pair] == NOT_CREATED:
                    created.append(pair)
        for pair in sorted(created, key=self._first.__getitem__):
            self._created_at[pair] = len(self.counted)
            self.counted.append((int(self._left[pair]), int(self._right[pair])))
        self._touched.clear()

    def _grow(self) -> None:
        """Double the capacity for pairs."""

        def doubled(array: Int64s) -> Int64s:
            return np.concatenate((array, np.zeros_like(array)))

        self._left, self._right = doubled(self._left), doubled(self._right)
        self._pair_counts, self._first, self._created_at = map(
            doubled, (self._pair_counts, self._first, self._created_at)
        )
