"""Layout of a text's tokens from those of its distinct words, compiled: ids and offsets.

The index of each word's distinct word suffices: bytes and characters of words and tokens are measured once per distinct
word and summed along the text, which is not read again.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bpe_core.arrays import Bytes, Int32s, Int64s, int32s
from bpe_core.kernels import threads
from bpe_core.kernels.backend import Number, njit
from bpe_core.kernels.merge_loop import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike


class Ranges(NamedTuple):
    """Ranges of a text's tokens in its bytes or characters: int32 arrays, one entry per token.

    >>> Ranges(np.array([0, 2], np.int32), np.array([2, 3], np.int32)).ends.tolist()
    [2, 3]
    """

    starts: Int32s
    ends: Int32s


class WordRanges(NamedTuple):
    """Words of a text's tokens, as int32 arrays.

    word_ids                index of the word that each token belongs to; -1 for a special token
    word_starts, word_ends  byte range of each word

    >>> one = np.zeros(1, np.int32)
    >>> WordRanges(one, one, one + 3).word_ends.tolist()
    [3]
    """

    word_ids: Int32s
    word_starts: Int32s
    word_ends: Int32s


class Measures(NamedTuple):
    """Distinct words and their tokens, measured in bytes or characters.

    tokens  int32[tokens, 2]: first unit of a token, and the one after its last, in its word
    sizes   int32[words]: units of each word
    packed  int64[words]: the size of a word that is one token; else -1 - (index of the first token << 31 | how many)

    >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 1, 3]))
    >>> DistinctWords.of(b"lower", [0, 3, 5], encoded, [3, 1, 1]).in_bytes.packed.tolist()
    [3, -2147483651]
    """

    tokens: Int32s
    sizes: Int32s
    packed: Int64s


class DistinctWords(NamedTuple):
    """Distinct words of a text, followed by its special tokens, with their sizes.

    in_bytes       sizes of words and tokens in bytes
    in_characters  the same in characters; a token's first is the first that it touches
    specials       number of special tokens, which come last
    covered        whether the tokens of every word cover it completely

    >>> encoded = Words(np.array([7, 8], np.int32), np.array([0, 1, 2]))
    >>> words = DistinctWords.of(b"ab<s>", [0, 2, 5], encoded, [2, 3], specials=1)
    >>> words.in_bytes.sizes.tolist(), words.specials, words.covered
    ([2, 3], 1, True)
    """

    in_bytes: Measures
    in_characters: Measures
    specials: int
    covered: bool

    @classmethod
    def of(
        cls, text: bytes, offsets: ArrayLike, encoded: Words, lengths: ArrayLike, *, specials: int = 0
    ) -> DistinctWords:
        """Measure the words text[offsets[w]:offsets[w + 1]]; the tokens cover `lengths` bytes each, in order.

        >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
        >>> words = DistinctWords.of("éab".encode(), [0, 2, 4], encoded, [1, 1, 2])
        >>> words.in_bytes.tokens.tolist(), words.in_bytes.sizes.tolist()
        ([[0, 1], [1, 2], [0, 2]], [2, 2])
        >>> words.in_characters.tokens.tolist(), words.in_characters.sizes.tolist()
        ([[0, 1], [0, 1], [0, 2]], [1, 2])
        """
        begins, firsts = _int64s(offsets), _int64s(encoded.offsets)
        count = begins.size - 1
        in_bytes, in_characters = (
            Measures(np.empty((int(firsts[-1]), 2), np.int32), np.empty(count, np.int32), np.empty(count, np.int64))
            for _ in range(2)
        )
        covered = _measure(np.frombuffer(text, np.uint8), begins, firsts, int32s(lengths), in_bytes, in_characters)
        return cls(in_bytes, in_characters, specials, bool(covered))


def lay_out_ids(words: Sequence[Int32s], encoded: Words) -> Int32s:
    """Ids of the tokens of a text: `words` gives the distinct word of each word, in parts. Uses all cores.

    >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
    >>> lay_out_ids([np.array([1, 0], np.int32), np.array([1], np.int32)], encoded).tolist()
    [9, 7, 8, 9]
    """
    parts = _small_parts(words)
    offsets, token_ids = _int64s(encoded.offsets), int32s(encoded.symbols)
    tokens = np.empty(offsets.size - 1, np.int64)
    _find_tokens(offsets, token_ids, tokens)
    shares = threads.parts(len(parts), 4 * sum(each.size for each in parts))
    totals = threads.in_threads(
        lambda first, last: [_count_tokens(each, offsets) for each in parts[first:last]], shares
    )
    counts = [*chain.from_iterable(totals)]
    begins = np.cumsum([0, *counts])
    ids = np.empty(begins[-1], np.int32)

    def lay_out_share(first: int, last: int) -> None:
        for part, begin, total in zip(parts[first:last], begins[first:last], counts[first:last], strict=True):
            _lay_out_ids(part, tokens, token_ids, ids[begin : begin + total])

    threads.in_threads(lay_out_share, shares)
    return ids


class Layout:
    """Places of the tokens of a text, each kind computed on access. Uses all cores.

    `words`: the distinct word of each word, in parts. `starts`: start byte of each word; None if each starts where the
    one before it ends. Raises ValueError for a text of 2 GiB or more.

    >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
    >>> distinct = DistinctWords.of("aé a".encode(), [0, 3, 5], encoded, [2, 1, 2])
    >>> layout = Layout([np.array([0, 1], np.int32)], distinct)
    >>> [column.tolist() for each in (layout.byte_ranges(), layout.character_ranges()) for column in each]
    [[0, 2, 3], [2, 3, 5], [0, 1, 2], [2, 2, 4]]
    >>> [column.tolist() for column in layout.words()]
    [[0, 0, 1], [0, 3], [3, 5]]
    >>> [column.tolist() for column in Layout([np.array([1, 1], np.int32)], distinct, [0, 3]).words()][-2:]
    [[0, 3], [2, 5]]
    """

    def __init__(self, words: Sequence[Int32s], distinct: DistinctWords, starts: ArrayLike | None = None) -> None:
        self._distinct = distinct
        self._starts = np.empty(0, np.int32) if starts is None else int32s(starts)
        self._follows = starts is None
        self._parts = _small_parts(words)
        self._shares = threads.parts(len(self._parts), 4 * sum(each.size for each in self._parts))
        totals = threads.in_threads(
            lambda first, last: [_totals(each, distinct) for each in self._parts[first:last]], self._shares
        )
        self._begins = np.cumsum([_NOTHING, *chain.from_iterable(totals)], axis=0, dtype=np.int64)
        self._count, self._words, _, self._bytes, self._characters = self._begins[-1].tolist()
        _check_size(self._bytes)

    @property
    def is_ascii(self) -> bool:
        """Whether every character is one byte, so that ranges of characters are those of bytes.

        >>> one = DistinctWords.of("é".encode(), [0, 2], Words(np.array([7], np.int32), np.array([0, 1])), [2])
        >>> Layout([np.zeros(3, np.int32)], one).is_ascii
        False
        """
        return self._follows and self._characters == self._bytes

    @property
    def leaves_gaps(self) -> bool:
        """Whether `starts` were given, so that words may leave gaps, whose characters are not counted.

        >>> one = DistinctWords.of(b"a", [0, 1], Words(np.array([7], np.int32), np.array([0, 1])), [1])
        >>> Layout([np.zeros(2, np.int32)], one, [0, 5]).leaves_gaps
        True
        """
        return not self._follows

    def byte_ranges(self) -> Ranges:
        """Bytes of each token."""
        ranges = Ranges(*_ranges(self._count, self._follows and self._distinct.covered))
        return self._filled(self._distinct.in_bytes, _BYTES, ranges)

    def character_ranges(self) -> Ranges:
        """Characters that each token touches, of words that leave no gaps."""
        assert not self.leaves_gaps
        return self._filled(self._distinct.in_characters, _CHARACTERS, Ranges(*_ranges(self._count, shared=False)))

    def words(self) -> WordRanges:
        """Word of each token, and the bytes of each word."""
        ranges = _ranges(self._words, self._follows and not self._distinct.specials)
        found = WordRanges(np.empty(self._count, np.int32), *ranges)
        self._in_parts(lambda part, starts, begin: _lay_out_words(part, starts, begin, self._distinct, found))
        return found

    def _filled(self, measures: Measures, unit: int, ranges: Ranges) -> Ranges:
        self._in_parts(
            lambda part, starts, begin: _lay_out_ranges(part, starts, begin[_TOKENS], begin[unit], measures, ranges)
        )
        return ranges

    def _in_parts(self, fill: Callable[[Int32s, Int32s, Int64s], None]) -> None:
        """Call `fill` with every part of the words, their starts, and the totals before it."""

        def fill_share(first: int, last: int) -> None:
            for part, begin in zip(self._parts[first:last], self._begins[first:last], strict=True):
                fill(part, self._starts[begin[_ITEMS] : begin[_ITEMS] + part.size], begin)

        threads.in_threads(fill_share, self._shares)


def character_ranges(text: bytes, starts: Int32s, ends: Int32s) -> tuple[Int32s, Int32s]:
    """Characters that ascending byte ranges of the text touch, as the first and one after the last (int32).

    An empty range touches none. Uses all cores. Raises ValueError for a text of 2 GiB or more.

    >>> firsts, lasts = character_ranges("aこ".encode(), np.array([0, 1, 2], np.int32), np.array([1, 2, 4], np.int32))
    >>> firsts.tolist(), lasts.tolist()
    ([0, 1, 1], [1, 2, 2])
    """
    _check_size(len(text))
    if text.isascii():
        return starts, ends
    data, starts, ends = np.frombuffer(text, np.uint8), int32s(starts), int32s(ends)
    firsts, lasts = np.empty(starts.size, np.int32), np.empty(starts.size, np.int32)
    threads.in_threads(
        lambda first, last: _character_ranges(data, starts, ends, first, last, firsts, lasts),
        threads.parts(starts.size, len(text)),
    )
    return firsts, lasts


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    encoded = Words(np.zeros(1, np.int32), np.array([0, 1]))
    words = [np.zeros(2, np.int32)]
    lay_out_ids(words, encoded)
    layout = Layout(words, DistinctWords.of("é".encode(), [0, 2], encoded, [2]))
    layout.character_ranges()
    layout.words()
    character_ranges("éé".encode(), *layout.byte_ranges())


# Fields of the result of `_totals`; the items are words and special tokens.
_TOKENS, _WORDS, _ITEMS, _BYTES, _CHARACTERS = range(5)
_NOTHING = (0, 0, 0, 0, 0)


def _small_parts(words: Sequence[Int32s]) -> list[Int32s]:
    """The same words in parts for threads, small ones joined."""
    if len(words) > 1 and sum(each.size for each in words) < len(words) * _SMALL:
        words = [np.concatenate(words)]
    return [
        each[at : at + threads.SMALLEST_PART] for each in words for at in range(0, each.size, threads.SMALLEST_PART)
    ]


_SMALL = 1 << 12  # average number of words below which parts are joined: a kernel call takes some microseconds


def _ranges(count: int, shared: bool) -> tuple[Int32s, Int32s]:
    """Allocate starts and ends of `count` ranges; `shared`: each starts where the one before ended."""
    if shared:
        edges = np.zeros(count + 1, np.int32)
        return edges[:-1], edges[1:]
    return np.empty(count, np.int32), np.empty(count, np.int32)


def _int64s(numbers: ArrayLike) -> Int64s:
    return np.require(numbers, np.int64, ["C", "W"])


def _check_size(size: int) -> None:
    if size >= 1 << 31:
        raise ValueError(f"The text has {size:,} bytes; its offsets must fit in 31 bits. Encode it in parts.")


@njit
def _measure(
    text: Bytes, offsets: Int64s, first_tokens: Int64s, lengths: Int32s, in_bytes: Measures, in_characters: Measures
) -> Any:
    """Fill in the measures of DistinctWords. Returns `covered`."""
    covered = True
    for word in range(in_bytes.sizes.size):
        at, end = offsets[word], offsets[word + 1]
        characters = np.int64(0)  # number of characters that begin before `at`
        for token in range(first_tokens[word], first_tokens[word + 1]):
            first, stop = characters, at + lengths[token]
            if at < stop and text[at] & 0xC0 == 0x80:
                first -= 1
            in_bytes.tokens[token, 0] = at - offsets[word]
            while at < stop:
                characters += text[at] & 0xC0 != 0x80
                at += 1
            in_bytes.tokens[token, 1] = at - offsets[word]
            in_characters.tokens[token, 0] = first
            in_characters.tokens[token, 1] = characters
        covered &= at == end
        while at < end:
            characters += text[at] & 0xC0 != 0x80
            at += 1
        in_bytes.sizes[word] = end - offsets[word]
        in_characters.sizes[word] = characters
        _pack(in_bytes, word, first_tokens[word], first_tokens[word + 1])
        _pack(in_characters, word, first_tokens[word], first_tokens[word + 1])
    return covered


@njit
def _pack(measures: Measures, word: Number, first: Number, last: Number) -> None:
    """Pack the tokens of a word: `packed` of Measures."""
    size, tokens = measures.sizes[word], measures.tokens
    is_alone = last - first == 1 and tokens[first, 0] == 0 and tokens[first, 1] == size
    measures.packed[word] = size if is_alone else _packed(first, last - first)


@njit
def _packed(first: Number, count: Number) -> Number:
    """Index of a word's first token and number of its tokens in one negative number."""
    return -1 - (first << np.int64(31) | count)


@njit
def _unpacked(packed: Number) -> Any:
    """First token of a word and number of its tokens, from `_packed`."""
    return (-1 - packed) >> np.int64(31), (-1 - packed) & np.int64(0x7FFFFFFF)


@njit
def _count_tokens(words: Int32s, offsets: Int64s) -> Number:
    total = np.int64(0)
    for i in range(words.size):
        total += offsets[words[i] + 1] - offsets[words[i]]
    return total


@njit
def _find_tokens(offsets: Int64s, symbols: Int32s, tokens: Int64s) -> None:
    """Tokens of each word in one number: the id of its only one, or -1 - (index of the first << 31 | how many)."""
    for word in range(tokens.size):
        first, count = offsets[word], offsets[word + 1] - offsets[word]
        is_alone = count == 1 and symbols[first] >= 0
        tokens[word] = symbols[first] if is_alone else _packed(first, count)


@njit
def _lay_out_ids(words: Int32s, tokens: Int64s, symbols: Int32s, ids: Int32s) -> None:
    at = np.int64(0)
    for word in range(words.size):
        token = tokens[words[word]]
        if token >= 0:
            ids[at] = token
            at += 1
            continue
        first, count = _unpacked(token)
        if at + 4 <= ids.size and first + 4 <= symbols.size:  # four at once: the next word overwrites the surplus
            one, two, three, four = symbols[first], symbols[first + 1], symbols[first + 2], symbols[first + 3]
            ids[at], ids[at + 1], ids[at + 2], ids[at + 3] = one, two, three, four
            for i in range(4, count):
                ids[at + i] = symbols[first + i]
        else:
            for i in range(count):
                ids[at + i] = symbols[first + i]
        at += count


@njit
def _totals(words: Int32s, distinct: DistinctWords) -> Any:
    """Number of tokens, words, items, bytes and characters."""
    in_bytes, in_characters = distinct.in_bytes, distinct.in_characters
    end = in_bytes.sizes.size - distinct.specials
    tokens, found, size, characters = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for i in range(words.size):
        word = np.int64(words[i])
        packed = in_bytes.packed[word]
        found += word < end
        characters += in_characters.sizes[word]
        if packed >= 0:
            tokens += 1
            size += packed
        else:
            tokens += _unpacked(packed)[1]
            size += in_bytes.sizes[word]
    return tokens, found, words.size, size, characters


@njit
def _lay_out_ranges(
    words: Int32s, starts: Int32s, token: Number, at: Number, measures: Measures, ranges: Ranges
) -> None:
    """Lay out the tokens of some words, of which the first has the index `token` and begins at the unit `at`."""
    for i in range(words.size):
        word = np.int64(words[i])
        if starts.size:
            at = np.int64(starts[i])
        packed = measures.packed[word]
        if packed >= 0:
            ranges.starts[token] = at
            at += packed
            ranges.ends[token] = at
            token += 1
            continue
        first, count = _unpacked(packed)
        for which in range(first, first + count):
            ranges.starts[token] = at + measures.tokens[which, 0]
            ranges.ends[token] = at + measures.tokens[which, 1]
            token += 1
        at += measures.sizes[word]


@njit
def _lay_out_words(words: Int32s, starts: Int32s, begin: Int64s, distinct: DistinctWords, found: WordRanges) -> None:
    """Lay out some words, after `begin` (the totals before them, as in `_totals`)."""
    measures = distinct.in_bytes
    end = measures.sizes.size - distinct.specials
    token, number, at = begin[_TOKENS], begin[_WORDS], begin[_BYTES]
    for i in range(words.size):
        word = np.int64(words[i])
        if starts.size:
            at = np.int64(starts[i])
        packed = measures.packed[word]
        size = packed if packed >= 0 else np.int64(measures.sizes[word])
        which = np.int64(-1)
        if word < end:
            which = number
            found.word_starts[number] = at
            found.word_ends[number] = at + size
            number += 1
        for _ in range(1 if packed >= 0 else _unpacked(packed)[1]):
            found.word_ids[token] = which
            token += 1
        at += size


@njit
def _count_characters(data: Bytes, start: Number, end: Number) -> Number:
    """Number of characters that begin in data[start:end]."""
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
    characters = _count_characters(data, 0, at)  # number that begin before `at`
    for block in range(first, last, 256):
        stop = min(block + 256, last)
        if not _has_high_bytes(data, at, ends[stop - 1]):
            ahead = at - characters  # number of continuation bytes before `at`
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
