"""Merge loop of BPE training, compiled: time linear in the symbols of the distinct words.

The layout is that of Re-Pair (Larsson & Moffat, "Offline dictionary-based compression", 1999): every pair has a list of
its places, so that a merge touches only what it changes. Four facts keep it exact and fast:

- All places of a pair come from the merge that creates the newer of its two tokens; later merges only remove some.
  So as soon as a pair exists, all its places are known, in text order; its count can only fall and its first place
  only move right. A heap whose entries are checked again when they reach the top therefore chooses exactly.
- For the same reason, pairs whose initial count is below a floor can be omitted while better ones are left. When none
  is left, the floor is lowered and the pairs are collected again from the symbols.
- A pair of the newest token begins to exist with its token, so the merge and the first place then are its tie key under
  FIRST_COUNTED. Places that are collected later have moved, so that this rule keeps all pairs from the start.
- A merge changes only pairs around its places. Their counts are summed in an array over the vocabulary, so the hash
  table is queried once per distinct neighbour, not once per place.

The symbols are in one array of cells, with a separator between words. A merge writes the new id into the first cell of
the token; its other cells are dead: the second, the last, and every former start hold the negative length of the
token, which is enough to step to the next token or to the previous one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.kernels.backend import Number, njit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


FIRST_SEEN, LOWEST_IDS, FIRST_COUNTED = 0, 1, 2
"""Tie rules: among pairs of equal count, the one that occurs first, the one with the smallest (left id, right id), or
the one that occurred before the others in any state of the words.
"""

RUNNING, VOCABULARY_FULL, NO_PAIRS_LEFT, BELOW_MIN_COUNT = 0, 1, 2, 3
"""Stop reasons of a MergeLoop; RUNNING if it has not stopped."""


class Words(NamedTuple):
    """Words as concatenated symbols: word w is symbols[offsets[w]:offsets[w + 1]].

    symbols  int32[n]
    offsets  int64[words + 1]

    >>> words = Words(np.array([7, 8, 9], np.int32), np.array([0, 1, 3]))
    >>> words.symbols[words.offsets[1] : words.offsets[2]].tolist()
    [8, 9]
    """

    symbols: Int32s
    offsets: Int64s


class SortedPairCounts(NamedTuple):
    """Every adjacent pair of some words, as parallel arrays, sorted by left id.

    lefts, rights  int32: ids of the pair
    counts         int64: its count in the corpus, overlaps included
    firsts         int64: its first occurrence, as an index into the symbols

    >>> pair_counts(Words(np.array([7, 8, 9], np.int32), np.array([0, 3])), [2]).counts.tolist()
    [2, 2]
    """

    lefts: Int32s
    rights: Int32s
    counts: Int64s
    firsts: Int64s


class CountChanges(NamedTuple):
    """Pairs whose count a merge changes, as parallel arrays; the merged pair comes first.

    lefts, rights   int32: ids of the pair
    befores, afters int64: its count before and after the merge

    >>> changes = count_changes(Words(np.array([7, 8, 9], np.int32), np.array([0, 3])), [2], 7, 8, 10)
    >>> changes.befores.tolist(), changes.afters.tolist()
    ([2, 2, 0], [0, 0, 2])
    """

    lefts: Int32s
    rights: Int32s
    befores: Int64s
    afters: Int64s


class MergeLoop:
    """BPE training in resumable runs.

    symbols, offsets  the distinct words, see `Words`; every id is below `first_new_id`
    counts            int64[words]: count of each word in the corpus, at least 1
    first_new_id      merge m makes the id `first_new_id` + m
    max_merges        limit on the number of merges
    tie_break         FIRST_SEEN, LOWEST_IDS or FIRST_COUNTED
    min_count         pairs that occur fewer times are not merged, unless forced
    forced            (left, right) pairs to merge first, whatever their counts; they may use the ids that earlier
                      forced pairs make
    languages         number of languages, for `fair_loop`: symbols are tagged with one, and each has its own ids

    `stop_reason` is RUNNING until the training ends.

    >>> word = np.frombuffer(b"aaabdaaabac", np.uint8)
    >>> loop = MergeLoop(word, [0, 11], [1], first_new_id=256, max_merges=3)
    >>> loop.run(2), loop.stop_reason == RUNNING, loop.run(9), loop.stop_reason == VOCABULARY_FULL
    (2, True, 1, True)
    >>> loop.pairs.tolist(), loop.counts.tolist(), loop.replaced.tolist()
    ([[97, 97], [256, 97], [257, 98]], [4, 2, 2], [2, 2, 2])
    >>> loop.words().symbols.tolist()
    [258, 100, 258, 97, 99]
    >>> loop.made, loop.merged_ends.tolist()
    (3, [0, 2, 4, 6])
    >>> loop.merged_at[: loop.merged_ends[1]].tolist()  # of the first merge
    [1, 6]
    >>> loop = MergeLoop(word[:4], [0, 4], [1], first_new_id=256, max_merges=1, tie_break=FIRST_COUNTED)
    >>> loop.run(1), loop.counted().tolist()
    (1, [[97, 97], [97, 98], [256, 97]])
    """

    stop_reason = RUNNING

    def __init__(
        self,
        symbols: ArrayLike,
        offsets: ArrayLike,
        counts: ArrayLike,
        *,
        first_new_id: int,
        max_merges: int,
        tie_break: int = FIRST_SEEN,
        min_count: int = 1,
        forced: ArrayLike = (),
        languages: int = 1,
    ) -> None:
        words, word_counts = _as_words(symbols, offsets), np.require(counts, np.int64, ["C", "W"])
        forced_pairs = np.array(forced, np.int64).reshape(-1, 2)
        size = words.symbols.size
        # Upper bound: every merge except a forced one removes a symbol.
        most_merges = languages * max(0, min(max_merges, size + len(forced_pairs) + 1))
        vocabulary_size = languages * first_new_id + most_merges
        cells, weights, large_counts = _lay_out(words.symbols, words.offsets, word_counts)
        least = max(1, min_count)
        # Measured on source code and on Japanese prose: the last merge's count is about this, or a little less; twice
        # this where the symbols are characters of Japanese, or tokens from which a training continues.
        tokens = int(np.diff(words.offsets) @ word_counts) * (2 if first_new_id > _FEW_SYMBOLS else 1)
        floor = max(least, tokens // (40 * max_merges) if max_merges > 0 else 0)
        if tie_break == FIRST_COUNTED or languages > 1:
            floor = 1
        capacity = 1 << max(12, (size // (4 * floor)).bit_length())
        self._max_merges = max_merges
        # Arrays are sized for the worst case: the system allocates only pages that are written.
        self._loop = _Loop(
            state=np.zeros(_STATE_FIELDS, np.int64),
            cells=cells,
            weights=weights,
            large_counts=large_counts,
            forced=forced_pairs,
            pairs=np.empty((capacity, 4), np.int64),
            slots=np.zeros(2 * capacity, np.int64),
            heap=np.empty((capacity, 3), np.int64),
            places=np.empty(3 * size + 1, np.int32),
            left_sums=np.zeros((vocabulary_size, 2), np.int64),
            right_sums=np.zeros((vocabulary_size, 2), np.int64),
            left_seen=np.empty(vocabulary_size, np.int32),
            right_seen=np.empty(vocabulary_size, np.int32),
            left_events=np.empty((size + 1, 2), np.int32),
            right_events=np.empty((size + 1, 2), np.int32),
            records=np.empty((most_merges, 4), np.int64),
            merged_at=np.empty(size + 1, np.int32),
            merged_ends=np.zeros(most_merges + 1, np.int64),
        )
        state = self._loop.state
        state[_FIRST_NEW_ID], state[_TIE_BREAK], state[_LEAST] = languages * first_new_id, tie_break, least
        self._collect(floor=floor)

    def run(self, merges: int) -> int:
        """Make up to `merges` more merges and return the number made; fewer only at the end.

        Releases the GIL. 64 merges take a millisecond or less, except for the first ones of a large corpus.
        """
        before = self.made
        stop = min(before + merges, self._loop.merged_ends.size - 1)
        answer = _run(self._loop, stop)
        while answer >= _GROW:
            if answer == _GROW:
                self._grow()
            else:
                floor = int(self._loop.state[_FLOOR])
                self._collect(floor=1 if answer == _COLLECT_ALL else max(int(self._loop.state[_LEAST]), floor // 4))
            answer = _run(self._loop, stop)
        self.stop_reason = VOCABULARY_FULL if self.made >= self._max_merges else answer
        return self.made - before

    @property
    def made(self) -> int:
        """Number of merges made."""
        return int(self._loop.state[_MADE])

    @property
    def pairs(self) -> Int64s:
        """Merges made: int64[made, 2], left and right id."""
        return self._loop.records[: self.made, :2]

    @property
    def counts(self) -> Int64s:
        """int64[made]: count of each pair when merged, overlaps included."""
        return self._loop.records[: self.made, 2]

    @property
    def replaced(self) -> Int64s:
        """int64[made]: replacements of each pair, which equal the decrease in the corpus's tokens."""
        return self._loop.records[: self.made, 3]

    @property
    def merged_at(self) -> Int32s:
        """int32: places of all replacements, as indices into the cells, merge by merge; for `replay`."""
        return self._loop.merged_at[: self.merged_ends[-1]]

    @property
    def merged_ends(self) -> Int64s:
        """int64[made + 1]: the places of merge m are merged_at[merged_ends[m]:merged_ends[m + 1]]."""
        return self._loop.merged_ends[: self.made + 1]

    def words(self) -> Words:
        """Distinct words after the merges made so far."""
        return Words(*_compact(self._loop.cells))

    def counted(self) -> Int64s:
        """Every pair that occurred in any state of the words, in that order: int64[pairs, 2]. For FIRST_COUNTED."""
        found = self._loop.pairs[: self._loop.state[_PAIRS]]
        ids = np.column_stack((found[:, _KEY] >> 32, found[:, _KEY] & _LOW))
        newest = ids.max(axis=1, initial=0)
        made = np.where(newest < self._loop.state[_FIRST_NEW_ID], 0, newest)
        order: Int64s = ids[np.lexsort((self._loop.places[found[:, _BEGIN]], made))]
        return order

    def _collect(self, *, floor: int) -> None:
        self._loop.state[_FLOOR] = floor
        while _collect(self._loop) == _GROW:
            self._grow()

    def _grow(self) -> None:
        loop = self._loop
        capacity = 2 * len(loop.pairs)
        pairs, heap = np.empty((capacity, 4), np.int64), np.empty((capacity, 3), np.int64)
        pairs[: len(loop.pairs)] = loop.pairs
        heap[: len(loop.heap)] = loop.heap
        self._loop = loop._replace(pairs=pairs, heap=heap, slots=np.zeros(2 * capacity, np.int64))
        _fill_slots(self._loop.slots, pairs, loop.state[_PAIRS])


def replay(words: Words, merged_at: Int32s, merged_ends: Int64s, step: int, *, first_new_id: int) -> Words:
    """Words after the first `step` merges, from the words before the first merge and a MergeLoop's record.

    Takes a few milliseconds for a corpus of a megabyte, in any order of steps.

    >>> loop = MergeLoop([0, 1, 0, 1], [0, 4], [1], first_new_id=2, max_merges=2)
    >>> loop.run(2)
    2
    >>> start = Words(np.array([0, 1, 0, 1], np.int32), np.array([0, 4]))
    >>> replay(start, loop.merged_at, loop.merged_ends, 1, first_new_id=2).symbols.tolist()
    [2, 2]
    """
    words = _as_words(*words)
    cells, _, _ = _lay_out(words.symbols, words.offsets, np.ones(words.offsets.size - 1, np.int64))
    _replay(
        cells,
        np.require(merged_at, np.int32, ["C", "W"]),
        np.require(merged_ends, np.int64, ["C", "W"]),
        step,
        first_new_id,
    )
    return Words(*_compact(cells))


def pair_counts(words: Words, counts: ArrayLike) -> SortedPairCounts:
    """Every adjacent pair of the words, with its count in the corpus and first occurrence.

    `counts` int64[words]: count of each word in the corpus.

    >>> pairs = pair_counts(Words(np.array([7, 7, 7, 8], np.int32), np.array([0, 4])), [10])
    >>> [(int(left), int(right), int(count), int(first)) for left, right, count, first in zip(*pairs)]
    [(7, 7, 20, 0), (7, 8, 10, 2)]
    """
    size = int(words.symbols.max()) + 1 if words.symbols.size else 0
    loop = MergeLoop(*words, counts, first_new_id=size, max_merges=0)._loop
    found = loop.pairs[: loop.state[_PAIRS]]
    cell = loop.places[found[:, _BEGIN]].astype(np.int64)
    # A separator precedes the first word and follows each one.
    word_cells = words.offsets[:-1] + np.arange(words.offsets.size - 1) + 1
    first = cell - np.searchsorted(word_cells, cell, side="right")
    return SortedPairCounts(
        (found[:, _KEY] >> 32).astype(np.int32), found[:, _KEY].astype(np.int32), found[:, _COUNT].copy(), first
    )


def count_changes(words: Words, counts: ArrayLike, left: int, right: int, new_id: int) -> CountChanges:
    """Pairs whose counts change when (left, right) merges into `new_id` everywhere in these words.

    `counts` int64[words]: count of each word in the corpus; `new_id` must not occur in the words.

    >>> changes = count_changes(Words(np.array([0, 1, 0, 1, 2], np.int32), np.array([0, 5])), [10], 0, 1, 3)
    >>> [tuple(int(number) for number in change) for change in zip(*changes)]
    [(0, 1, 20, 0), (1, 0, 10, 0), (1, 2, 10, 0), (3, 2, 0, 10), (3, 3, 0, 10)]
    """
    words = _as_words(*words)
    size = max(left, right, new_id, int(words.symbols.max(initial=0))) + 1
    sums = np.zeros((size, 6), np.int64)
    merged = _count_changes(*words, np.require(counts, np.int64, ["C", "W"]), left, right, new_id, sums)
    rows = [(np.array([left]), np.array([right]), np.array([merged]), np.array([0]))]
    # Column by column of sums: (x, left) and (right, y) before and after, then (x, new) and (new, y).
    ids = np.arange(size)
    old = ids != new_id
    for which, pair_left, pair_right, before, after in (
        (old & ((ids != left) | (left != right)), ids, np.full(size, left), sums[:, 0], sums[:, 1]),
        (old & (ids != left), np.full(size, right), ids, sums[:, 2], sums[:, 3]),
        (old, ids, np.full(size, new_id), np.zeros(size, np.int64), sums[:, 4]),
        (ids >= 0, np.full(size, new_id), ids, np.zeros(size, np.int64), sums[:, 5]),
    ):
        changed = which & (before != after)
        rows.append((pair_left[changed], pair_right[changed], before[changed], after[changed]))
    lefts, rights, befores, afters = (np.concatenate(column) for column in zip(*rows, strict=True))
    return CountChanges(lefts.astype(np.int32), rights.astype(np.int32), befores, afters)


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    words = Words(np.array([0, 1, 0, 1, 2], np.int32), np.array([0, 5], np.int64))
    loop = MergeLoop(*words, [1], first_new_id=3, max_merges=2)
    loop.run(2)
    loop._grow()
    replay(words, loop.merged_at, loop.merged_ends, 1, first_new_id=3)
    count_changes(words, [1], 0, 1, 3)


# Results of _run and _collect that require another call: after growing the arrays, after collecting the pairs with a
# lower floor, or after collecting all of them.
_GROW, _COLLECT, _COLLECT_ALL = 4, 5, 6

# Fields of _Loop.state
_FIRST_NEW_ID, _TIE_BREAK, _LEAST, _FLOOR, _MADE, _PAIRS, _HEAP, _PLACES, _STATE_FIELDS = 0, 1, 2, 3, 4, 5, 6, 7, 8

# Columns of _Loop.pairs
_KEY, _COUNT, _BEGIN, _END = 0, 1, 2, 3

_LEFT, _RIGHT = np.int64(0), np.int64(1)

_SEPARATOR = -1
_FEW_SYMBOLS = 512  # bytes, or the letters of an alphabet
_LARGEST = 0x7FFFFFFF
_LOW = 0xFFFFFFFF


class _Loop(NamedTuple):
    """Arrays of a merge loop. Cells: see the top of this file; a place is the index of a pair's first cell."""

    state: Int64s
    cells: Int32s
    weights: Int32s  # per cell: count of its word; if negative, -1 - an index into large_counts
    large_counts: Int64s  # counts of 2**31 or more
    forced: Int64s
    pairs: Int64s  # key: left id << 32 | right id; count; places[begin:end], some of them stale
    slots: Int64s  # hash table: part of the key's hash << 32 | index into pairs + 1; 0 is empty
    heap: Int64s  # count, tie key, index into pairs; best first; entries may be stale until they reach the top
    places: Int32s
    left_sums: Int64s  # per id, only during a merge: count, then number of places, then their target index
    right_sums: Int64s
    left_seen: Int32s  # ids that have left_sums
    right_seen: Int32s
    left_events: Int32s  # id and place of each new pair to the left of the new token
    right_events: Int32s
    records: Int64s  # left, right, count, replaced
    merged_at: Int32s
    merged_ends: Int64s


class _Fair(NamedTuple):
    """State of each language in `_run_fair`."""

    heaps: NDArray[np.int64]  # a heap for each
    sizes: Int64s
    units: Int64s
    tokens: Int64s
    is_able: Bools  # whether it has a pair
    recent: Int64s  # choices among the last `window`
    served: Int64s  # per step: its language, or -1 for a forced pair
    window: int
    most_of_window: int  # limit on the choices of one among them, times the number of languages


def _as_words(symbols: ArrayLike, offsets: ArrayLike) -> Words:
    return Words(np.require(symbols, np.int32, ["C", "W"]), np.require(offsets, np.int64, ["C", "W"]))


@njit
def _lay_out(symbols: Int32s, offsets: Int64s, counts: Int64s) -> tuple[Int32s, Int32s, Int64s]:
    words = offsets.size - 1
    cells = np.empty(symbols.size + words + 1, np.int32)
    weights = np.empty(symbols.size + words + 1, np.int32)
    large = 0
    for word in range(words):
        large += counts[word] > _LARGEST
    large_counts = np.empty(large, np.int64)
    large = 0
    cells[0] = _SEPARATOR
    weights[0] = 0
    at = 1
    for word in range(words):
        weight = counts[word]
        if weight > _LARGEST:
            large_counts[large] = weight
            large += 1
            weight = np.int64(-large)
        for i in range(offsets[word], offsets[word + 1]):
            cells[at] = symbols[i]
            weights[at] = weight
            at += 1
        cells[at] = _SEPARATOR
        weights[at] = 0
        at += 1
    return cells, weights, large_counts


@njit
def _compact(cells: Int32s) -> tuple[Int32s, Int64s]:
    words = tokens = 0
    for i in range(1, cells.size):
        words += cells[i] == _SEPARATOR
        tokens += cells[i] >= 0
    symbols = np.empty(tokens, np.int32)
    offsets = np.zeros(words + 1, np.int64)
    words = tokens = 0
    for i in range(1, cells.size):
        if cells[i] >= 0:
            symbols[tokens] = cells[i]
            tokens += 1
        elif cells[i] == _SEPARATOR:
            words += 1
            offsets[words] = tokens
    return symbols, offsets


@njit
def _next(cells: Int32s, place: Number) -> Number:
    """Cell after the token at `place`: the next token, or a separator."""
    inner = cells[place + 1]
    return place + 1 if inner >= _SEPARATOR else place - inner


@njit
def _previous(cells: Int32s, place: Number) -> Number:
    """Cell of the token before `place`, or a separator."""
    inner = cells[place - 1]
    return place - 1 if inner >= _SEPARATOR else place + inner


@njit
def _join(cells: Int32s, place: Number, middle: Number, end: Number, new_id: Number) -> None:
    """Join the two tokens that start at `place` and at `middle` and end at `end`."""
    inner = np.int32(place - end)
    cells[place] = new_id
    cells[middle] = inner
    cells[place + 1] = inner
    cells[end - 1] = inner


@njit
def _weight(weights: Int32s, large_counts: Int64s, place: Number) -> Number:
    weight = np.int64(weights[place])
    return weight if weight >= 0 else large_counts[-weight - 1]


@njit
def _pair_key(left: Number, right: Number) -> Number:
    return (np.int64(left) << np.int64(32)) | np.int64(right)


@njit
def _hash(key: Number) -> Number:
    mixed = key * np.int64(-7046029254386353131)  # 2**64 / golden ratio, odd (Knuth's multiplicative hashing)
    return (mixed ^ (mixed >> np.int64(32))) & np.int64(0x7FFFFFFFFFFFFFFF)


@njit
def _find(slots: Int64s, pairs: Int64s, key: Number) -> Number:
    """Index of the pair, or -1."""
    mask = slots.size - 1
    mixed = _hash(key)
    slot = mixed & mask
    while slots[slot] != 0:
        if slots[slot] >> np.int64(32) == mixed >> np.int64(32):
            pair = (slots[slot] & np.int64(_LOW)) - 1
            if pairs[pair, _KEY] == key:
                return pair
        slot = (slot + 1) & mask
    return np.int64(-1)


@njit
def _fill_slot(slots: Int64s, key: Number, pair: Number) -> None:
    """Insert a key that is not in the table."""
    mask = slots.size - 1
    mixed = _hash(key)
    slot = mixed & mask
    while slots[slot] != 0:
        slot = (slot + 1) & mask
    slots[slot] = ((mixed >> np.int64(32)) << np.int64(32)) | (pair + 1)


@njit
def _fill_slots(slots: Int64s, pairs: Int64s, size: Number) -> None:
    for pair in range(size):
        _fill_slot(slots, pairs[pair, _KEY], pair)


@njit
def _tie(loop: _Loop, tie_break: Number, pair: Number) -> Number:
    """Tie key of a pair: among equal counts, the smaller comes first."""
    key = loop.pairs[pair, _KEY]
    if tie_break == LOWEST_IDS:
        return key
    place = np.int64(loop.places[loop.pairs[pair, _BEGIN]])
    if tie_break == FIRST_SEEN:
        return place
    newest = max(key >> np.int64(32), key & np.int64(_LOW))
    return place if newest < loop.state[_FIRST_NEW_ID] else (newest << np.int64(32)) | place


@njit
def _is_before(count: Number, tie: Number, other: Number, other_tie: Number) -> Any:
    return (count > other) | ((count == other) & (tie < other_tie))


@njit
def _write(heap: Int64s, entry: Number, count: Number, tie: Number, pair: Number) -> None:
    heap[entry, 0] = count
    heap[entry, 1] = tie
    heap[entry, 2] = pair


@njit
def _push(heap: Int64s, size: Number, count: Number, tie: Number, pair: Number) -> None:
    entry = size
    while entry > 0:
        parent = (entry - 1) >> 1
        if not _is_before(count, tie, heap[parent, 0], heap[parent, 1]):
            break
        _write(heap, entry, heap[parent, 0], heap[parent, 1], heap[parent, 2])
        entry = parent
    _write(heap, entry, count, tie, pair)


@njit
def _replace_top(heap: Int64s, size: Number, count: Number, tie: Number, pair: Number) -> None:
    entry = np.int64(0)
    while True:
        child = 2 * entry + 1
        if child >= size:
            break
        if child + 1 < size and _is_before(heap[child + 1, 0], heap[child + 1, 1], heap[child, 0], heap[child, 1]):
            child += 1
        if _is_before(count, tie, heap[child, 0], heap[child, 1]):
            break
        _write(heap, entry, heap[child, 0], heap[child, 1], heap[child, 2])
        entry = child
    _write(heap, entry, count, tie, pair)


@njit
def _pop(heap: Int64s, state: Int64s) -> None:
    state[_HEAP] -= 1
    last = state[_HEAP]
    _replace_top(heap, last, heap[last, 0], heap[last, 1], heap[last, 2])


@njit
def _push_new(loop: _Loop, first: Number) -> None:
    """Add the pairs from `first` on to the heap."""
    state, heap = loop.state, loop.heap
    for pair in range(first, state[_PAIRS]):
        tie = _tie(loop, state[_TIE_BREAK], pair)
        _push(heap, state[_HEAP], loop.pairs[pair, _COUNT], tie, pair)
        state[_HEAP] += 1


@njit
def _keep_pairs(
    loop: _Loop, sums: Int64s, seen: Int32s, seen_size: Number, fixed: Number, fixed_side: Number
) -> Number:
    """Create the pairs of `fixed` with each id in seen[:seen_size] whose sum reaches the floor; return their number.

    Afterwards column 1 of `sums` is the index in `places` for the id's first place, or -1.
    """
    state, pairs, slots = loop.state, loop.pairs, loop.slots
    pair, place = state[_PAIRS], state[_PLACES]
    for i in range(seen_size):
        other = np.int64(seen[i])
        if sums[other, 0] < state[_FLOOR]:
            sums[other, 1] = -1
            continue
        pairs[pair, _KEY] = _pair_key(fixed, other) if fixed_side == _LEFT else _pair_key(other, fixed)
        pairs[pair, _COUNT] = sums[other, 0]
        pairs[pair, _BEGIN] = place
        pairs[pair, _END] = place + sums[other, 1]
        sums[other, 1] = place
        place = pairs[pair, _END]
        _fill_slot(slots, pairs[pair, _KEY], pair)
        pair += 1
    made = pair - state[_PAIRS]
    state[_PAIRS], state[_PLACES] = pair, place
    return made


@njit
def _clear(sums: Int64s, seen: Int32s, seen_size: Number) -> None:
    for i in range(seen_size):
        sums[seen[i], 0] = 0
        sums[seen[i], 1] = 0


@njit
def _collect(loop: _Loop) -> Number:
    """Find all pairs that reach the floor, with their places: first by left id, then by right id."""
    state, cells, weights, large_counts = loop.state, loop.cells, loop.weights, loop.large_counts
    sums, seen, places = loop.right_sums, loop.right_seen, loop.places
    vocabulary_size = sums.shape[0]
    state[_PAIRS] = state[_PLACES] = state[_HEAP] = 0
    loop.slots[:] = 0
    starts = np.zeros(vocabulary_size + 1, np.int64)
    for cell in range(cells.size):
        if cells[cell] >= 0:
            starts[cells[cell] + 1] += 1
    for left in range(vocabulary_size):
        starts[left + 1] += starts[left]
    by_left = np.empty((starts[vocabulary_size], 2), np.int32)
    ends = starts[:-1].copy()
    last = np.int64(0)
    for cell in range(1, cells.size):
        if cells[cell] >= _SEPARATOR:
            if cells[last] >= 0:
                by_left[ends[cells[last]], 0], by_left[ends[cells[last]], 1] = last, cells[cell]
                ends[cells[last]] += 1
            last = np.int64(cell)
    for left in range(vocabulary_size):
        seen_size = np.int64(0)
        for i in range(starts[left], ends[left]):
            place, right = np.int64(by_left[i, 0]), by_left[i, 1]
            if right >= 0:
                if sums[right, 1] == 0:
                    seen[seen_size] = right
                    seen_size += 1
                sums[right, 0] += _weight(weights, large_counts, place)
                sums[right, 1] += 1
        if state[_PAIRS] + seen_size > loop.pairs.shape[0]:
            _clear(sums, seen, seen_size)
            state[_PAIRS] = 0
            return _GROW
        made = _keep_pairs(loop, sums, seen, seen_size, np.int64(left), _LEFT)
        if made > 0:
            for i in range(starts[left], ends[left]):
                right = by_left[i, 1]
                if right >= 0 and sums[right, 1] >= 0:
                    places[sums[right, 1]] = by_left[i, 0]
                    sums[right, 1] += 1
        _clear(sums, seen, seen_size)
        _push_new(loop, state[_PAIRS] - made)
    return RUNNING


@njit
def _run(loop: _Loop, stop: Number) -> Number:
    state, pairs, slots, heap, places, cells = (loop.state, loop.pairs, loop.slots, loop.heap, loop.places, loop.cells)
    tie_break = state[_TIE_BREAK]
    least = max(state[_LEAST], state[_FLOOR])
    while state[_MADE] < stop:
        forced = state[_MADE] < loop.forced.shape[0]
        if forced:
            left, right = loop.forced[state[_MADE], 0], loop.forced[state[_MADE], 1]
            pair = _find(slots, pairs, _pair_key(left, right))
            if pair < 0 and state[_FLOOR] > 1:
                return _COLLECT_ALL
            if pair < 0:
                _record(loop, left, right, np.int64(0), np.int64(0))
                continue
        else:
            if state[_HEAP] == 0:
                if state[_FLOOR] > state[_LEAST]:
                    return _COLLECT
                return BELOW_MIN_COUNT if state[_LEAST] > 1 and _has_pair(cells) else NO_PAIRS_LEFT
            pair = heap[0, 2]
            left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
            if pairs[pair, _COUNT] < least:
                _pop(heap, state)
                continue
            if tie_break == FIRST_SEEN:
                while not _occurs_at(cells, places[pairs[pair, _BEGIN]], left, right):
                    pairs[pair, _BEGIN] += 1
            tie = _tie(loop, tie_break, pair)
            if pairs[pair, _COUNT] != heap[0, 0] or tie != heap[0, 1]:
                _replace_top(heap, state[_HEAP], pairs[pair, _COUNT], tie, pair)
                continue
        neighbours = min(pairs[pair, _END] - pairs[pair, _BEGIN], state[_FIRST_NEW_ID] + state[_MADE] + 1)
        if state[_PAIRS] + 2 * neighbours > pairs.shape[0]:
            return _GROW
        if not forced:
            _pop(heap, state)
        count = pairs[pair, _COUNT]
        _record(loop, left, right, count, _merge(loop, pair, left, right))
    return RUNNING


@njit
def _run_fair(loop: _Loop, fair: _Fair, stop: Number) -> Number:
    """As `_run` up to `stop` steps, each one merge in every language; see `fair_loop`."""
    state, pairs, slots = loop.state, loop.pairs, loop.slots
    sizes, tokens, served = fair.sizes, fair.tokens, fair.served
    languages = sizes.size
    found = np.empty(languages, np.int64)
    while state[_MADE] < stop * languages:
        rank, language, pair = state[_MADE] // languages, np.int64(-1), np.int64(-1)
        if rank < loop.forced.shape[0]:
            left, right = loop.forced[rank, 0], loop.forced[rank, 1]
        else:
            while pair < 0:
                language = _worst_off(fair)
                if language < 0:
                    return NO_PAIRS_LEFT
                state[_HEAP] = sizes[language]
                pair = _best(loop, fair.heaps[language])
                sizes[language] = state[_HEAP]
                fair.is_able[language] = pair >= 0
            left, right = (pairs[pair, _KEY] >> np.int64(32)) // languages, (pairs[pair, _KEY] & _LOW) // languages
        places = np.int64(0)
        for each in range(languages):
            found[each] = _find(slots, pairs, _pair_key(left * languages + each, right * languages + each))
            if found[each] >= 0:
                places += pairs[found[each], _END] - pairs[found[each], _BEGIN]
        if state[_PAIRS] + 2 * places > pairs.shape[0]:
            return _GROW
        served[rank] = language
        if language >= 0:
            first = loop.forced.shape[0]
            fair.recent[language] += 1
            if rank - fair.window >= first:
                fair.recent[served[rank - fair.window]] -= 1
        for each in range(languages):
            count = replaced = np.int64(0)
            if found[each] >= 0:
                count = pairs[found[each], _COUNT]
            if count > 0:
                state[_HEAP] = sizes[each]
                own = _with_heap(loop, fair.heaps[each])
                replaced = _merge(own, found[each], left * languages + each, right * languages + each)
                sizes[each] = state[_HEAP]
                tokens[each] -= replaced
            _record(loop, left, right, count, replaced)
    return RUNNING


@njit
def _with_heap(loop: _Loop, heap: Int64s) -> _Loop:
    return _Loop(
        loop.state,
        loop.cells,
        loop.weights,
        loop.large_counts,
        loop.forced,
        loop.pairs,
        loop.slots,
        heap,
        loop.places,
        loop.left_sums,
        loop.right_sums,
        loop.left_seen,
        loop.right_seen,
        loop.left_events,
        loop.right_events,
        loop.records,
        loop.merged_at,
        loop.merged_ends,
    )


@njit
def _worst_off(fair: _Fair) -> Number:
    """The language to serve, or -1 if none is able; `parity_reference.worst_off` has its definition."""
    best, best_rate, best_is_over = np.int64(-1), np.inf, True
    for each in range(fair.units.size):
        if not fair.is_able[each]:
            continue
        rate = fair.units[each] / fair.tokens[each] if fair.tokens[each] > 0 else np.inf
        is_over = fair.window > 0 and fair.recent[each] * fair.units.size > fair.most_of_window
        if best < 0 or (best_is_over and not is_over) or (best_is_over == is_over and rate < best_rate):
            best, best_rate, best_is_over = np.int64(each), rate, is_over
    return best


@njit
def _best(loop: _Loop, heap: Int64s) -> Number:
    """The pair that merges next in the language of a heap, or -1."""
    state, pairs, places, cells = loop.state, loop.pairs, loop.places, loop.cells
    tie_break = state[_TIE_BREAK]
    while state[_HEAP] > 0:
        pair = heap[0, 2]
        if pairs[pair, _COUNT] < state[_LEAST]:
            _pop(heap, state)
            continue
        left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
        if tie_break == FIRST_SEEN:
            while not _occurs_at(cells, places[pairs[pair, _BEGIN]], left, right):
                pairs[pair, _BEGIN] += 1
        tie = _tie(loop, tie_break, pair)
        if pairs[pair, _COUNT] == heap[0, 0] and tie == heap[0, 1]:
            return pair
        _replace_top(heap, state[_HEAP], pairs[pair, _COUNT], tie, pair)
    return np.int64(-1)


@njit
def _fill_heaps(loop: _Loop, heaps: NDArray[np.int64], sizes: Int64s) -> None:
    """Put all pairs into the heaps of their languages."""
    for pair in range(loop.state[_PAIRS]):
        language = (loop.pairs[pair, _KEY] >> np.int64(32)) % sizes.size
        tie = _tie(loop, loop.state[_TIE_BREAK], pair)
        _push(heaps[language], sizes[language], loop.pairs[pair, _COUNT], tie, np.int64(pair))
        sizes[language] += 1


@njit
def _record(loop: _Loop, left: Number, right: Number, count: Number, replaced: Number) -> None:
    made = loop.state[_MADE]
    loop.records[made, 0] = left
    loop.records[made, 1] = right
    loop.records[made, 2] = count
    loop.records[made, 3] = replaced
    if replaced == 0:
        loop.merged_ends[made + 1] = loop.merged_ends[made]
    loop.state[_MADE] = made + 1


@njit
def _has_pair(cells: Int32s) -> Any:
    for place in range(cells.size):  # noqa: SIM110 - Numba compiles no generator expressions
        if cells[place] >= 0 and cells[_next(cells, place)] >= 0:
            return True
    return False


@njit
def _occurs_at(cells: Int32s, place: Number, left: Number, right: Number) -> Any:
    return cells[place] == left and cells[_next(cells, np.int64(place))] == right


@njit
def _merge(loop: _Loop, pair: Number, left: Number, right: Number) -> Number:
    """Replace the pair everywhere, left to right, and create the new token's pairs. Returns the replacements made."""
    state, cells, pairs, places = loop.state, loop.cells, loop.pairs, loop.places
    left_sums, right_sums, left_seen, right_seen = loop.left_sums, loop.right_sums, loop.left_seen, loop.right_seen
    left_events, right_events, merged_at = loop.left_events, loop.right_events, loop.merged_at
    weights, large_counts, slots = loop.weights, loop.large_counts, loop.slots
    new_id = state[_FIRST_NEW_ID] + state[_MADE]
    left_size = right_size = left_places = right_places = replaced = np.int64(0)
    merged = loop.merged_ends[state[_MADE]]
    for z in range(pairs[pair, _BEGIN], pairs[pair, _END]):
        place: Number = np.int64(places[z])
        if cells[place] != left:
            continue
        middle = _next(cells, place)
        if cells[middle] != right:  # stale: merged before, or just now by the same pair (a a a)
            continue
        end = _next(cells, middle)
        start = _previous(cells, place)
        before: Number = np.int64(cells[start])
        after: Number = np.int64(cells[end])
        weight = _weight(weights, large_counts, place)
        _join(cells, place, middle, end, new_id)
        merged_at[merged] = place
        merged += 1
        replaced += weight
        if before >= 0 and before != new_id:
            if left_sums[before, 1] == 0:
                left_seen[left_size] = before
                left_size += 1
            left_sums[before, 0] += weight
            left_sums[before, 1] += 1
            left_events[left_places, 0] = before
            left_events[left_places, 1] = start
            left_places += 1
        if after >= 0:
            # The same pair directly after it is merged next: the two new tokens become neighbours, counted here.
            if after == left and cells[_next(cells, end)] == right:
                after = new_id
            if right_sums[after, 1] == 0:
                right_seen[right_size] = after
                right_size += 1
            right_sums[after, 0] += weight
            right_sums[after, 1] += 1
            right_events[right_places, 0] = after
            right_events[right_places, 1] = place
            right_places += 1
    loop.merged_ends[state[_MADE] + 1] = merged
    for i in range(left_size):
        _lower(slots, pairs, np.int64(left_seen[i]), left, left_sums[left_seen[i], 0])
    for i in range(right_size):
        after = np.int64(right_seen[i])
        _lower(slots, pairs, right, left if after == new_id else after, right_sums[after, 0])
    pairs[pair, _COUNT] = 0
    first_made = state[_PAIRS]
    if _keep_pairs(loop, left_sums, left_seen, left_size, new_id, _RIGHT) > 0:
        _put_places(places, left_sums, left_events, left_places)
    if _keep_pairs(loop, right_sums, right_seen, right_size, new_id, _LEFT) > 0:
        _put_places(places, right_sums, right_events, right_places)
    _clear(left_sums, left_seen, left_size)
    _clear(right_sums, right_seen, right_size)
    _push_new(loop, first_made)
    return replaced


@njit
def _lower(slots: Int64s, pairs: Int64s, left: Number, right: Number, weight: Number) -> None:
    pair = _find(slots, pairs, _pair_key(left, right))
    if pair >= 0:
        pairs[pair, _COUNT] -= weight


@njit
def _put_places(places: Int32s, sums: Int64s, events: Int32s, size: Number) -> None:
    for i in range(size):
        place = sums[events[i, 0], 1]
        if place >= 0:
            places[place] = events[i, 1]
            sums[events[i, 0], 1] = place + 1


@njit
def _replay(cells: Int32s, merged_at: Int32s, merged_ends: Int64s, step: Number, first_new_id: Number) -> None:
    for merge in range(step):
        for i in range(merged_ends[merge], merged_ends[merge + 1]):
            place = np.int64(merged_at[i])
            middle = _next(cells, place)
            _join(cells, place, middle, _next(cells, middle), np.int64(first_new_id + merge))


@njit
def _count_changes(
    symbols: Int32s, offsets: Int64s, counts: Int64s, left: Number, right: Number, new_id: Number, sums: Int64s
) -> Number:
    """Fill sums: (x, left) before and after, (right, y) before and after, (x, new), (new, y); the pair's own count."""
    merged = np.int64(0)
    for word in range(counts.size):
        weight = counts[word]
        end = offsets[word + 1]
        previous = np.int64(-1)  # in the word after the merge
        i = offsets[word]
        while i < end:
            symbol = np.int64(symbols[i])
            width = 1
            if symbol == left and i + 1 < end and symbols[i + 1] == right:
                symbol = np.int64(new_id)
                width = 2
            if previous >= 0:
                if symbol == left:
                    sums[previous, 1] += weight
                if previous == right:
                    sums[symbol, 3] += weight
                if symbol == new_id:
                    sums[previous, 4] += weight
                if previous == new_id:
                    sums[symbol, 5] += weight
            previous = symbol
            i += width
        for i in range(offsets[word], end - 1):
            if symbols[i + 1] == left:
                sums[symbols[i], 0] += weight
            if symbols[i] == right:
                sums[symbols[i + 1], 2] += weight
            if symbols[i] == left and symbols[i + 1] == right:
                merged += weight
    return merged
