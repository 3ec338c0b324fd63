"""Loop of PickyBPE training, compiled: merges of the most frequent pair, and removals of what they have used up.

The structures are those of `merge_loop`, except where a removal breaks what they rest on: it gives back tokens and
pairs that were there before, so that counts rise again, and first places move left.

- The cells are those of `merge_loop`. A place is the index of a token's first cell. Cells do not move, and a token is
  spelled by the base symbols from any of its places on, so two tokens are the same if these are.
- Each pair, and each token that was made, has a list of its places. It is linked, since places are added at any time.
  Places are not taken out, but skipped where the pair or the token is no longer there. Each event adds its places from
  left to right, so a list is sorted only if several events added to it, and only when its order is needed.
- The entries of the heap are checked when they reach the top, as there. A pair whose count has risen, or whose first
  place has moved left, gets another entry, and the former one is dropped when it reaches the top.
- Pairs below a floor are not in the heap while better ones are left. When it is empty, the floor is lowered.
- Functions that run for every place take arrays one by one, and no branch surrounds their calls that take arrays: Numba
  would count references to each array at each call, which took more time than all else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.kernels.backend import Number, njit
from bpe_core.kernels.merge_loop import (
    _HEAP,
    _KEY,
    _LOW,
    _SEPARATOR,
    FIRST_COUNTED,
    FIRST_SEEN,
    LOWEST_IDS,
    _fill_slots,
    _find,
    _hash,
    _join,
    _lay_out,
    _pair_key,
    _pop,
    _previous,
    _push,
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
        capacity = np.array([2 * size + 1024, pairs, 6 * size + 1024, 1024, tokens, 1024, pairs], np.int64)
        self._loop = _Loop(
            state=np.zeros(_STATE_FIELDS, np.int64),
            capacity=capacity,
            wanted=np.zeros(_GROWING, np.int64),
            symbols=cells.copy(),
            cells=cells,
            weights=weights,
            large_counts=large_counts,
            nodes=np.empty((capacity[_NODES], 2), np.int32),
            pairs=np.empty((pairs, _PAIR_FIELDS), np.int64),
            slots=np.zeros(2 * pairs, np.int64),
            touched=np.empty(pairs + 1, np.int32),
            tokens=np.zeros((tokens, _TOKEN_FIELDS), np.int64),
            spelled=np.zeros(_twice(tokens), np.int64),
            known=np.full((tokens, 4), -1, np.int32),
            seen=np.empty(2 * tokens, np.int32),
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
        state[_FREE], state[_PHASE] = -1, _COLLECTING

    def run(self, events: int, *, threshold: float, into_base: bool = False, most_changes: int = 1 << 62) -> int:
        """Go on for up to `events` events and return their number; fewer only at the end. Releases the GIL.

        threshold     score from which a token is removed, 0.0 … 1.0
        into_base     whether what is left of it is split into base symbols, instead of its parts
        most_changes  also stops after the event with which `changes` has become longer
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

        Only by FIRST_COUNTED.
        """
        pairs = self._loop.pairs[: self._loop.state[_PAIRS]]
        found = pairs[pairs[:, _BORN] >= 0]
        keys = found[np.argsort(found[:, _BORN]), _KEY]
        return np.column_stack((keys >> 32, keys & _LOW))

    def _grow(self) -> None:
        """Make room for what the loop wants: twice of what there is, at least."""
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
                known=np.full((size[_TOKENS], 4), -1, np.int32),
                seen=np.empty(2 * size[_TOKENS], np.int32),
            )
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
    """The array with room for `size` rows, and for one that is overwritten."""
    grown = np.zeros((size + 1, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


# Result of _run that requires another call after growing the arrays.
_RUNNING, _ENDED, _GROW = 0, 1, 2

# Fields of _Loop.state; the first ones are the sizes of arrays that grow, as are those of capacity and wanted.
_NODES, _PAIRS, _CHANGES, _PIECES, _TOKENS, _RECORDS, _GROWING = 0, 1, 2, 3, 4, 5, 7  # 6 is _HEAP
_FIRST_NEW_ID, _MOST, _TIE_BREAK, _INTO_BASE, _LEAST, _FLOOR, _SIZE = 7, 8, 9, 10, 11, 12, 13
_FREE, _TOUCHED_SIZE, _COUNTED, _PHASE = 14, 15, 16, 17
_X, _Y, _MADE, _REPLACED, _X_COUNT, _Y_COUNT, _STATE_FIELDS = 18, 19, 20, 21, 22, 23, 24  # of the last merge

_NAMES = {
    "nodes": _NODES,
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

# Columns of _Loop.pairs and of _Loop.tokens: a list of places
_HEAD, _TAIL, _LENGTH, _IS_SORTED = 1, 2, 3, 4
# Columns of _Loop.pairs; 0 is _KEY
_COUNT, _FIRST, _BORN, _QUEUED, _QUEUED_TIE, _IS_TOUCHED, _PAIR_FIELDS = 5, 6, 7, 8, 9, 10, 11
# Columns of _Loop.tokens
_USES, _START, _WIDTH, _LEFT, _RIGHT, _IS_THERE, _TOKEN_FIELDS = 0, 5, 6, 7, 8, 9, 10
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
    nodes: Int32s  # of all lists: place, next node or -1
    pairs: Int64s  # left id << 32 | right id; list; count; no later than the first place; rank by first count, or -1;
    #                count and tie key of its valid entry in the heap; whether it is in touched
    slots: Int64s  # hash table of pairs: part of the key's hash << 32 | index into pairs + 1; 0 is empty
    touched: Int32s  # pairs that were added to since the last settling
    tokens: Int64s  # uses; list; a place where it began, and its base symbols; parts; whether it is in the vocabulary
    spelled: Int64s  # hash table of the tokens that were made, by their base symbols: token + 1; 0 is empty
    known: Int32s  # per token, only during a merge: indices of the pairs that it loses and gains as a neighbour, or -1
    seen: Int32s  # tokens that have known pairs
    heap: Int64s  # count, tie key, index into pairs; best first
    changes: Int32s
    pieces: Int32s
    records: Int64s


@njit
def _run(loop: _Loop, stop: Number, most_changes: Number, threshold: float) -> Number:
    state = loop.state
    while state[_RECORDS] < stop and state[_CHANGES] <= most_changes:
        phase = state[_PHASE]
        if phase == _COLLECTING:
            if not _collect(loop):
                return _GROW
            state[_PHASE] = _SETTLING
        elif phase == _CHOOSING:
            pair = np.int64(-1) if state[_SIZE] >= state[_MOST] else _choose(loop)
            if pair < 0:
                return _ENDED
            length = loop.pairs[pair, _LENGTH]
            if not _has_room(loop, 3 * length, min(length, state[_TOKENS] + 1) * 2, 4 * length, np.int64(0)):
                return _GROW
            _merge(loop, pair)
            state[_PHASE] = _JUDGING_X
        elif phase == _SETTLING:
            if not _has_room(loop, np.int64(0), np.int64(0), np.int64(0), np.int64(0)):
                return _GROW
            if state[_TIE_BREAK] == FIRST_COUNTED:
                _rank_new(loop)
            _settle(state, loop.pairs, loop.heap, loop.touched)
            state[_PHASE] = _CHOOSING
        else:
            if _is_used_up(state, phase, threshold) and not _remove(loop, phase):
                return _GROW
            state[_PHASE] = phase + 1
    return _RUNNING


@njit
def _has_room(loop: _Loop, nodes: Number, pairs: Number, changes: Number, pieces: Number) -> Any:
    """Whether there is room for so much more, for a token and an event, and for the touched pairs in the heap."""
    state, capacity, wanted = loop.state, loop.capacity, loop.wanted
    more = (nodes, pairs, changes, pieces, np.int64(1), np.int64(1), state[_TOUCHED_SIZE])
    fits = True
    for field in range(_GROWING):
        wanted[field] = state[field] + more[field]
        fits = fits and wanted[field] <= capacity[field]
    return fits


@njit
def _collect(loop: _Loop) -> Any:
    """Count the tokens and pairs of the base symbols, with each list in one piece; False without room."""
    state, cells, pairs, slots, tokens = loop.state, loop.cells, loop.pairs, loop.slots, loop.tokens
    nodes, weights, large_counts = loop.nodes, loop.weights, loop.large_counts
    capacity = loop.capacity[_PAIRS]
    found = np.empty(cells.size, np.int32)
    for place in range(cells.size - 1):
        if cells[place] < 0 or cells[place + 1] < 0:
            continue
        if state[_PAIRS] == capacity:
            _has_room(loop, np.int64(0), np.int64(1), np.int64(0), np.int64(0))
            state[_PAIRS] = 0
            return False
        pair = _pair_of(state, pairs, slots, np.int64(cells[place]), np.int64(cells[place + 1]))
        pairs[pair, _LENGTH] += 1
        found[place] = pair
    _reserve_lists(loop)
    for place in range(cells.size):
        if cells[place] < 0:
            continue
        weight = _weight(weights, large_counts, place)
        tokens[cells[place], _USES] += weight
        if cells[place + 1] >= 0:
            pair = np.int64(found[place])
            pairs[pair, _COUNT] += weight
            pairs[pair, _FIRST] = min(pairs[pair, _FIRST], place)
            pairs[pair, _TAIL] += 1
            nodes[pairs[pair, _TAIL], 0] = place
    for token in range(state[_FIRST_NEW_ID]):
        tokens[token, _WIDTH] = 1
    return True


@njit
def _reserve_lists(loop: _Loop) -> None:
    """Link as many nodes as each pair has places; the tail is before the first of them until places are written."""
    state, pairs, nodes = loop.state, loop.pairs, loop.nodes
    for pair in range(state[_PAIRS]):
        begin, end = state[_NODES], state[_NODES] + pairs[pair, _LENGTH]
        for node in range(begin, end):
            nodes[node, 1] = node + 1
        nodes[end - 1, 1] = -1
        pairs[pair, _HEAD], pairs[pair, _TAIL], pairs[pair, _IS_SORTED], pairs[pair, _IS_TOUCHED] = (
            begin,
            begin - 1,
            1,
            1,
        )
        loop.touched[pair] = pair
        state[_NODES] = end
    state[_TOUCHED_SIZE] = state[_PAIRS]


@njit
def _choose(loop: _Loop) -> Number:
    """The pair that merges next, or -1."""
    state, pairs, heap, nodes, cells = loop.state, loop.pairs, loop.heap, loop.nodes, loop.cells
    tie_break, tokens = state[_TIE_BREAK], loop.tokens
    while True:
        if state[_HEAP] == 0:
            if state[_FLOOR] <= state[_LEAST]:
                return np.int64(-1)
            state[_FLOOR] = max(state[_LEAST], state[_FLOOR] // 4)
            _fill_heap(loop)
            continue
        pair = heap[0, 2]
        if heap[0, 0] != pairs[pair, _QUEUED] or heap[0, 1] != pairs[pair, _QUEUED_TIE]:
            _pop(heap, state)  # a later entry is valid
            continue
        if pairs[pair, _COUNT] < state[_FLOOR]:
            pairs[pair, _QUEUED] = 0
            _pop(heap, state)
            continue
        if tie_break == FIRST_SEEN:
            width = tokens[pairs[pair, _KEY] >> np.int64(32), _WIDTH]
            if not _is_first_known(pairs, cells, pair, width):
                _find_first(state, pairs, nodes, cells, pair, width)
        tie = _tie(pairs, tie_break, pair)
        if pairs[pair, _COUNT] == heap[0, 0] and tie == heap[0, 1]:
            return pair
        pairs[pair, _QUEUED], pairs[pair, _QUEUED_TIE] = pairs[pair, _COUNT], tie
        _replace_top(heap, state[_HEAP], pairs[pair, _COUNT], tie, pair)


@njit
def _merge(loop: _Loop, pair: Number) -> None:
    """Replace a pair everywhere, left to right, without overlap."""
    state, cells, weights, large_counts, nodes = loop.state, loop.cells, loop.weights, loop.large_counts, loop.nodes
    pairs, tokens, changes, known, seen = loop.pairs, loop.tokens, loop.changes, loop.known, loop.seen
    slots, touched = loop.slots, loop.touched
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    count = pairs[pair, _COUNT]
    left_width, right_width = tokens[left, _WIDTH], tokens[right, _WIDTH]
    if not _is_first_known(pairs, cells, pair, left_width):
        _find_first(state, pairs, nodes, cells, pair, left_width)
    if not pairs[pair, _IS_SORTED]:
        _sort(nodes, pairs, pair)
    made = _token_of((state, tokens, loop.symbols, loop.spelled), left, right, pairs[pair, _FIRST])
    replaced: Number = np.int64(0)
    seen_size = 0
    node: Number = pairs[pair, _HEAD]
    while node >= 0:
        place: Number = np.int64(nodes[node, 0])
        node = np.int64(nodes[node, 1])
        if not _occurs_at(cells, place, left_width, left, right):
            continue
        middle = place + left_width
        start, end = _previous(cells, place), middle + right_width
        before, after = np.int64(cells[start]), np.int64(cells[end])
        weight = _weight(weights, large_counts, place)
        _join(cells, place, middle, end, made)
        _change(state, changes, place, made)
        _change(state, changes, middle, np.int64(-1))
        _append(state, nodes, tokens, made, place)
        replaced += weight
        if before >= 0:
            if known[before, 0] < 0:
                known[before, 0] = _find(slots, pairs, _pair_key(before, left))
                known[before, 1] = _pair_of(state, pairs, slots, before, made)
                seen[seen_size] = before
                seen_size += 1
            pairs[known[before, 0], _COUNT] -= weight
            _add(state, pairs, nodes, touched, np.int64(known[before, 1]), start, weight)
        if after >= 0:
            if known[after, 2] < 0:
                known[after, 2] = _find(slots, pairs, _pair_key(right, after))
                known[after, 3] = _pair_of(state, pairs, slots, made, after)
                seen[seen_size] = after
                seen_size += 1
            pairs[known[after, 2], _COUNT] -= weight
            _add(state, pairs, nodes, touched, np.int64(known[after, 3]), place, weight)
    for i in range(seen_size):
        known[seen[i], :] = -1
    pairs[pair, _COUNT], pairs[pair, _FIRST] = 0, _NOWHERE
    _empty(state, nodes, pairs, pair)
    state[_X], state[_Y], state[_MADE], state[_REPLACED] = left, right, made, replaced
    state[_X_COUNT], state[_Y_COUNT] = tokens[left, _USES], tokens[right, _USES]
    kind = NEW_MERGE - tokens[made, _IS_THERE]
    _record(loop, kind, (left, right, made, count, replaced, tokens[left, _USES], tokens[right, _USES]))
    state[_SIZE] += kind
    tokens[made, _IS_THERE] = 1
    tokens[made, _USES] += replaced
    tokens[left, _USES] -= replaced
    tokens[right, _USES] -= replaced


@njit
def _record(loop: _Loop, kind: Number, fields: tuple[Number, ...]) -> None:
    state, records = loop.state, loop.records
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
    width, length = tokens[token, _WIDTH], tokens[token, _LENGTH]
    nothing = np.int64(0)
    if not _has_room(loop, nothing, nothing, nothing, width):
        return False
    was_there = tokens[token, _IS_THERE]
    tokens[token, _IS_THERE] = 0
    begin = state[_PIECES]
    end = _take_apart(loop, token)
    number = end - begin
    if not _has_room(loop, length * (2 * number + 1), 2 * length + number, 2 * length * number, number):
        tokens[token, _IS_THERE] = was_there
        return False
    remaining = tokens[token, _USES]
    state[_SIZE] -= was_there
    state[_PIECES] = end
    _split(loop, token, begin, end)
    _record(loop, np.int64(REMOVAL), (token, state[_MADE], state[_REPLACED], count, remaining, begin, end))
    return True


@njit
def _take_apart(loop: _Loop, token: Number) -> Number:
    """Write the pieces of a token that is not in the vocabulary behind all others; return where they end."""
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
def _split(loop: _Loop, token: Number, begin: Number, end_of_pieces: Number) -> None:
    """Replace a token by pieces[begin:end_of_pieces] everywhere."""
    state, cells, nodes, pairs, slots = loop.state, loop.cells, loop.nodes, loop.pairs, loop.slots
    tokens, pieces, changes, touched = loop.tokens, loop.pieces, loop.changes, loop.touched
    weights, large_counts = loop.weights, loop.large_counts
    if not tokens[token, _IS_SORTED]:
        _sort(nodes, tokens, token)
    node: Number = tokens[token, _HEAD]
    while node >= 0:
        place: Number = np.int64(nodes[node, 0])
        node = np.int64(nodes[node, 1])
        if cells[place] != token:
            continue
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
            if piece >= state[_FIRST_NEW_ID]:
                _append(state, nodes, tokens, piece, place)
            tokens[piece, _USES] += weight
            if before >= 0:
                gained = _pair_of(state, pairs, slots, before, piece)
                _add(state, pairs, nodes, touched, gained, start, weight)
            before, start = piece, place
            place += tokens[piece, _WIDTH]
        if after >= 0:
            gained = _pair_of(state, pairs, slots, before, after)
            _add(state, pairs, nodes, touched, gained, start, weight)
    tokens[token, _USES] = 0
    _empty(state, nodes, tokens, token)


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
def _rank_new(loop: _Loop) -> None:
    """Rank the pairs that are counted for the first time, by their first places."""
    state, pairs, touched, nodes, cells = loop.state, loop.pairs, loop.touched, loop.nodes, loop.cells
    keys = np.empty(state[_TOUCHED_SIZE], np.int64)
    size = 0
    for i in range(state[_TOUCHED_SIZE]):
        pair = np.int64(touched[i])
        if pairs[pair, _COUNT] > 0 and pairs[pair, _BORN] < 0:
            width = loop.tokens[pairs[pair, _KEY] >> np.int64(32), _WIDTH]
            if not _is_first_known(pairs, cells, pair, width):
                _find_first(state, pairs, nodes, cells, pair, width)
            keys[size] = (pairs[pair, _FIRST] << np.int64(32)) | pair
            size += 1
    for key in np.sort(keys[:size]):
        pairs[key & np.int64(_LOW), _BORN] = state[_COUNTED]
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
    return pairs[pair, _FIRST] if tie_break == FIRST_SEEN else pairs[pair, _BORN]


@njit
def _find_first(state: Int64s, pairs: Int64s, nodes: Int32s, cells: Int32s, pair: Number, width: Number) -> None:
    """Set the first place of a pair that occurs; until then it may be one where the pair was."""
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    if not pairs[pair, _IS_SORTED]:
        _sort(nodes, pairs, pair)
    head: Number = pairs[pair, _HEAD]
    while not _occurs_at(cells, np.int64(nodes[head, 0]), width, left, right):
        following = np.int64(nodes[head, 1])
        nodes[head, 1] = state[_FREE]
        state[_FREE] = head
        pairs[pair, _LENGTH] -= 1
        head = following
    pairs[pair, _HEAD] = head
    pairs[pair, _FIRST] = nodes[head, 0]


@njit
def _is_first_known(pairs: Int64s, cells: Int32s, pair: Number, width: Number) -> Any:
    left, right = pairs[pair, _KEY] >> np.int64(32), pairs[pair, _KEY] & np.int64(_LOW)
    return _occurs_at(cells, pairs[pair, _FIRST], width, left, right)


@njit
def _occurs_at(cells: Int32s, place: Number, width: Number, left: Number, right: Number) -> Any:
    """Whether a pair occurs at a place where it was before; `width` of its left token."""
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
    pairs[pair, _KEY], pairs[pair, _FIRST], pairs[pair, _BORN] = key, _NOWHERE, -1
    return pair


@njit
def _add(
    state: Int64s, pairs: Int64s, nodes: Int32s, touched: Int32s, pair: Number, place: Number, weight: Number
) -> None:
    """Add a place of a pair."""
    pairs[pair, _COUNT] += weight
    pairs[pair, _FIRST] = min(pairs[pair, _FIRST], place)
    touched[state[_TOUCHED_SIZE]] = pair  # without a branch: it is overwritten if the pair is there
    state[_TOUCHED_SIZE] += 1 - pairs[pair, _IS_TOUCHED]
    pairs[pair, _IS_TOUCHED] = 1
    _append(state, nodes, pairs, pair, place)


@njit
def _append(state: Int64s, nodes: Int32s, rows: Int64s, row: Number, place: Number) -> None:
    """Append a place to the list of a pair or of a token."""
    node = state[_FREE]
    if node >= 0:
        state[_FREE] = nodes[node, 1]
    else:
        node = state[_NODES]
        state[_NODES] += 1
    nodes[node, 0], nodes[node, 1] = place, -1
    if rows[row, _LENGTH] == 0:
        rows[row, _HEAD], rows[row, _IS_SORTED] = node, 1
    else:
        tail = rows[row, _TAIL]
        if nodes[tail, 0] > place:
            rows[row, _IS_SORTED] = 0
        nodes[tail, 1] = node
    rows[row, _TAIL] = node
    rows[row, _LENGTH] += 1


@njit
def _empty(state: Int64s, nodes: Int32s, rows: Int64s, row: Number) -> None:
    """Give all nodes of a list back."""
    if rows[row, _LENGTH] > 0:
        nodes[rows[row, _TAIL], 1] = state[_FREE]
        state[_FREE] = rows[row, _HEAD]
    rows[row, _HEAD], rows[row, _LENGTH] = -1, 0


@njit
def _sort(nodes: Int32s, rows: Int64s, row: Number) -> None:
    """Sort the places of a list."""
    places = np.empty(rows[row, _LENGTH], np.int64)
    node: Number = rows[row, _HEAD]
    for i in range(places.size):
        places[i] = nodes[node, 0]
        node = np.int64(nodes[node, 1])
    node = rows[row, _HEAD]
    for place in np.sort(places):
        nodes[node, 0] = place
        node = np.int64(nodes[node, 1])
    rows[row, _IS_SORTED] = 1
