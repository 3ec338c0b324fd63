"""Loop of PickyBPE training, compiled: merges of the most frequent pair, and removals of the tokens they have used up.

The structures are those of `merge_loop`, except where a removal breaks their invariants: it restores tokens and pairs
that existed before, so that counts rise again, and first places move left.

- The cells are those of `merge_loop`. A place is the index of a token's first cell. Cells do not move, and the base
  symbols from any place of a token on spell it, so tokens with equal base symbols are the same.
- The places of a pair are runs in one array, one for each event that added to it. Stale places are not removed but
  skipped; when the array is full, all runs are rewritten. The places of a token that was made are among the changes of
  the events that wrote it into cells.
- The entries of the heap are checked when they reach the top, as there. A pair whose count has risen, or whose first
  place has moved left, gets another entry, and the former one is dropped when it reaches the top.
- Pairs below a floor are not in the heap while better ones are left, and have a count, but no places, unless both of
  their tokens are base symbols. One that rises to the floor finds its places among those of its tokens. When the heap
  is empty, the floor is lowered, and all places are found again.
- References to the arrays are not counted, except those that a function makes for itself. Even so, functions that run
  for every place take arrays one by one, and no branch encloses those of their calls that take arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.kernels.backend import Number, njit
from bpe_core.kernels.borrowed_arrays import uncounted
from bpe_core.kernels.merge_loop import (
    _HEAP,
    _KEY,
    _LOW,
    _SEPARATOR,
    FIRST_COUNTED,
    FIRST_SEEN,
    LOWEST_IDS,
    _clear,
    _fill_slots,
    _find,
    _hash,
    _join,
    _lay_out,
    _pair_key,
    _pop,
    _previous,
    _push,
    _put_places,
    _replace_top,
    _weight,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MERGE, NEW_MERGE, REMOVAL = 0, 1, 2
"""Kinds of events: a merge into a token that is in the vocabulary, a merge that adds it, and a removal."""


class CellChanges(NamedTuple):
    """Place and token of changes in order, -1 where a token has become a part of another.

    changes  int32: a cell and a token, and so on
    symbols  int32: the cells at the beginning

    >>> CellChanges(np.array([1, 3, 2, -1], np.int32), np.array([-1, 0, 1, -1], np.int32)).in_symbols().tolist()
    [[0, 3], [1, -1]]
    """

    changes: Int32s
    symbols: Int32s

    def in_symbols(self) -> Int32s:
        """int32[changes, 2]: with places as indices of base symbols."""
        changes = self.changes.reshape(-1, 2).copy()
        changes[:, 0] -= np.cumsum(self.symbols == _SEPARATOR, dtype=np.int32)[changes[:, 0]]
        return changes


class PickyLoop:
    """PickyBPE training in resumable runs; `reference.learn` of PickyBPE has its definition.

    symbols, offsets  the distinct words: word w is symbols[offsets[w]:offsets[w + 1]]; every id is below `first_new_id`
    counts            int64[words]: count of each word in the corpus, at least 1
    first_new_id      id of the first token that is made
    most              number of tokens, without those below `first_new_id`, that ends the training
    tie_break         FIRST_SEEN, LOWEST_IDS or FIRST_COUNTED
    min_count         pairs that occur fewer times are not merged

    Counts must be below 2**53.

    >>> loop = PickyLoop([0, 1, 2], [0, 3], [5], first_new_id=3, most=1)
    >>> loop.run(9, threshold=0.9), loop.run(9, threshold=0.9), loop.size, loop.made, loop.has_pairs
    (1, 0, 1, 1, True)
    >>> loop.events.tolist(), loop.changes.in_symbols().tolist(), [column.tolist() for column in loop.spelled()]
    ([[1, 0, 1, 3, 5, 5, 5, 5, 4]], [[0, 3], [1, -1]], [[0, 1], [0, 2]])
    >>> loop = PickyLoop([0, 1, 2], [0, 3], [5], first_new_id=3, most=2, tie_break=FIRST_COUNTED)
    >>> loop.run(2, threshold=0.9), loop.counted().tolist()
    (2, [[0, 1], [1, 2], [3, 2]])
    >>> loop.run(1, threshold=0.9), loop.events[2:].tolist(), loop.pieces.tolist()
    (1, [[2, 3, 4, 5, 5, 0, 0, 2, 8]], [0, 1])
    """

    def __init__(
        self,
        symbols: ArrayLike,
        offsets: ArrayLike,
        counts: ArrayLike,
        *,
        first_new_id: int,
        most: int,
        tie_break: int = FIRST_SEEN,
        min_count: int = 1,
    ) -> None:
        ids, ends = np.require(symbols, np.int32, ["C", "W"]), np.require(offsets, np.int64, ["C", "W"])
        word_counts = np.require(counts, np.int64, ["C", "W"])
        size = ids.size
        cells, weights, large_counts = _lay_out(ids, ends, word_counts)
        pairs = 1 << max(10, (size // 16).bit_length())
        tokens = first_new_id + 1024
        capacity = np.array([2048, pairs, 6 * size + 1024, 1024, tokens, 1024, pairs], np.int64)
        room = 4 * size + 1024  # for all places, of which there are `size` at most, and for those of an event
        self._loop = _Loop(
            state=np.zeros(_STATE_FIELDS, np.int64),
            capacity=capacity,
            wanted=np.zeros(_GROWING, np.int64),
            symbols=cells.copy(),
            cells=cells,
            weights=weights,
            large_counts=large_counts,
            spans=np.empty((capacity[_SPANS], 3), np.int32),
            places=np.empty(room, np.int32),
            runs=np.empty((room, 3), np.int32),
            pairs=np.empty((pairs, _PAIR_FIELDS), np.int64),
            slots=np.zeros(2 * pairs, np.int64),
            touched=np.empty(pairs + 1, np.int32),
            tokens=np.zeros((tokens, _TOKEN_FIELDS), np.int64),
            spelled=np.zeros(_twice(tokens), np.int64),
            left_sums=np.zeros((tokens, 2), np.int64),
            right_sums=np.zeros((tokens, 2), np.int64),
            left_seen=np.empty(tokens, np.int32),
            right_seen=np.empty(tokens, np.int32),
            left_events=np.empty((size + 1, 2), np.int32),
            right_events=np.empty((size + 1, 2), np.int32),
            heap=np.empty((pairs, 3), np.int64),
            changes=np.empty(capacity[_CHANGES], np.int32),
            pieces=np.empty(capacity[_PIECES], np.int32),
            records=np.empty((capacity[_RECORDS], _RECORD_FIELDS), np.int64),
        )
        least = max(1, min_count)
        state = self._loop.state
        state[_FIRST_NEW_ID], state[_TOKENS], state[_MOST] = first_new_id, first_new_id, most
        state[_TIE_BREAK], state[_LEAST] = tie_break, least
        state[_FLOOR] = max(least, int(np.diff(ends) @ word_counts) // (40 * most) if most > 0 else 0)
        self._loop.tokens[:, _SPAN] = -1
        self._loop.tokens[:first_new_id, _WIDTH] = 1
        state[_PHASE] = _COLLECTING

    def run(self, events: int, *, threshold: float, into_base: bool = False, most_changes: int = 1 << 62) -> int:
        """Run up to `events` events and return their number; fewer only at the end. Releases the GIL.

        threshold     score from which a token is removed, 0.0 … 1.0
        into_base     whether what is left of it is split into base symbols, instead of its parts
        most_changes  also stops after the event that makes `changes` longer than this
        """
        before = int(self._loop.state[_RECORDS])
        self._loop.state[_INTO_BASE] = into_base
        while _run(self._loop, before + events, most_changes, float(threshold)) == _GROW:
            self._grow()
        return int(self._loop.state[_RECORDS]) - before

    @property
    def events(self) -> Int64s:
        """Events so far: int64[events, 9].

        A merge is its kind, left, right, token, count, replaced, left count, right count, and length of `changes` after
        it. A removal is its kind, token, token made, used, count, remaining, begin and end in `pieces`, and the same.
        """
        return self._loop.records[: self._loop.state[_RECORDS]]

    @property
    def size(self) -> int:
        """Number of tokens in the vocabulary, without the base symbols."""
        return int(self._loop.state[_SIZE])

    @property
    def made(self) -> int:
        """Number of tokens that were ever made."""
        return int(self._loop.state[_TOKENS] - self._loop.state[_FIRST_NEW_ID])

    @property
    def has_pairs(self) -> bool:
        """Whether two tokens are side by side in any word."""
        return bool(self._loop.pairs[: self._loop.state[_PAIRS], _COUNT].any())

    @property
    def changes(self) -> CellChanges:
        """Place and token of every change in order."""
        return CellChanges(self._loop.changes[: self._loop.state[_CHANGES]], self._loop.symbols)

    @property
    def pieces(self) -> Int32s:
        """int32: pieces of all removals, one after another."""
        return self._loop.pieces[: self._loop.state[_PIECES]]

    def spelled(self) -> tuple[Int32s, Int64s]:
        """Base symbols of the tokens that were made: ids[offsets[t]:offsets[t + 1]] of the token `first_new_id` + t."""
        starts, widths = self._loop.tokens[
            self._loop.state[_FIRST_NEW_ID] : self._loop.state[_TOKENS], _START : _WIDTH + 1
        ].T
        offsets = np.append(0, np.cumsum(widths))
        return self._loop.symbols[np.repeat(starts - offsets[:-1], widths) + np.arange(offsets[-1])], offsets

    def counted(self) -> Int64s:
        """Every pair that was ever counted after a merge and its removals, in that order: int64[pairs, 2].

        Only for FIRST_COUNTED.
        """
        pairs = self._loop.pairs[: self._loop.state[_PAIRS]]
        found = pairs[pairs[:, _CREATED] >= 0]
        keys = found[np.argsort(found[:, _CREATED]), _KEY]
        return np.column_stack((keys >> 32, keys & _LOW))

    def _grow(self) -> None:
        """Grow the arrays that are full, at least to twice their size."""
        loop = self._loop
        before, wanted = loop.capacity.tolist(), loop.wanted.tolist()
        wanted[_PAIRS] = wanted[_HEAP] = max(wanted[_PAIRS], wanted[_HEAP])  # the heap may hold every pair
        size = [old if new <= old else max(2 * old, new) for old, new in zip(before, wanted, strict=True)]
        if size[_PAIRS] > before[_PAIRS]:
            size[_PAIRS] = size[_HEAP] = 1 << (size[_PAIRS] - 1).bit_length()
        loop.capacity[:] = size
        grown = {
            name: _longer(getattr(loop, name), size[field])
            for name, field in _NAMES.items()
            if size[field] > before[field]
        }
        self._loop = loop = loop._replace(**grown)
        if size[_PAIRS] > before[_PAIRS]:
            self._loop = loop = loop._replace(slots=np.zeros(2 * size[_PAIRS], np.int64))
            _fill_slots(loop.slots, loop.pairs, loop.state[_PAIRS])
        if size[_TOKENS] > before[_TOKENS]:
            self._loop = loop = loop._replace(
                spelled=np.zeros(_twice(size[_TOKENS]), np.int64),
                left_sums=np.zeros((size[_TOKENS], 2), np.int64),
                right_sums=np.zeros((size[_TOKENS], 2), np.int64),
                left_seen=np.empty(size[_TOKENS], np.int32),
                right_seen=np.empty(size[_TOKENS], np.int32),
            )
            loop.tokens[before[_TOKENS] :, _SPAN] = -1
            first, end = loop.state[_FIRST_NEW_ID], loop.state[_TOKENS]
            _fill_spelled(loop.symbols, loop.spelled, loop.tokens, first, end)


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    loop = PickyLoop([0, 1, 2], [0, 3], [5], first_new_id=3, most=2)
    loop.run(3, threshold=0.9)
    loop._loop.wanted[:] = loop._loop.capacity + 1
    loop._grow()


def _twice(size: int) -> int:
    """A power of two that is at least twice the size."""
    return 1 << (2 * size - 1).bit_length()


def _longer(array: Any, size: int) -> Any:
    """The array with room for `size` rows, and for a spare one that is overwritten."""
    grown = np.zeros((size + 1, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


# Result of _run that requires another call after growing the arrays.
_RUNNING, _ENDED, _GROW = 0, 1, 2

# Fields of _Loop.state; the first ones are the sizes of arrays that grow, as are those of capacity and wanted.
_SPANS, _PAIRS, _CHANGES, _PIECES, _TOKENS, _RECORDS, _GROWING = 0, 1, 2, 3, 4, 5, 7  # 6 is _HEAP
_FIRST_NEW_ID, _MOST, _TIE_BREAK, _INTO_BASE, _LEAST, _FLOOR, _SIZE = 7, 8, 9, 10, 11, 12, 13
_PLACES, _RUNS, _TOUCHED_SIZE, _COUNTED, _PHASE = 14, 15, 16, 17, 18
_X, _Y, _MADE, _REPLACED, _X_COUNT, _Y_COUNT, _STATE_FIELDS = 19, 20, 21, 22, 23, 24, 25  # of the last merge

_NAMES = {
    "spans": _SPANS,
    "pairs": _PAIRS,
    "touched": _PAIRS,
    "changes": _CHANGES,
    "pieces": _PIECES,
    "tokens": _TOKENS,
    "records": _RECORDS,
    "heap": _HEAP,
}

# Phases of a step
_COLLECTING, _CHOOSING, _JUDGING_X, _JUDGING_Y, _SETTLING = 0, 1, 2, 3, 4

# Columns of _Loop.pairs; 0 is _KEY
_COUNT, _RUN, _FIRST, _CREATED, _QUEUED, _QUEUED_TIE, _IS_TOUCHED, _PAIR_FIELDS = 1, 2, 3, 4, 5, 6, 7, 8
# Columns of _Loop.tokens
_USES, _START, _WIDTH, _LEFT, _RIGHT, _IS_THERE, _SPAN, _TOKEN_FIELDS = 0, 1, 2, 3, 4, 5, 6, 7
_RECORD_FIELDS = 9

_NOWHERE = 0x7FFFFFFF


class _Loop(NamedTuple):
    """Arrays of the loop; a place is the index of a token's first cell."""

    state: Int64s
    capacity: Int64s
    wanted: Int64s
    symbols: Int32s  # the cells at the beginning
    cells: Int32s
    weights: Int32s  # per cell: count of its word; if negative, -1 - an index into large_counts
    large_counts: Int64s  # counts of 2**31 or more
    spans: Int32s  # begin and end in changes of where a token was written; the previous span of this token, or -1
    places: Int32s
    runs: Int32s  # begin and end in places; the previous run of this pair, or -1
    pairs: Int64s  # left id << 32 | right id; count; its last run, or -1: without places; no later than the first
    #                place; rank by first count, or -1; count and tie of its valid entry in the heap; if it is touched
    slots: Int64s  # hash table of pairs: part of the key's hash << 32 | index into pairs + 1; 0 is empty
    touched: Int32s  # pairs that were added to since the last settling
    tokens: Int64s  # uses; a place where it began, and its base symbols; parts; whether it is in the vocabulary; its
    #                 last span, or -1
    spelled: Int64s  # hash table of the tokens that were made, by their base symbols: token + 1; 0 is empty
    left_sums: Int64s  # these six as in merge_loop
    right_sums: Int64s
    left_seen: Int32s
    right_seen: Int32s
    left_events: Int32s
    right_events: Int32s
    heap: Int64s  # count, tie key, index into pairs; best first
    changes: Int32s
    pieces: Int32s
    records: Int64s


@njit
def _run(loop: _Loop, stop: Number, most_changes: Number, threshold: float) -> Number:
    loop = uncounted(loop)
    state, room = loop.state, (loop.state, loop.capacity, loop.wanted)
    while state[_RECORDS] < stop and state[_CHANGES] <= most_changes:
        phase = state[_PHASE]
        if phase == _COLLECTING:
            if not _list_all(loop):
                return _GROW
            for each in range(state[_PAIRS]):
                loop.pairs[each, _IS_TOUCHED], loop.touched[each] = 1, each
            state[_TOUCHED_SIZE] = state[_PAIRS]
            state[_PHASE] = _SETTLING
        elif phase == _CHOOSING:
            pair = np.int64(-1) if state[_SIZE] >= state[_MOST] else _choose(loop)
            if pair < 0:
                return _ENDED
            if loop.runs[loop.pairs[pair, _RUN], 2] >= 0:
                _join_runs(loop, pair)
            run = loop.pairs[pair, _RUN]
            length: Number = loop.runs[run, 1] - loop.runs[run, 0]
            neighbours = 2 * min(length, state[_TOKENS] + 1)
            if not _has_room(room, np.int64(1), neighbours, 4 * length, np.int64(0)):
                return _GROW
            if _is_full(state, loop.places, 2 * length):
                _list_all(loop)
            _merge(loop, pair)
            state[_PHASE] = _JUDGING_X
        elif phase == _SETTLING:
            if not _has_room(room, np.int64(0), np.int64(0), np.int64(0), np.int64(0)):
                return _GROW
            if state[_TIE_BREAK] == FIRST_COUNTED:
                _rank_new(loop)
            if _next_risen(state, loop.pairs, loop.touched, np.int64(0)) < state[_TOUCHED_SIZE]:
                _find_risen(loop)
            _settle(state, loop.pairs, loop.heap, loop.touched)
            state[_PHASE] = _CHOOSING
        else:
            if _is_used_up(state, phase, threshold) and not _remove(loop, phase):
                return _GROW
            state[_PHASE] = phase + 1
    return _RUNNING


@njit
def _has_room(
    room: tuple[Int64s, Int64s, Int64s], spans: Number, pairs: Number, changes: Number, pieces: Number
) -> Any:
    """Whether there is room for these additions, for a token and an event, and for the touched pairs in the heap."""
    state, capacity, wanted = room
    more = (spans, pairs, changes, pieces, np.int64(1), np.int64(1), state[_TOUCHED_SIZE])
    fits = True
    for field in range(_GROWING):
        wanted[field] = state[field] + more[field]
        fits = fits and wanted[field] <= capacity[field]
    return fits


@njit
def _list_all(loop: _Loop) -> Any:
    """Count all tokens and pairs, and write the places of pairs, each in one run; False without room.

    First by left id, then by right id.
    """
    state, cells, tokens, pairs, slots = loop.state, loop.cells, loop.tokens, loop.pairs, loop.slots
    weights, large_counts, places, runs = loop.weights, loop.large_counts, loop.places, loop.runs
    sums, seen = loop.right_sums, loop.right_seen
    least, nothing, room = _least_listed(state), np.int64(0), (state, loop.capacity, loop.wanted)
    state[_PLACES] = state[_RUNS] = 0
    for pair in range(state[_PAIRS]):
        pairs[pair, _RUN] = -1
    starts = np.zeros(state[_TOKENS] + 1, np.int64)
    for cell in range(cells.size):
        if cells[cell] >= 0:
            starts[cells[cell] + 1] += 1
    for left in range(state[_TOKENS]):
        starts[left + 1] += starts[left]
    by_left = np.empty(starts[state[_TOKENS]], np.int32)
    ends = starts[:-1].copy()
    for cell in range(cells.size):
        if cells[cell] >= 0:
            by_left[ends[cells[cell]]] = cell
            ends[cells[cell]] += 1
    for left in range(state[_TOKENS]):
        width = tokens[left, _WIDTH]
        uses = seen_size = np.int64(0)
        for i in range(starts[left], ends[left]):
            place = np.int64(by_left[i])
            weight = _weight(weights, large_counts, place)
            uses += weight
            right = cells[place + width]
            if right >= 0:
                if sums[right, 1] == 0:
                    seen[seen_size] = right
                    seen_size += 1
                sums[right, 0] += weight
                sums[right, 1] += 1
        tokens[left, _USES] = uses
        if state[_PHASE] == _COLLECTING and not _has_room(room, nothing, seen_size, nothing, nothing):
            _clear(sums, seen, seen_size)
            return False
        for i in range(seen_size):
            right = seen[i]
            pair = _pair_of(state, pairs, slots, np.int64(left), np.int64(right))
            pairs[pair, _COUNT], pairs[pair, _FIRST] = sums[right, 0], _NOWHERE
            is_listed = sums[right, 0] >= least or max(left, right) < state[_FIRST_NEW_ID]
            sums[right, 0] = pair
            sums[right, 1] = _add_run(state, runs, pairs, pair, sums[right, 1]) if is_listed else -1
        for i in range(starts[left], ends[left]):
            place = np.int64(by_left[i])
            right = cells[place + width]
            if right >= 0 and sums[right, 1] >= 0:
                places[sums[right, 1]] = place
                sums[right, 1] += 1
        _set_firsts(pairs, runs, places, sums, seen, seen_size)
        _clear(sums, seen, seen_size)
    return True


@njit
def _set_firsts(pairs: Int64s, runs: Int32s, places: Int32s, sums: Int64s, seen: Int32s, seen_size: Number) -> None:
    """Set the first places of the pairs sums[seen[:seen_size], 0], which have new runs where column 1 is not -1."""
    for i in range(seen_size):
        if sums[seen[i], 1] >= 0:
            pair = sums[seen[i], 0]
            pairs[pair, _FIRST] = min(pairs[pair, _FIRST], places[runs[pairs[pair, _RUN], 0]])


@njit
def _least_listed(state: Int64s) -> Number:
    """Count from which pairs have places."""
    return 1 if state[_TIE_BREAK] == FIRST_COUNTED else state[_FLOOR]


@njit
def _is_full(state: Int64s, places: Int32s, more: Number) -> Any:
    """Whether there is no room for this many more places, and for a run of each."""
    return max(state[_PLACES], state[_RUNS]) + more > places.size


@njit
def _add_run(state: Int64s, runs: Int32s, pairs: Int64s, pair: Number, length: Number) -> Number:
    """Add a run of places to a pair; return where it begins."""
    run, begin = state[_RUNS], state[_PLACES]
    runs[run, 0], runs[run, 1], runs[run, 2] = begin, begin + length, pairs[pair, _RUN]
    pairs[pair, _RUN] = run
    state[_RUNS], state[_PLACES] = run + 1, begin + length
    return begin


@njit
def _join_runs(loop: _Loop, pair: Number) -> None:
    """Join the runs of a pair to one in the order of the text."""
    pairs, runs, places, cells = loop.pairs, loop.runs, loop.places, loop.cells
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    width = loop.tokens[left, _WIDTH]
    length = size = 0
    run: Number = pairs[pair, _RUN]
    while run >= 0:
        length += runs[run, 1] - runs[run, 0]
        run = np.int64(runs[run, 2])
    found = np.empty(length, np.int32)
    run = pairs[pair, _RUN]
    while run >= 0:
        for i in range(runs[run, 0], runs[run, 1]):
            found[size] = places[i]
            size += _occurs_at(cells, np.int64(places[i]), width, left, right)
        run = np.int64(runs[run, 2])
    _set_places(loop, pair, found[:size])


@njit
def _set_places(loop: _Loop, pair: Number, found: Int32s) -> None:
    """Give a pair its places, each of them once or more often, in any order."""
    state, pairs, places = loop.state, loop.pairs, loop.places
    listed = np.unique(found)
    if _is_full(state, places, listed.size):
        _list_all(loop)  # its places among them
        return
    pairs[pair, _RUN] = -1
    begin = _add_run(state, loop.runs, pairs, pair, np.int64(listed.size))
    places[begin : begin + listed.size] = listed
    pairs[pair, _FIRST] = listed[0]


@njit
def _find_places(loop: _Loop, pair: Number) -> None:
    """Find the places of a pair that has none listed, from those of one of its tokens that is not a base symbol."""
    state, pairs, tokens, cells = loop.state, loop.pairs, loop.tokens, loop.cells
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    width = tokens[left, _WIDTH]
    by_right = left < state[_FIRST_NEW_ID] or (
        right >= state[_FIRST_NEW_ID] and tokens[right, _USES] < tokens[left, _USES]
    )
    found = _places_of(loop, right if by_right else left)
    size = 0
    for i in range(found.size):
        place = np.int64(found[i])
        found[size] = _previous(cells, place) if by_right else place
        size += _occurs_at(cells, np.int64(found[size]), width, left, right)
    _set_places(loop, pair, found[:size])


@njit
def _places_of(loop: _Loop, token: Number) -> Int32s:
    """Places of a token that was made, each of them once or more often, in any order."""
    spans, changes, cells = loop.spans, loop.changes, loop.cells
    size = 0
    span: Number = loop.tokens[token, _SPAN]
    while span >= 0:
        size += (spans[span, 1] - spans[span, 0]) // 2
        span = np.int64(spans[span, 2])
    found = np.empty(size + 1, np.int32)
    size = 0
    span = loop.tokens[token, _SPAN]
    while span >= 0:
        for i in range(spans[span, 0], spans[span, 1], 2):
            found[size] = changes[i]
            size += (changes[i + 1] == token) & (cells[changes[i]] == token)
        span = np.int64(spans[span, 2])
    return found[:size]


@njit
def _add_span(state: Int64s, spans: Int32s, tokens: Int64s, token: Number, begin: Number) -> None:
    """Record that the changes from `begin` on wrote a token."""
    span = state[_SPANS]
    spans[span, 0], spans[span, 1], spans[span, 2] = begin, state[_CHANGES], tokens[token, _SPAN]
    tokens[token, _SPAN] = span
    state[_SPANS] = span + 1


@njit
def _choose(loop: _Loop) -> Number:
    """The pair that merges next, or -1."""
    state = loop.state
    while True:
        pair = _best(state, loop.pairs, loop.heap, loop.tokens, loop.cells, loop.runs, loop.places)
        if pair >= 0:
            if state[_TIE_BREAK] != FIRST_SEEN or _is_first_known(loop.pairs, loop.tokens, loop.cells, pair):
                return pair
            _find_first(loop, pair)
        elif state[_FLOOR] <= state[_LEAST]:
            return pair
        else:
            state[_FLOOR] = max(state[_LEAST], state[_FLOOR] // 4)
            _list_all(loop)
            _fill_heap(loop)


@njit
def _best(
    state: Int64s, pairs: Int64s, heap: Int64s, tokens: Int64s, cells: Int32s, runs: Int32s, places: Int32s
) -> Number:
    """The pair at the top of the heap, or -1; if its places are in several runs, its first place is unknown."""
    tie_break = state[_TIE_BREAK]
    while state[_HEAP] > 0:
        pair = heap[0, 2]
        if heap[0, 0] != pairs[pair, _QUEUED] or heap[0, 1] != pairs[pair, _QUEUED_TIE]:
            _pop(heap, state)  # a later entry is valid
            continue
        if pairs[pair, _COUNT] < state[_FLOOR]:
            pairs[pair, _QUEUED] = 0
            _pop(heap, state)
            continue
        if tie_break == FIRST_SEEN:
            left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
            width, run = tokens[left, _WIDTH], pairs[pair, _RUN]
            if not _occurs_at(cells, pairs[pair, _FIRST], width, left, right):
                if runs[run, 2] >= 0:
                    return pair
                at = np.int64(runs[run, 0])
                while not _occurs_at(cells, np.int64(places[at]), width, left, right):
                    at += 1
                runs[run, 0], pairs[pair, _FIRST] = at, places[at]
        tie = _tie(pairs, tie_break, pair)
        if pairs[pair, _COUNT] == heap[0, 0] and tie == heap[0, 1]:
            return pair
        pairs[pair, _QUEUED], pairs[pair, _QUEUED_TIE] = pairs[pair, _COUNT], tie
        _replace_top(heap, state[_HEAP], pairs[pair, _COUNT], tie, pair)
    return np.int64(-1)


@njit
def _merge(loop: _Loop, pair: Number) -> None:
    """Replace a pair everywhere, left to right, without overlap."""
    state, cells, weights, large_counts, places = loop.state, loop.cells, loop.weights, loop.large_counts, loop.places
    pairs, slots, runs, tokens, changes = loop.pairs, loop.slots, loop.runs, loop.tokens, loop.changes
    left_sums, left_seen, left_events = loop.left_sums, loop.left_seen, loop.left_events
    right_sums, right_seen, right_events = loop.right_sums, loop.right_seen, loop.right_events
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    count = pairs[pair, _COUNT]
    left_width, right_width = tokens[left, _WIDTH], tokens[right, _WIDTH]
    if not _is_first_known(pairs, tokens, cells, pair):
        _find_first(loop, pair)
    run = pairs[pair, _RUN]
    made = _token_of((state, tokens, loop.symbols, loop.spelled), left, right, pairs[pair, _FIRST])
    left_size = right_size = left_places = right_places = replaced = np.int64(0)
    doubled = np.int64(0)  # how often the pair follows itself
    last = np.int64(-1)
    first_change = change = state[_CHANGES]
    for z in range(runs[run, 0], runs[run, 1]):
        place = np.int64(places[z])
        if not _occurs_at(cells, place, left_width, left, right):
            continue
        middle = place + left_width
        start, end = _previous(cells, place), middle + right_width
        before, after = np.int64(cells[start]), np.int64(cells[end])
        weight = _weight(weights, large_counts, place)
        _join(cells, place, middle, end, made)
        changes[change], changes[change + 1], changes[change + 2], changes[change + 3] = place, made, middle, -1
        change += 4
        replaced += weight
        if before >= 0 and start != last:
            if left_sums[before, 1] == 0:
                left_seen[left_size] = before
                left_size += 1
            left_sums[before, 0] += weight
            left_sums[before, 1] += 1
            left_events[left_places, 0], left_events[left_places, 1] = before, start
            left_places += 1
        last = place
        if after >= 0:
            # The same pair directly after it is merged next: the two new tokens become neighbours, counted here.
            if after == left and cells[end + left_width] == right:
                after = made
                doubled += weight
            if right_sums[after, 1] == 0:
                right_seen[right_size] = after
                right_size += 1
            right_sums[after, 0] += weight
            right_sums[after, 1] += 1
            right_events[right_places, 0], right_events[right_places, 1] = after, place
            right_places += 1
    state[_CHANGES] = change
    _add_span(state, loop.spans, tokens, made, first_change)
    befores, afters = (left_sums, left_seen, left_size), (right_sums, right_seen, right_size)
    _lower_neighbours(slots, pairs, (left, right, made), befores, afters, doubled)
    arrays = (state, pairs, slots, runs, loop.touched)
    _gain_places(arrays, places, made, (left_sums, left_seen, left_events), left_size, left_places, False)
    _gain_places(arrays, places, made, (right_sums, right_seen, right_events), right_size, right_places, True)
    pairs[pair, _COUNT], pairs[pair, _FIRST], pairs[pair, _RUN] = 0, _NOWHERE, -1
    _record_merge(state, tokens, loop.records, (left, right, made), count, replaced)


@njit
def _lower_neighbours(
    slots: Int64s,
    pairs: Int64s,
    ids: tuple[Number, Number, Number],
    befores: tuple[Int64s, Int32s, Number],
    afters: tuple[Int64s, Int32s, Number],
    doubled: Number,
) -> None:
    """Lower the counts of neighbouring pairs that a merge broke; `doubled`: how often the pair followed itself."""
    left, right, made = ids
    sums, seen, size = befores
    for i in range(size):
        _lower(slots, pairs, np.int64(seen[i]), left, sums[seen[i], 0])
    sums, seen, size = afters
    for i in range(size):
        after = np.int64(seen[i])
        lost = sums[after, 0] - (doubled if after == made else 0)
        if lost > 0:
            _lower(slots, pairs, right, after, lost)
    if doubled > 0:
        _lower(slots, pairs, right, left, doubled)


@njit
def _record_merge(
    state: Int64s,
    tokens: Int64s,
    records: Int64s,
    ids: tuple[Number, Number, Number],
    count: Number,
    replaced: Number,
) -> None:
    """Record a merge, and count the uses of its tokens and of the one that it made."""
    left, right, made = ids
    state[_X], state[_Y], state[_MADE], state[_REPLACED] = left, right, made, replaced
    state[_X_COUNT], state[_Y_COUNT] = tokens[left, _USES], tokens[right, _USES]
    kind = NEW_MERGE - tokens[made, _IS_THERE]
    _record(state, records, kind, (left, right, made, count, replaced, tokens[left, _USES], tokens[right, _USES]))
    state[_SIZE] += kind
    tokens[made, _IS_THERE] = 1
    tokens[made, _USES] += replaced
    tokens[left, _USES] -= replaced
    tokens[right, _USES] -= replaced


@njit
def _gain_places(
    arrays: tuple[Int64s, Int64s, Int64s, Int32s, Int32s],
    places: Int32s,
    made: Number,
    side: tuple[Int64s, Int32s, Int32s],
    size: Number,
    count: Number,
    is_left: Number,
) -> None:
    """Add the pairs of the new token with its neighbours on one side, and their places; `is_left`: it is the left."""
    pairs, runs = arrays[1], arrays[3]
    sums, seen, events = side
    _gain(arrays, made, sums, seen, size, is_left)
    _put_places(places, sums, events, count)
    _set_firsts(pairs, runs, places, sums, seen, size)
    _clear(sums, seen, size)


@njit
def _gain(
    arrays: tuple[Int64s, Int64s, Int64s, Int32s, Int32s],
    made: Number,
    sums: Int64s,
    seen: Int32s,
    seen_size: Number,
    is_left: Number,
) -> None:
    """Add what a merge has counted to the pairs of `made`, on the left or on the right; reserve their places."""
    state, pairs, slots, runs, touched = arrays
    least = _least_listed(state)
    for i in range(seen_size):
        other = np.int64(seen[i])
        left, right = (made, other) if is_left else (other, made)
        pair = _pair_of(state, pairs, slots, left, right)
        before, after = pairs[pair, _COUNT], pairs[pair, _COUNT] + sums[other, 0]
        _touch(state, pairs, touched, pair)
        pairs[pair, _COUNT], sums[other, 0] = after, pair
        is_listed = pairs[pair, _RUN] >= 0 or (before == 0 and after >= least)
        sums[other, 1] = _add_run(state, runs, pairs, pair, sums[other, 1]) if is_listed else -1


@njit
def _touch(state: Int64s, pairs: Int64s, touched: Int32s, pair: Number) -> None:
    """Note that a pair was added to."""
    touched[state[_TOUCHED_SIZE]] = pair  # without a branch: overwritten if the pair is already listed
    state[_TOUCHED_SIZE] += 1 - pairs[pair, _IS_TOUCHED]
    pairs[pair, _IS_TOUCHED] = 1


@njit
def _record(state: Int64s, records: Int64s, kind: Number, fields: tuple[Number, ...]) -> None:
    event = state[_RECORDS]
    records[event, 0] = kind
    for field in range(len(fields)):
        records[event, 1 + field] = fields[field]
    records[event, _RECORD_FIELDS - 1] = state[_CHANGES]
    state[_RECORDS] += 1


@njit
def _token_of(arrays: tuple[Int64s, Int64s, Int32s, Int64s], left: Number, right: Number, start: Number) -> Number:
    """The token that a pair makes, of which one begins at the place `start`."""
    state, tokens, symbols, spelled = arrays
    width = tokens[left, _WIDTH] + tokens[right, _WIDTH]
    slot = _slot_of(symbols, spelled, tokens, start, width)
    if spelled[slot] == 0:
        made = state[_TOKENS]
        spelled[slot] = made + 1
        tokens[made, _START], tokens[made, _WIDTH], tokens[made, _LEFT], tokens[made, _RIGHT] = (
            start,
            width,
            left,
            right,
        )
        state[_TOKENS] += 1
    return spelled[slot] - 1


@njit
def _slot_of(symbols: Int32s, spelled: Int64s, tokens: Int64s, start: Number, width: Number) -> Number:
    """Slot of the token with these base symbols, or the empty one where it belongs."""
    mixed: Number = np.int64(width)
    for place in range(start, start + width):
        mixed = _hash(mixed ^ np.int64(symbols[place]))
    mask = spelled.size - 1
    slot = mixed & mask
    while spelled[slot] != 0:
        token = spelled[slot] - 1
        if tokens[token, _WIDTH] == width and _is_same(symbols, tokens[token, _START], start, width):
            break
        slot = (slot + 1) & mask
    return slot


@njit
def _is_same(symbols: Int32s, one: Number, other: Number, width: Number) -> Any:
    for i in range(width):  # noqa: SIM110 - Numba compiles no generator expressions
        if symbols[one + i] != symbols[other + i]:
            return False
    return True


@njit
def _fill_spelled(symbols: Int32s, spelled: Int64s, tokens: Int64s, first: Number, end: Number) -> None:
    for token in range(first, end):
        spelled[_slot_of(symbols, spelled, tokens, tokens[token, _START], tokens[token, _WIDTH])] = token + 1


@njit
def _is_used_up(state: Int64s, phase: Number, threshold: float) -> Any:
    """Whether the last merge has used up one of its tokens; two that are the same are judged once."""
    token, count = state[_X], state[_X_COUNT]
    if phase == _JUDGING_Y:
        if state[_Y] == token:
            return False
        token, count = state[_Y], state[_Y_COUNT]
    return token >= state[_FIRST_NEW_ID] and state[_REPLACED] / count >= threshold


@njit
def _remove(loop: _Loop, phase: Number) -> Any:
    """Remove one token of the last merge; False without room."""
    state, tokens = loop.state, loop.tokens
    token, count = state[_X], state[_X_COUNT]
    if phase == _JUDGING_Y:
        token, count = state[_Y], state[_Y_COUNT]
    nothing, room = np.int64(0), (state, loop.capacity, loop.wanted)
    if not _has_room(room, nothing, nothing, nothing, tokens[token, _WIDTH]):
        return False
    was_there = tokens[token, _IS_THERE]
    tokens[token, _IS_THERE] = 0
    begin = state[_PIECES]
    end = _take_apart(loop, token)
    number = end - begin
    found = np.unique(_places_of(loop, token))
    if not _has_room(room, number, 2 * found.size + number, 2 * found.size * number, number):
        tokens[token, _IS_THERE] = was_there
        return False
    if _is_full(state, loop.places, found.size * (number + 1)):
        _list_all(loop)
    remaining = tokens[token, _USES]
    state[_SIZE] -= was_there
    state[_PIECES] = end
    _split(loop, token, found, begin, end)
    _record(
        state, loop.records, np.int64(REMOVAL), (token, state[_MADE], state[_REPLACED], count, remaining, begin, end)
    )
    return True


@njit
def _take_apart(loop: _Loop, token: Number) -> Number:
    """Write the pieces of a token that is not in the vocabulary after all others; return where they end."""
    state, tokens, pieces = loop.state, loop.tokens, loop.pieces
    end: Number = state[_PIECES]
    start, width = tokens[token, _START], tokens[token, _WIDTH]
    if state[_INTO_BASE]:
        for place in range(start, start + width):
            pieces[end] = loop.symbols[place]
            end += 1
        return end
    pending = np.empty(width, np.int64)
    pending[0] = token
    size = 1
    while size > 0:
        size -= 1
        piece = pending[size]
        if piece < state[_FIRST_NEW_ID] or tokens[piece, _IS_THERE]:
            pieces[end] = piece
            end += 1
        else:
            pending[size], pending[size + 1] = tokens[piece, _RIGHT], tokens[piece, _LEFT]
            size += 2
    return end


@njit
def _split(loop: _Loop, token: Number, found: Int32s, begin: Number, end_of_pieces: Number) -> None:
    """Replace a token by pieces[begin:end_of_pieces] at its places."""
    state, cells, pairs, slots, runs, places = loop.state, loop.cells, loop.pairs, loop.slots, loop.runs, loop.places
    tokens, pieces, changes, touched = loop.tokens, loop.pieces, loop.changes, loop.touched
    weights, large_counts, spans = loop.weights, loop.large_counts, loop.spans
    first_change = state[_CHANGES]
    for each in range(found.size):
        place = np.int64(found[each])
        start, end = _previous(cells, place), place + tokens[token, _WIDTH]
        before, after = np.int64(cells[start]), np.int64(cells[end])
        weight = _weight(weights, large_counts, place)
        if before >= 0:
            _lower(slots, pairs, before, token, weight)
        if after >= 0:
            _lower(slots, pairs, token, after, weight)
        for i in range(begin, end_of_pieces):
            piece = np.int64(pieces[i])
            _put(cells, place, piece, tokens[piece, _WIDTH])
            _change(state, changes, place, piece)
            tokens[piece, _USES] += weight
            if before >= 0:
                gained = _pair_of(state, pairs, slots, before, piece)
                _touch(state, pairs, touched, gained)
                _add(state, pairs, runs, places, gained, start, weight)
            before, start = piece, place
            place += tokens[piece, _WIDTH]
        if after >= 0:
            gained = _pair_of(state, pairs, slots, before, after)
            _touch(state, pairs, touched, gained)
            _add(state, pairs, runs, places, gained, start, weight)
    for i in range(begin, end_of_pieces):
        _add_span(state, spans, tokens, np.int64(pieces[i]), first_change)
    tokens[token, _USES], tokens[token, _SPAN] = 0, -1


@njit
def _put(cells: Int32s, place: Number, token: Number, width: Number) -> None:
    """Write a token into its cells."""
    cells[place] = token
    if width > 1:
        cells[place + 1] = cells[place + width - 1] = -width


@njit
def _change(state: Int64s, changes: Int32s, place: Number, token: Number) -> None:
    size = state[_CHANGES]
    changes[size], changes[size + 1] = place, token
    state[_CHANGES] = size + 2


@njit
def _settle(state: Int64s, pairs: Int64s, heap: Int64s, touched: Int32s) -> None:
    """Put the pairs that were added to since the last settling into the heap."""
    tie_break = state[_TIE_BREAK]
    for i in range(state[_TOUCHED_SIZE]):
        pair = np.int64(touched[i])
        pairs[pair, _IS_TOUCHED] = 0
        count, tie = pairs[pair, _COUNT], _tie(pairs, tie_break, pair)
        queued = pairs[pair, _QUEUED]
        if count >= state[_FLOOR] and (count > queued or (count == queued and tie < pairs[pair, _QUEUED_TIE])):
            pairs[pair, _QUEUED], pairs[pair, _QUEUED_TIE] = count, tie
            _push(heap, state[_HEAP], count, tie, pair)
            state[_HEAP] += 1
    state[_TOUCHED_SIZE] = 0


@njit
def _find_risen(loop: _Loop) -> None:
    """Find the places of pairs that have risen to the floor since the last settling."""
    state, touched = loop.state, loop.touched
    at = _next_risen(state, loop.pairs, touched, np.int64(0))
    while at < state[_TOUCHED_SIZE]:
        _find_places(loop, np.int64(touched[at]))
        at = _next_risen(state, loop.pairs, touched, at + 1)


@njit
def _next_risen(state: Int64s, pairs: Int64s, touched: Int32s, at: Number) -> Number:
    """Index of the next touched pair without places that reaches the floor, or their number."""
    least = _least_listed(state)
    while at < state[_TOUCHED_SIZE] and (pairs[touched[at], _COUNT] < least or pairs[touched[at], _RUN] >= 0):
        at += 1
    return at


@njit
def _rank_new(loop: _Loop) -> None:
    """Rank the pairs that are counted for the first time, by their first places."""
    state, pairs, touched = loop.state, loop.pairs, loop.touched
    keys = np.empty(state[_TOUCHED_SIZE], np.int64)
    size = 0
    for i in range(state[_TOUCHED_SIZE]):
        pair = np.int64(touched[i])
        if pairs[pair, _COUNT] > 0 and pairs[pair, _CREATED] < 0:
            if not _is_first_known(pairs, loop.tokens, loop.cells, pair):
                _find_first(loop, pair)
            keys[size] = (pairs[pair, _FIRST] << np.int64(32)) | pair
            size += 1
    for key in np.sort(keys[:size]):
        pairs[key & np.int64(_LOW), _CREATED] = state[_COUNTED]
        state[_COUNTED] += 1


@njit
def _fill_heap(loop: _Loop) -> None:
    """Put all pairs that reach the floor into the heap, which is empty."""
    state, pairs, heap = loop.state, loop.pairs, loop.heap
    tie_break = state[_TIE_BREAK]
    for pair in range(state[_PAIRS]):
        count = pairs[pair, _COUNT]
        if count >= state[_FLOOR]:
            tie = _tie(pairs, tie_break, pair)
            pairs[pair, _QUEUED], pairs[pair, _QUEUED_TIE] = count, tie
            _push(heap, state[_HEAP], count, tie, np.int64(pair))
            state[_HEAP] += 1


@njit
def _tie(pairs: Int64s, tie_break: Number, pair: Number) -> Number:
    """Tie key of a pair: among equal counts, the smaller comes first."""
    if tie_break == LOWEST_IDS:
        return pairs[pair, _KEY]
    return pairs[pair, _FIRST] if tie_break == FIRST_SEEN else pairs[pair, _CREATED]


@njit
def _is_first_known(pairs: Int64s, tokens: Int64s, cells: Int32s, pair: Number) -> Any:
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    return _occurs_at(cells, pairs[pair, _FIRST], tokens[left, _WIDTH], left, right)


@njit
def _find_first(loop: _Loop, pair: Number) -> None:
    """Set the first place of a pair that occurs; before, it may be outdated."""
    if loop.runs[loop.pairs[pair, _RUN], 2] >= 0:
        _join_runs(loop, pair)
    pairs, runs, places = loop.pairs, loop.runs, loop.places
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    width, run = loop.tokens[left, _WIDTH], pairs[pair, _RUN]
    at = np.int64(runs[run, 0])
    while not _occurs_at(loop.cells, np.int64(places[at]), width, left, right):
        at += 1
    runs[run, 0], pairs[pair, _FIRST] = at, places[at]


@njit
def _occurs_at(cells: Int32s, place: Number, width: Number, left: Number, right: Number) -> Any:
    """Whether a pair still occurs at a place; `width`: of its left token."""
    return (cells[place] == left) & (cells[place + width] == right)


@njit
def _lower(slots: Int64s, pairs: Int64s, left: Number, right: Number, weight: Number) -> None:
    """Lower the count of a pair."""
    pairs[_find(slots, pairs, _pair_key(left, right)), _COUNT] -= weight


@njit
def _pair_of(state: Int64s, pairs: Int64s, slots: Int64s, left: Number, right: Number) -> Number:
    """Index of a pair, which may be new."""
    key = _pair_key(left, right)
    mixed, mask = _hash(key), slots.size - 1
    slot = mixed & mask
    while slots[slot] != 0:
        if slots[slot] >> np.int64(32) == mixed >> np.int64(32):
            pair = (slots[slot] & np.int64(_LOW)) - 1
            if pairs[pair, _KEY] == key:
                return pair
        slot = (slot + 1) & mask
    pair = state[_PAIRS]
    state[_PAIRS] += 1
    slots[slot] = ((mixed >> np.int64(32)) << np.int64(32)) | (pair + 1)
    for field in range(_PAIR_FIELDS):
        pairs[pair, field] = 0
    pairs[pair, _KEY], pairs[pair, _RUN], pairs[pair, _FIRST], pairs[pair, _CREATED] = key, -1, _NOWHERE, -1
    return pair


@njit
def _add(
    state: Int64s, pairs: Int64s, runs: Int32s, places: Int32s, pair: Number, place: Number, weight: Number
) -> None:
    """Add a place of a pair; it is not listed if the other places of the pair are not."""
    is_listed = pairs[pair, _RUN] >= 0 or pairs[pair, _COUNT] == 0
    pairs[pair, _COUNT] += weight
    if is_listed:
        places[_add_run(state, runs, pairs, pair, np.int64(1))] = place
        pairs[pair, _FIRST] = min(pairs[pair, _FIRST], place)
