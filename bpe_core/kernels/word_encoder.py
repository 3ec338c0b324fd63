"""Compiled encoding of a text's distinct words, once each; `layout` assembles the tokens of the text.

The merge of the lowest rank is applied, leftmost first, until none is left. In short words all pairs are scanned before
each merge; those of long words are kept in a heap, so the time is O(n log n).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bpe_core.arrays import Int32s, Int64s, ReadOnlyArrays, int32s, read_only, sorted_place
from bpe_core.kernels import threads
from bpe_core.kernels.backend import Number, njit
from bpe_core.kernels.borrowed_arrays import uncounted
from bpe_core.kernels.merge_loop import Words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class PairTable(ReadOnlyArrays):
    """Lookup table of merges: (left id, right id) → (rank, new id).

    Accepts parallel arrays of integers from 0 to 2**31 - 1; of duplicate pairs, the first row is used. Without `ranks`,
    the rank is the row number.

    >>> table = PairTable([97, 256], [97, 98], [256, 257])
    >>> word = Words(np.array([97, 97, 98, 97], np.int32), np.array([0, 4]))
    >>> encode_words(word, table).symbols.tolist(), encode_words(word, table, limit=1).symbols.tolist()
    ([257, 97], [256, 98, 97])
    """

    def __init__(self, lefts: ArrayLike, rights: ArrayLike, ids: ArrayLike, ranks: ArrayLike | None = None) -> None:
        new_ids = int32s(ids)
        # At most half full: a lookup probes twice now and then, but in half of the memory.
        rows = np.full((1 << max(4, (2 * new_ids.size).bit_length()), 2), -1, np.int64)
        order = np.arange(new_ids.size, dtype=np.int32) if ranks is None else int32s(ranks)
        _fill_rows(rows, int32s(lefts), int32s(rights), order, new_ids)
        self.rows = read_only(rows)


class EncodedSymbols(NamedTuple):
    """Tokens merged from the symbols of many words.

    words   int32 ids of the tokens, and int64 offsets of each word's tokens
    places  int64: index of the first symbol of each token

    >>> word = Words(np.array([97, 97, 98], np.int32), np.array([0, 3]))
    >>> encode_symbols(word, PairTable([97], [97], [256])).places.tolist()
    [0, 2]
    """

    words: Words
    places: Int64s


def encode_words(words: Words, table: PairTable, *, limit: int | None = None, wholes: ArrayLike | None = None) -> Words:
    """As `encode_symbols`, without the places.

    >>> word = Words(np.array([97, 97, 98], np.int32), np.array([0, 3]))
    >>> encode_words(word, PairTable([97], [97], [256])).symbols.tolist()
    [256, 98]
    """
    return encode_symbols(words, table, limit=limit, wholes=wholes).words


def encode_symbols(
    words: Words, table: PairTable, *, limit: ArrayLike | None = None, wholes: ArrayLike | None = None
) -> EncodedSymbols:
    """Apply all merges of a rank below `limit` (None: all ranks): one limit for all words, or int32[words].

    Releases the GIL; uses all cores.

    `wholes` int32[words]: the id of a word encoded without any merge, or -1; tiktoken does so for a word that is a
    token.

    >>> word = Words(np.array([97, 97, 98], np.int32), np.array([0, 3]))
    >>> encode_symbols(word, PairTable([97], [97], [256])).words.symbols.tolist()
    [256, 98]
    """
    symbols, offsets = int32s(words.symbols), np.require(words.offsets, np.int64, ["C", "W"])
    count = offsets.size - 1
    whole_ids = np.full(count, -1, np.int32) if wholes is None else int32s(wholes)
    limits = np.full(count, (1 << 31) - 1 if limit is None else limit, np.int32)
    shares = threads.parts(symbols.size, symbols.size)
    edges = [*(sorted_place(offsets[:-1], first) for first, _ in shares), count]

    def encode_share(first: int, last: int) -> tuple[Int32s, Int64s, Int64s]:
        own = offsets[first : last + 1]
        sizes = np.empty(last - first, np.int64)
        # A word that is itself a token gets one token even if none of its characters is a symbol.
        ids = np.empty(int(own[-1] - own[0]) + last - first, np.int32)
        places = np.empty(ids.size, np.int64)
        found = _Found(ids, places, sizes)
        count = _encode(symbols, own, table.rows, limits[first:last], whole_ids[first:last], _room(own), found)
        return ids[:count].copy(), places[:count].copy(), sizes

    encoded = threads.in_threads(encode_share, list(pairwise(edges)))
    ids, places, sizes = encoded[0] if len(encoded) == 1 else map(np.concatenate, zip(*encoded, strict=True))
    return EncodedSymbols(Words(ids, np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])), places)


def joined_at(words: Words, table: PairTable) -> Int32s:
    """For each symbol, the highest rank applied by the time it is joined to the previous symbol.

    int32, one entry per symbol. `encode_symbols` with a `limit` joins the symbols whose entry is below it. NEVER for
    symbols that no merge joins, and for the first of each word.

    >>> word = Words(np.array([97, 97, 98, 97], np.int32), np.array([0, 4]))
    >>> found = joined_at(word, PairTable([97, 256], [97, 98], [256, 257], [5, 2]))
    >>> (found == NEVER).tolist(), found[1:3].tolist()
    ([True, False, False, True], [5, 5])
    """
    symbols, offsets = int32s(words.symbols), np.require(words.offsets, np.int64, ["C", "W"])
    joined = np.empty(symbols.size, np.int32)
    shares = threads.parts(symbols.size, symbols.size)
    edges = [*(sorted_place(offsets[:-1], first) for first, _ in shares), offsets.size - 1]

    def find_share(first: int, last: int) -> None:
        own = offsets[first : last + 1]
        links, heap = _room(own)
        _join(symbols, own, table.rows, links, heap, joined)

    threads.in_threads(find_share, list(pairwise(edges)))
    return joined


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    words = Words(np.zeros(_SHORT + 1, np.int32), np.array([0, 1, _SHORT + 1]))
    table = PairTable([0], [0], [1])
    encode_words(words, table, limit=1)
    joined_at(words, table)


class _Links(NamedTuple):
    """Symbols of one word as a linked list, and the merge of each with the next one."""

    ids: Int32s
    nexts: Int32s
    previous: Int32s
    made: Int32s  # new id of the pair that starts here
    order: Int64s  # rank << 32 | place of that pair, the largest number if there is none


class _Found(NamedTuple):
    """Tokens of many words: ids, first symbol of each, and the number of each word's tokens."""

    ids: Int32s
    places: Int64s
    sizes: Int64s


NEVER = (1 << 31) - 1
"""Value of `joined_at` for a symbol that no merge joins."""

_SHORT = 192  # number of symbols up to which scanning all pairs of a word is faster than a heap


def _room(offsets: Int64s) -> tuple[_Links, Int64s]:
    """Allocate links for the longest word, and the heap that it may need."""
    longest = max(1, int(np.diff(offsets).max(initial=0)))
    ids, nexts, previous, made = (np.empty(longest, np.int32) for _ in range(4))
    heap = np.empty(3 * longest if longest > _SHORT else 0, np.int64)
    return _Links(ids, nexts, previous, made, np.empty(longest, np.int64)), heap


@njit
def _first_row(key: Number, size: Number) -> Number:
    mixed = key * np.int64(-7046029254386353131)  # 2**64 / golden ratio, odd (Knuth's multiplicative hashing)
    return (mixed >> np.int64(32)) & np.int64(size - 1)


@njit
def _fill_rows(rows: Int64s, lefts: Int32s, rights: Int32s, ranks: Int32s, ids: Int32s) -> None:
    """Fill the hash table. A row is left << 32 | right (-1 when empty), then rank << 32 | new id."""
    mask = np.int64(rows.shape[0] - 1)
    for i in range(lefts.size):
        key = np.int64(lefts[i]) << np.int64(32) | np.int64(rights[i])
        row = _first_row(key, rows.shape[0])
        while rows[row, 0] != -1 and rows[row, 0] != key:
            row = (row + 1) & mask
        if rows[row, 0] == -1:
            rows[row, 0] = key
            rows[row, 1] = np.int64(ranks[i]) << np.int64(32) | np.int64(ids[i])


@njit
def _lookup(rows: Int64s, left: Number, right: Number) -> Number:
    """rank << 32 | new id, or the largest number if the pair never merges."""
    mask = np.int64(rows.shape[0] - 1)
    key = np.int64(left) << np.int64(32) | np.int64(right)
    row = _first_row(key, rows.shape[0])
    while rows[row, 0] != key:
        if rows[row, 0] == -1:
            return np.int64(0x7FFFFFFFFFFFFFFF)
        row = (row + 1) & mask
    return rows[row, 1]


@njit
def _encode(
    symbols: Int32s,
    offsets: Int64s,
    rows: Int64s,
    limits: Int32s,
    wholes: Int32s,
    room: tuple[_Links, Int64s],
    encoded: _Found,
) -> Number:
    """Fill in the tokens of the words. Returns their number.

    The caller allocates all memory: a kernel that allocates loads a part of Numba that takes longer to import than all
    kernels to load.
    """
    given_links, heap = room
    links = uncounted(given_links)
    symbols, rows, heap = uncounted((symbols, rows, heap))
    ids, nexts = links.ids, links.nexts
    found, places, sizes = encoded
    at: Number = 0
    for word in range(wholes.size):
        first = at
        if wholes[word] >= 0:
            found[at] = wholes[word]
            places[at] = offsets[word]
            at += 1
        else:
            size = offsets[word + 1] - offsets[word]
            _merge_word(symbols, offsets[word], rows, np.int64(limits[word]), links, size, heap)
            i: Number = 0
            while i < size:
                found[at] = ids[i]
                places[at] = offsets[word] + i
                at += 1
                i = np.int64(nexts[i])
        sizes[word] = at - first
    return at


@njit
def _join(symbols: Int32s, offsets: Int64s, rows: Int64s, links: _Links, heap: Int64s, joined: Int32s) -> None:
    """Fill in `joined_at` for the symbols of these words."""
    nexts, previous = links.nexts, links.previous
    for word in range(offsets.size - 1):
        start, size = offsets[word], offsets[word + 1] - offsets[word]
        _merge_word(symbols, start, rows, np.int64(0x7FFFFFFF), links, size, heap)
        for z in range(size):
            joined[start + z] = previous[z]
        i: Number = 0
        while i < size:
            joined[start + i] = 0x7FFFFFFF
            i = np.int64(nexts[i])


@njit
def _merge_word(
    symbols: Int32s, start: Number, rows: Int64s, limit: Number, links: _Links, size: Number, heap: Int64s
) -> None:
    """Merge the word of `size` symbols from `start` on. `previous` of a symbol that was joined is its `joined_at`."""
    ids, nexts, previous, _, order = links
    for z in range(size):
        ids[z] = symbols[start + z]
        nexts[z] = z + 1
        previous[z] = z - 1
    if size > 1:
        for z in range(size - 1):
            _set_order(rows, limit, links, z, z + 1)
        order[size - 1] = 0x7FFFFFFFFFFFFFFF
        if size <= _SHORT:
            _merge_short(rows, limit, links, size)
        else:
            _merge_long(rows, limit, links, size, heap)


@njit
def _set_order(rows: Int64s, limit: Number, links: _Links, place: Number, following: Number) -> None:
    """Look up the pair of the symbols at `place` and `following`."""
    made, order = links.made, links.order
    value = _lookup(rows, links.ids[place], links.ids[following])
    rank = value >> np.int64(32)
    if value != 0x7FFFFFFFFFFFFFFF and rank < limit:
        made[place] = value & np.int64(0xFFFFFFFF)
        order[place] = rank << np.int64(32) | place
    else:
        order[place] = 0x7FFFFFFFFFFFFFFF


@njit
def _apply(rows: Int64s, limit: Number, links: _Links, size: Number, place: Number, highest: Number) -> None:
    """Merge the pair at `place`, and look up the two new pairs around it. `highest`: the highest rank so far."""
    ids, nexts, previous, made, order = links
    second = np.int64(nexts[place])
    following = np.int64(nexts[second])
    ids[place] = made[place]
    nexts[place] = following
    previous[second] = highest
    order[second] = 0x7FFFFFFFFFFFFFFF
    order[place] = 0x7FFFFFFFFFFFFFFF
    if following < size:
        previous[following] = place
        _set_order(rows, limit, links, place, following)
    before = np.int64(previous[place])
    if before >= 0:
        _set_order(rows, limit, links, before, place)


@njit
def _merge_short(rows: Int64s, limit: Number, links: _Links, size: Number) -> None:
    order = links.order
    highest = np.int64(0)
    while True:
        best = np.int64(0x7FFFFFFFFFFFFFFF)
        for i in range(size):
            best = min(best, order[i])
        if best == 0x7FFFFFFFFFFFFFFF:
            break
        highest = max(highest, best >> np.int64(32))
        _apply(rows, limit, links, size, best & np.int64(0xFFFFFFFF), highest)


@njit
def _merge_long(rows: Int64s, limit: Number, links: _Links, size: Number, heap: Int64s) -> None:
    order, previous = links.order, links.previous
    entries = np.int64(0)
    highest = np.int64(0)
    for i in range(size):
        if order[i] != 0x7FFFFFFFFFFFFFFF:
            entries = _push(heap, entries, order[i])
    while entries > 0:
        best = heap[0]
        entries = _pop(heap, entries)
        place = best & np.int64(0xFFFFFFFF)
        if order[place] != best:  # stale: the pair has changed since
            continue
        before = np.int64(previous[place])
        highest = max(highest, best >> np.int64(32))
        _apply(rows, limit, links, size, place, highest)
        if order[place] != 0x7FFFFFFFFFFFFFFF:
            entries = _push(heap, entries, order[place])
        if before >= 0 and order[before] != 0x7FFFFFFFFFFFFFFF:
            entries = _push(heap, entries, order[before])


@njit
def _push(heap: Int64s, entries: Number, value: Number) -> Number:
    entry = entries
    while entry > 0 and heap[(entry - 1) >> 1] > value:
        heap[entry] = heap[(entry - 1) >> 1]
        entry = (entry - 1) >> 1
    heap[entry] = value
    return entries + 1


@njit
def _pop(heap: Int64s, entries: Number) -> Number:
    entries -= 1
    value = heap[entries]
    entry = np.int64(0)
    while True:
        child = 2 * entry + 1
        if child >= entries:
            break
        if child + 1 < entries and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[entry] = heap[child]
        entry = child
    heap[entry] = value
    return entries
