"""Encoding, compiled: each distinct word is encoded once, then the text's tokens are laid out with their offsets.

The merge of the lowest rank that any pair of a word has is applied, leftmost first, until none is left. For short words
all pairs are looked at before each merge; those of long words are kept in a heap, so that the time grows as n log n.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_core.arrays import ReadOnlyArrays, read_only
from bpe_core.kernels.backend import njit
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import TextWords

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike


Bytes = NDArray[np.uint8]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Number = Any  # in the kernels: an integer, Python's or Numba's
Result = TypeVar("Result")


class TextTokens(NamedTuple):
    """The tokens of a text in text order: int32 arrays of equal length.

    ids           the ids of the tokens
    starts, ends  byte range of each token in the UTF-8 of the text
    word_ids      which word of the text the token belongs to

    >>> words = TextWords(np.array([0]), np.array([2]), np.array([0], np.int32))
    >>> tokens = lay_out(b"ab", words, Words(np.array([7, 8], np.int32), np.array([0, 2])), [1, 1])
    >>> tokens.ids.tolist(), tokens.starts.tolist(), tokens.word_ids.tolist()
    ([7, 8], [0, 1], [0, 0])
    """

    ids: Int32s
    starts: Int32s
    ends: Int32s
    word_ids: Int32s


class PairTable(ReadOnlyArrays):
    """A lookup table of what pairs merge into: (left id, right id) → (rank, new id).

    Takes parallel arrays of integers from 0 to 2**31 - 1; of a pair that occurs twice, the first row is used.
    Without `ranks`, the rank is the row number.

    >>> table = PairTable([97, 256], [97, 98], [256, 257])
    >>> word = Words(np.array([97, 97, 98, 97], np.int32), np.array([0, 4]))
    >>> encode_words(word, table).symbols.tolist(), encode_words(word, table, limit=1).symbols.tolist()
    ([257, 97], [256, 98, 97])
    """

    def __init__(self, lefts: ArrayLike, rights: ArrayLike, ids: ArrayLike, ranks: ArrayLike | None = None) -> None:
        new_ids = _int32s(ids)
        # At most a quarter full, so that even a lookup that fails rarely probes twice.
        rows = np.full((1 << max(4, (4 * new_ids.size).bit_length()), 2), -1, np.int64)
        order = np.arange(new_ids.size, dtype=np.int32) if ranks is None else _int32s(ranks)
        _fill_rows(rows, _int32s(lefts), _int32s(rights), order, new_ids)
        self.rows = read_only(rows)


class EncodedSymbols(NamedTuple):
    """The tokens that the symbols of many words were merged into.

    words   the tokens' ids, int32, and the offsets at which those of each word begin, int64
    places  int64: the index of the first symbol of each token

    >>> word = Words(np.array([97, 97, 98], np.int32), np.array([0, 3]))
    >>> encode_symbols(word, PairTable([97], [97], [256])).places.tolist()
    [0, 2]
    """

    words: Words
    places: Int64s


def encode_words(words: Words, table: PairTable, *, limit: int | None = None, wholes: ArrayLike | None = None) -> Words:
    """The words of `encode_symbols`, without the places.

    >>> word = Words(np.array([97, 97, 98], np.int32), np.array([0, 3]))
    >>> encode_words(word, PairTable([97], [97], [256])).symbols.tolist()
    [256, 98]
    """
    return encode_symbols(words, table, limit=limit, wholes=wholes).words


def encode_symbols(
    words: Words, table: PairTable, *, limit: ArrayLike | None = None, wholes: ArrayLike | None = None
) -> EncodedSymbols:
    """The words after all merges of a rank below `limit` (None: all ranks), one for all or int32[words].

    Releases the GIL; uses all cores.

    `wholes` int32[words]: the id that a word gets without any merge, or -1; tiktoken does so for a word that is itself
    a token.

    >>> word = Words(np.array([97, 97, 98], np.int32), np.array([0, 3]))
    >>> encode_symbols(word, PairTable([97], [97], [256])).words.symbols.tolist()
    [256, 98]
    """
    symbols, offsets = _int32s(words.symbols), np.require(words.offsets, np.int64, ["C", "W"])
    count = offsets.size - 1
    whole_ids = np.full(count, -1, np.int32) if wholes is None else _int32s(wholes)
    limits = np.full(count, (1 << 31) - 1 if limit is None else limit, np.int32)
    edges = [int(np.searchsorted(offsets[:-1], place)) for place in _edges(symbols.size, symbols.size)[:-1]]
    encoded = _in_threads(
        lambda first, last: _encode(
            symbols, offsets[first : last + 1], table.rows, limits[first:last], whole_ids[first:last]
        ),
        [*edges, count],
    )
    ids, places, sizes = encoded[0] if len(encoded) == 1 else map(np.concatenate, zip(*encoded, strict=True))
    return EncodedSymbols(Words(ids, np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])), places)


def lay_out(text: bytes, words: TextWords, encoded: Words, lengths: ArrayLike) -> TextTokens:
    """The tokens of a text, from those of its distinct words. Uses all cores.

    `words`: where each word occurs and which distinct word it is; `encoded`: the tokens of the distinct words;
    `lengths` int32: the bytes that each of these tokens covers. Raises ValueError for a text of 2 GiB or more.

    >>> from bpe_core.kernels.scan import WordTable
    >>> text, table = "aé a".encode(), WordTable()
    >>> words = table.index(text, "gpt2")  # 'aé', ' a'
    >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
    >>> [column.tolist() for column in lay_out(text, words, encoded, [2, 1, 2])]
    [[7, 8, 9], [0, 2, 3], [2, 3, 5], [0, 0, 1]]
    """
    _check_size(text)
    word_starts, which = _int32s(words.starts), _int32s(words.word_ids)
    offsets, token_lengths = np.require(encoded.offsets, np.int64, ["C", "W"]), _int32s(lengths)
    token_ids = _int32s(encoded.symbols)
    edges = _edges(which.size, len(text))
    totals = _in_threads(lambda first, last: _count_tokens(which[first:last], offsets), edges)
    total = sum(totals)
    ids, token_words = np.empty(total, np.int32), np.empty(total, np.int32)
    if int(words.ends.sum() - words.starts.sum()) == len(text):  # no gaps: a token starts where the last one ended
        bounds = np.zeros(total + 1, np.int32)
        starts, ends = bounds[:-1], bounds[1:]
    else:
        starts, ends = np.empty(total, np.int32), np.empty(total, np.int32)
    distinct, tokens = _DistinctWords(offsets, token_ids, token_lengths), TextTokens(ids, starts, ends, token_words)
    first_tokens = dict(zip(edges[:-1], np.cumsum([0, *totals]).tolist(), strict=False))

    def lay_out_part(first: int, last: int) -> None:
        _lay_out(word_starts, which, first, last, distinct, first_tokens[first], tokens)

    _in_threads(lay_out_part, edges)
    return tokens


def lay_out_ids(word_ids: Sequence[Int32s], encoded: Words) -> Int32s:
    """The ids alone of the tokens that `lay_out` gives: `word_ids` says which distinct word each word is, in parts.

    >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
    >>> lay_out_ids([np.array([1, 0], np.int32), np.array([1], np.int32)], encoded).tolist()
    [9, 7, 8, 9]
    """
    parts = [each[at : at + _SMALLEST_PART] for each in word_ids for at in range(0, each.size, _SMALLEST_PART)]
    offsets, token_ids = np.require(encoded.offsets, np.int64, ["C", "W"]), _int32s(encoded.symbols)
    edges = _edges(len(parts), 4 * sum(each.size for each in parts))
    totals = _in_threads(lambda first, last: [_count_tokens(each, offsets) for each in parts[first:last]], edges)
    begins = np.cumsum([0, *chain.from_iterable(totals)])
    ids = np.empty(begins[-1], np.int32)

    def lay_out_parts(first: int, last: int) -> None:
        for part, begin in zip(parts[first:last], begins[first:last], strict=True):
            _lay_out_ids(part, offsets, token_ids, ids[begin:])

    _in_threads(lay_out_parts, edges)
    return ids


def character_ranges(text: bytes, starts: Int32s, ends: Int32s) -> tuple[Int32s, Int32s]:
    """The characters that ascending byte ranges of the text touch, as the first and one after the last (int32).

    An empty range touches none. Uses all cores. Raises ValueError for a text of 2 GiB or more.

    >>> firsts, lasts = character_ranges("aこ".encode(), np.array([0, 1, 2], np.int32), np.array([1, 2, 4], np.int32))
    >>> firsts.tolist(), lasts.tolist()
    ([0, 1, 1], [1, 2, 2])
    """
    _check_size(text)
    if text.isascii():
        return starts, ends
    data, starts, ends = np.frombuffer(text, np.uint8), _int32s(starts), _int32s(ends)
    firsts, lasts = np.empty(starts.size, np.int32), np.empty(starts.size, np.int32)
    _in_threads(
        lambda first, last: _character_ranges(data, starts, ends, first, last, firsts, lasts),
        _edges(starts.size, len(text)),
    )
    return firsts, lasts


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    words = Words(np.zeros(_SHORT + 1, np.int32), np.array([0, 1, _SHORT + 1]))
    encoded = encode_words(words, PairTable([0], [0], [1]), limit=1)
    edges = np.arange(3, dtype=np.int32)
    found = TextWords(edges[:-1], edges[1:], np.zeros(2, np.int32))
    lay_out_ids([found.word_ids], encoded)
    tokens = lay_out("é".encode(), found, encoded, np.ones(encoded.symbols.size, np.int32))
    character_ranges("é".encode(), tokens.starts, tokens.ends)


class _Links(NamedTuple):
    """The symbols of one word as a linked list, and the merge of each with the one after it."""

    ids: Int32s
    nexts: Int32s
    previous: Int32s
    made: Int32s  # the new id of the pair that starts here
    order: Int64s  # rank << 32 | place of that pair, the largest number where there is none


class _DistinctWords(NamedTuple):
    """The tokens of the distinct words, for laying out a text."""

    offsets: Int64s
    ids: Int32s
    lengths: Int32s


_SHORT = 192  # symbols up to which scanning all pairs of a word is faster than a heap

_SMALLEST_PART = 1 << 17  # symbols, or bytes of text, that are worth starting another thread for


def _int32s(numbers: ArrayLike) -> Int32s:
    return np.require(numbers, np.int32, ["C", "W"])


def _check_size(text: bytes) -> None:
    if len(text) >= 1 << 31:
        raise ValueError(f"The text has {len(text):,} bytes; its offsets must fit in 31 bits. Encode it in parts.")


def _edges(items: int, size: int) -> list[int]:
    """The edges of equal parts of the items, one for each thread that work of this size is worth."""
    parts = max(1, min(os.cpu_count() or 1, size // _SMALLEST_PART, items))
    return [items * part // parts for part in range(parts + 1)]


def _in_threads(work: Callable[[int, int], Result], edges: Sequence[int]) -> list[Result]:
    """The results for each part between two edges, in order."""
    if len(edges) == 2:
        return [work(edges[0], edges[1])]
    with ThreadPoolExecutor(len(edges) - 1) as threads:
        return list(threads.map(work, edges[:-1], edges[1:]))


@njit
def _first_row(key: Number, rows: Int64s) -> Number:
    mixed = key * np.int64(-7046029254386353131)  # 2**64 / golden ratio, odd (Knuth's multiplicative hashing)
    return (mixed >> np.int64(32)) & np.int64(rows.shape[0] - 1)


@njit
def _fill_rows(rows: Int64s, lefts: Int32s, rights: Int32s, ranks: Int32s, ids: Int32s) -> None:
    """Fill the hash table. A row is left << 32 | right (-1 when empty), then rank << 32 | new id."""
    mask = np.int64(rows.shape[0] - 1)
    for i in range(lefts.size):
        key = np.int64(lefts[i]) << np.int64(32) | np.int64(rights[i])
        row = _first_row(key, rows)
        while rows[row, 0] != -1 and rows[row, 0] != key:
            row = (row + 1) & mask
        if rows[row, 0] == -1:
            rows[row, 0] = key
            rows[row, 1] = np.int64(ranks[i]) << np.int64(32) | np.int64(ids[i])


@njit
def _lookup(rows: Int64s, left: Number, right: Number) -> Number:
    """rank << 32 | new id, or the largest number when the pair never merges."""
    mask = np.int64(rows.shape[0] - 1)
    key = np.int64(left) << np.int64(32) | np.int64(right)
    row = _first_row(key, rows)
    while rows[row, 0] != key:
        if rows[row, 0] == -1:
            return np.int64(0x7FFFFFFFFFFFFFFF)
        row = (row + 1) & mask
    return rows[row, 1]


@njit
def _encode(
    symbols: Int32s, offsets: Int64s, rows: Int64s, limits: Int32s, wholes: Int32s
) -> tuple[Int32s, Int64s, Int64s]:
    """The ids of the words' tokens, the first symbol of each, and how many each word has."""
    longest: Number = 1
    for word in range(wholes.size):
        longest = max(longest, offsets[word + 1] - offsets[word])
    ids, nexts, previous = np.empty(longest, np.int32), np.empty(longest, np.int32), np.empty(longest, np.int32)
    order = np.empty(longest, np.int64)
    links = _Links(ids, nexts, previous, np.empty(longest, np.int32), order)
    heap = np.empty(3 * longest if longest > _SHORT else 0, np.int64)
    # A word that is a token by itself has one even if none of its characters is a symbol.
    found = np.empty(offsets[-1] - offsets[0] + wholes.size, np.int32)
    places = np.empty(found.size, np.int64)
    sizes = np.empty(wholes.size, np.int64)
    at: Number = 0
    for word in range(wholes.size):
        first = at
        if wholes[word] >= 0:
            found[at] = wholes[word]
            places[at] = offsets[word]
            at += 1
        else:
            size, limit = offsets[word + 1] - offsets[word], np.int64(limits[word])
            for z in range(size):
                ids[z] = symbols[offsets[word] + z]
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
            i: Number = 0
            while i < size:
                found[at] = ids[i]
                places[at] = offsets[word] + i
                at += 1
                i = np.int64(nexts[i])
        sizes[word] = at - first
    return found[:at].copy(), places[:at].copy(), sizes


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
def _apply(rows: Int64s, limit: Number, links: _Links, size: Number, place: Number) -> None:
    """Merge the pair at `place`, and look up the two new pairs around it."""
    ids, nexts, previous, made, order = links
    second = np.int64(nexts[place])
    following = np.int64(nexts[second])
    ids[place] = made[place]
    nexts[place] = following
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
    while True:
        best = np.int64(0x7FFFFFFFFFFFFFFF)
        for i in range(size):
            best = min(best, order[i])
        if best == 0x7FFFFFFFFFFFFFFF:
            break
        _apply(rows, limit, links, size, best & np.int64(0xFFFFFFFF))


@njit
def _merge_long(rows: Int64s, limit: Number, links: _Links, size: Number, heap: Int64s) -> None:
    order, previous = links.order, links.previous
    entries = np.int64(0)
    for i in range(size):
        if order[i] != 0x7FFFFFFFFFFFFFFF:
            entries = _push(heap, entries, order[i])
    while entries > 0:
        best = heap[0]
        entries = _pop(heap, entries)
        place = best & np.int64(0xFFFFFFFF)
        if order[place] != best:  # outdated: the pair has changed since
            continue
        before = np.int64(previous[place])
        _apply(rows, limit, links, size, place)
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


@njit
def _count_tokens(word_ids: Int32s, offsets: Int64s) -> Number:
    total = np.int64(0)
    for i in range(word_ids.size):
        total += offsets[word_ids[i] + 1] - offsets[word_ids[i]]
    return total


@njit
def _lay_out_ids(word_ids: Int32s, offsets: Int64s, symbols: Int32s, ids: Int32s) -> None:
    token: Number = 0
    for word in range(word_ids.size):
        for i in range(offsets[word_ids[word]], offsets[word_ids[word] + 1]):
            ids[token] = symbols[i]
            token += 1


@njit
def _lay_out(
    word_starts: Int32s,
    word_ids: Int32s,
    first: Number,
    last: Number,
    distinct: _DistinctWords,
    token: Number,
    tokens: TextTokens,
) -> None:
    """Lay out the tokens of the words first … last - 1; `token`: how many come before them."""
    offsets, symbols, lengths = distinct
    ids, starts, ends, token_words = tokens
    for word in range(first, last):
        at = np.int64(word_starts[word])
        for i in range(offsets[word_ids[word]], offsets[word_ids[word] + 1]):
            ids[token] = symbols[i]
            token_words[token] = word
            starts[token] = at
            at += lengths[i]
            ends[token] = at
            token += 1


@njit
def _count_characters(data: Bytes, start: Number, end: Number) -> Number:
    """How many characters begin in data[start:end]."""
    part = data[start:end]
    total = np.int64(0)
    for i in range(part.size):
        total += (part[i] & 0xC0) != 0x80
    return total


@njit
def _character_ranges(
    data: Bytes, starts: Int32s, ends: Int32s, first: Number, last: Number, firsts: Int32s, lasts: Int32s
) -> None:
    """Fill in `firsts` and `lasts` for the ranges first … last - 1."""
    at = np.int64(starts[first]) if first < last else np.int64(0)
    characters = _count_characters(data, 0, at)  # that begin before `at`
    for block in range(first, last, 256):
        stop = min(block + 256, last)
        if not _has_high_bytes(data, at, ends[stop - 1]):
            ahead = at - characters  # how many more bytes than characters come before `at`
            for i in range(block, stop):
                firsts[i] = starts[i] - ahead
                lasts[i] = ends[i] - ahead
            characters += ends[stop - 1] - at
            at = np.int64(ends[stop - 1])
            continue
        for i in range(block, stop):
            start, end = np.int64(starts[i]), np.int64(ends[i])
            while at < start:
                characters += (data[at] & 0xC0) != 0x80
                at += 1
            firsts[i] = characters - (start < end and (data[start] & 0xC0) == 0x80)
            while at < end:
                characters += (data[at] & 0xC0) != 0x80
                at += 1
            lasts[i] = characters if start < end else firsts[i]


@njit
def _has_high_bytes(data: Bytes, start: Number, end: Number) -> Any:
    part = data[start:end]
    union = np.uint8(0)
    for i in range(part.size):
        union |= part[i]
    return union >= 0x80
