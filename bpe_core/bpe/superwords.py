"""Merges of whole words: BoundlessBPE's loop over runs of words, interleaved with the merges inside words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.bpe.corpus import NEVER, Corpus, Plan, Progress
from bpe_core.bpe.engine import engine_for, engine_of
from bpe_core.text.run_counts import RunWords

Pair = tuple[int, int]


class InsideMerges(NamedTuple):
    """Merges inside words, in order, which merges of whole words never change.

    rows      int64[merges, 4]: as in `Learned`, with the ids of a training without merges of words
    whole_at  int64[words]: rank of the merge that makes each distinct word one token; -1 if it is one from the start,
              NEVER if no merge does or if the word has no letter
    symbols   int32[words]: id of the word's first base symbol
    counts    int64[words]: occurrences of each word
    first_id  id that the first merge makes

    >>> InsideMerges._fields
    ('rows', 'whole_at', 'symbols', 'counts', 'first_id')
    """

    rows: Int64s
    whole_at: Int64s
    symbols: Int32s
    counts: Int64s
    first_id: int


@dataclass(frozen=True, eq=False)
class Superwords:
    """Merges of both kinds in one order.

    rows     int64[merges, 4]: as in `Learned`
    crosses  bool[merges]: whether the merge joins whole words
    inside   int64[inside merges + 1]: the rank here of each merge inside words that is used; NEVER for the others
    first_counted  order in which the pairs of whole words were first counted
    full     whether the vocabulary is full
    find_joined    function that computes `joined`

    >>> none = np.empty(0, np.int32)
    >>> Superwords(np.empty((0, 4), np.int64), none > 0, np.array([NEVER]), {}, True, lambda: none).joined.tolist()
    []
    """

    rows: Int64s
    crosses: Bools
    inside: Int64s
    first_counted: dict[Pair, int]
    full: bool
    find_joined: Callable[[], Int32s]

    @cached_property
    def joined(self) -> Int32s:
        """int32[words of runs]: rank of the merge that joined each word to the one before it, or NEVER."""
        return self.find_joined()


def learn_superwords(
    runs: RunWords,
    inside: InsideMerges,
    *,
    most: int,
    tie_break: str,
    min_count: int,
    forced: Sequence[tuple[Pair, bool]] = (),
    report: Progress,
) -> Superwords:
    """Interleave the merges inside words with merges of whole words: the larger count is next.

    In a tie, a merge inside words comes first; among pairs of words, the tie rule decides. `forced`: the first merges,
    each with whether it joins whole words; those inside words are the first of `inside`.

    >>> runs = RunWords(np.zeros(4, np.int32), np.array([0, 4]), np.array([1]))
    >>> inside = InsideMerges(np.empty((0, 4), np.int64), np.array([-1]), np.array([7], np.int32), np.array([4]), 10)
    >>> made = learn_superwords(
    ...     runs, inside, most=2, tie_break="first-seen", min_count=1, report=lambda done, total: None
    ... )
    >>> made.rows.tolist(), made.joined.tolist()[1:4:2]
    ([[7, 7, 3, 2], [10, 10, 1, 1]], [0, 0])
    """
    if tie_break == "first-seen" and not forced:
        return _learned_apart(runs, inside, most, min_count, report)
    loop = _Loop(runs, inside, tie_break)
    rows: list[tuple[int, int, int, int]] = []
    crosses: list[bool] = []
    ranks: list[int] = []
    ids = np.arange(inside.first_id + len(inside.rows))  # of the tokens that merges inside words make
    given = inside.rows.tolist()
    report(0, most)
    while len(rows) < most:
        new, here = inside.first_id + len(rows), len(ranks)
        following = given[here] if here < len(given) else None
        best = loop.best()
        if len(rows) < len(forced):
            pair, joins = forced[len(rows)]
        else:
            joins = best is not None and best[1] >= min_count and (following is None or best[1] > following[2])
            pair = best[0] if best is not None else (-1, -1)
        if joins:
            count = loop.count(pair)
            rows.append((*pair, count, loop.join(pair, new, len(rows))))
        elif following is not None:
            left, right, count, replaced = following
            rows.append((int(ids[left]), int(ids[right]), count, replaced))
            ids[inside.first_id + here] = new
            ranks.append(len(rows) - 1)
            loop.unlock(here, new)
        else:
            break
        crosses.append(joins)
        report(len(rows), most)
    used = np.full(len(given) + 1, NEVER, np.int64)
    used[: len(ranks)] = ranks
    joined = loop.joined
    return Superwords(
        np.array(rows, np.int64).reshape(-1, 4),
        np.array(crosses, np.bool_),
        used,
        loop.first_counted,
        len(rows) == most,
        lambda: joined,
    )


def _learned_apart(runs: RunWords, inside: InsideMerges, most: int, min_count: int, report: Progress) -> Superwords:
    """The same result from one training on words as symbols, all of them whole from the start.

    A word that is not whole yet occurs at most as often as the merge that will make it whole, which comes before any
    pair with that word. Only the ids of other tie rules depend on when a word became whole.
    """
    words, given = len(inside.symbols), inside.rows[:, 2]
    # A pair of words that occurs no more often than the last merge inside words comes after all merges inside words.
    least = min_count if len(given) < most or not most else max(min_count, int(given[-1]) + 1)
    able = ((inside.whole_at != NEVER) & (inside.counts >= least))[runs.words]  # rarer words have no such pair
    joined = np.zeros(len(able) + 1, np.bool_)
    joined[1:-1] = able[1:] & able[:-1]
    joined[runs.offsets] = False
    whole = np.flatnonzero(joined[1:] | joined[:-1])
    offsets = np.append(np.flatnonzero(~joined[whole]), len(whole))
    weights = np.repeat(runs.counts, np.diff(runs.offsets))[whole[offsets[:-1]]]
    corpus = Corpus(runs.words[whole], offsets, weights)
    plan = Plan(words, most, "first-seen", least)
    across = engine_for(len(whole) * most).learn(corpus, plan, lambda done, _total: report(0, most))
    # The counts of both never rise, so that the larger count first is a merge of two sorted lists.
    order = np.argsort(-np.concatenate((given, across.rows[:, 2])), kind="stable")[:most]
    crosses, made = order >= len(given), len(order)
    here = int(crosses.sum())
    at = made - here
    rows = np.empty((made, 4), np.int64)
    ranks = np.flatnonzero(~crosses), np.flatnonzero(crosses)
    used = np.full(len(given) + 1, NEVER, np.int64)
    used[:at] = ranks[0]
    ids = np.append(np.arange(inside.first_id), inside.first_id + ranks[0])
    later = used[np.clip(inside.whole_at, 0, len(given))] + inside.first_id
    of_words = np.append(np.where(inside.whole_at < 0, inside.symbols, later), inside.first_id + ranks[1])
    for kind, known, taken in ((0, ids, inside.rows[:at]), (1, of_words, across.rows[:here])):
        rows[ranks[kind]] = np.column_stack((known[taken[:, 0]], known[taken[:, 1]], taken[:, 2:]))

    def find_joined() -> Int32s:
        found = np.full(len(runs.words), NEVER, np.int32)
        applied = engine_of(across).joined_at(corpus, across, words)
        found[whole] = np.append(ranks[1], NEVER)[np.minimum(applied, here)]
        return found

    report(made, most)
    return Superwords(rows, crosses, used, {}, made == most, find_joined)


class _Loop:
    """Runs as sequences of words; neighbours that are single tokens may merge."""

    def __init__(self, runs: RunWords, inside: InsideMerges, tie_break: str) -> None:
        count = len(runs.words)
        self.joined = np.full(count, NEVER, np.int32)
        self.first_counted: dict[Pair, int] = {}
        self._tie_break = tie_break
        whole_at = inside.whole_at[runs.words]
        self._token: list[int] = np.where(whole_at < 0, inside.symbols[runs.words], -1).tolist()
        self._weight: list[int] = np.repeat(runs.counts, np.diff(runs.offsets)).tolist()
        self._before = list(range(-1, count - 1))
        self._after = list(range(1, count + 1))
        for start in runs.offsets[:-1].tolist():
            if start < count:
                self._before[start] = -1
        for end in runs.offsets[1:].tolist():
            if end:
                self._after[end - 1] = -1
        later = np.flatnonzero((whole_at >= 0) & (whole_at != NEVER))
        order = later[np.argsort(whole_at[later], kind="stable")]
        edges = np.searchsorted(whole_at[order], np.arange(len(inside.rows) + 1))
        self._unlocked = order, edges.tolist()
        self._counts: dict[Pair, int] = {}
        self._places: dict[Pair, list[int]] = {}
        self._heap: list[tuple[int, tuple[int, ...], Pair]] = []
        self._changed: set[Pair] = set()
        for at in range(count):
            self._count(at, self._after[at])
        self._settle()

    def count(self, pair: Pair) -> int:
        return self._counts.get(pair, 0)

    def best(self) -> tuple[Pair, int] | None:
        """The pair of the largest count, by the tie rule, and its count."""
        while self._heap:
            negative, key, pair = self._heap[0]
            if self._counts.get(pair, 0) == -negative and self._key(pair) == key:
                return pair, -negative
            heappop(self._heap)
        return None

    def unlock(self, rank: int, new: int) -> None:
        """Allow words to merge that a merge inside words has turned into single tokens."""
        order, edges = self._unlocked
        places = order[edges[rank] : edges[rank + 1]].tolist()
        for at in places:
            self._token[at] = new
        self._count_new(places, new)

    def join(self, pair: Pair, new: int, rank: int) -> int:
        """Make every occurrence of a pair one word; return how many there were."""
        places = sorted({at for at in self._places.get(pair, ()) if self._is(at, pair)})
        merged = []
        for at in places:
            if not self._is(at, pair):  # overlaps the occurrence before it, which was joined
                continue
            following = self._after[at]
            before, beyond = self._before[at], self._after[following]
            if before >= 0 and self._token[before] != new:
                self._count(before, at, -1)
            self._count(at, following, -1)
            self._count(following, beyond, -1)
            self._token[at], self._token[following] = new, -1
            self._after[at] = beyond
            if beyond >= 0:
                self._before[beyond] = at
            self.joined[following] = rank
            merged.append(at)
        self._count_new(merged, new)
        return sum(self._weight[at] for at in merged)

    def _count_new(self, places: Sequence[int], new: int) -> None:
        """Count the pairs of words that have just become the token `new`."""
        for at in places:
            before = self._before[at]
            if before >= 0 and self._token[before] != new:  # otherwise counted from that word
                self._count(before, at)
            self._count(at, self._after[at])
        self._settle()

    def _is(self, at: int, pair: Pair) -> bool:
        following = self._after[at]
        return self._token[at] == pair[0] and following >= 0 and self._token[following] == pair[1]

    def _count(self, left: int, right: int, sign: int = 1) -> None:
        """Count the pair of two neighbours, if both are words of one token."""
        if left < 0 or right < 0 or self._token[left] < 0 or self._token[right] < 0:
            return
        pair = self._token[left], self._token[right]
        self._counts[pair] = self._counts.get(pair, 0) + sign * self._weight[left]
        self._changed.add(pair)
        if sign > 0:
            self.first_counted.setdefault(pair, len(self.first_counted))
            heappush(self._places.setdefault(pair, []), left)

    def _settle(self) -> None:
        """Enter the pairs whose count has changed into the heap."""
        for pair in self._changed:
            count = self._counts[pair]
            if count:
                heappush(self._heap, (-count, self._key(pair), pair))
            else:
                del self._counts[pair]
                self._places.pop(pair, None)
        self._changed.clear()

    def _key(self, pair: Pair) -> tuple[int, ...]:
        """Tie key of a pair: the smallest wins."""
        if self._tie_break == "lowest-ids":
            return pair
        if self._tie_break == "first-counted":
            return (self.first_counted[pair],)
        places = self._places[pair]
        while places and not self._is(places[0], pair):
            heappop(places)
        return (places[0],)
