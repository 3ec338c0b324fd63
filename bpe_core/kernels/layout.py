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
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


class TextTokens(NamedTuple):
    """Places of a text's tokens, in text order: int32 arrays, one entry per token, the last two one per word.

    starts, ends            byte range in the UTF-8 of the text
    char_starts, char_ends  range of characters that the token touches
    word_ids                index of the word that it belongs to; -1 for a special token
    word_starts, word_ends  byte range of each word

    >>> words = DistinctWords.of(b"ab", np.array([0, 2]), Words(np.array([7, 8], np.int32), np.array([0, 2])), [1, 1])
    >>> tokens = lay_out([np.array([0, 0], np.int32)], words)
    >>> tokens.starts.tolist(), tokens.word_ids.tolist(), tokens.word_starts.tolist()
    ([0, 1, 2, 3], [0, 0, 1, 1], [0, 2])
    """

    starts: Int32s
    ends: Int32s
    char_starts: Int32s
    char_ends: Int32s
    word_ids: Int32s
    word_starts: Int32s
    word_ends: Int32s


class DistinctWords(NamedTuple):
    """Distinct words of a text, followed by its special tokens, with their sizes.

    offsets   int64[words + 1]: index of the first token of each
    tokens    int32[tokens, 3]: bytes of a token, its first character and the one after its last, in its word
    sizes     int32[words, 2]: bytes and characters
    specials  number of special tokens, which come last
    covered   whether the tokens of every word cover it completely

    >>> encoded = Words(np.array([7, 8], np.int32), np.array([0, 1, 2]))
    >>> DistinctWords.of(b"ab<s>", [0, 2, 5], encoded, [2, 3], specials=1)[2:]
    (array([[2, 2],
           [3, 3]], dtype=int32), 1, True)
    """

    offsets: Int64s
    tokens: Int32s
    sizes: Int32s
    specials: int
    covered: bool

    @classmethod
    def of(
        cls, text: bytes, offsets: ArrayLike, encoded: Words, lengths: ArrayLike, *, specials: int = 0
    ) -> DistinctWords:
        """Measure the words text[offsets[w]:offsets[w + 1]]; the tokens cover `lengths` bytes each, in order.

        >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
        >>> words = DistinctWords.of("éab".encode(), [0, 2, 4], encoded, [1, 1, 2])
        >>> words.tokens.tolist(), words.sizes.tolist()
        ([[1, 0, 1], [1, 0, 1], [2, 0, 2]], [[2, 1], [2, 2]])
        """
        begins, firsts = _int64s(offsets), _int64s(encoded.offsets)
        tokens, sizes = np.empty((int(firsts[-1]), 3), np.int32), np.empty((begins.size - 1, 2), np.int32)
        covered = _measure(np.frombuffer(text, np.uint8), begins, firsts, int32s(lengths), tokens, sizes)
        return cls(firsts, tokens, sizes, specials, bool(covered))


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


def lay_out(words: Sequence[Int32s], distinct: DistinctWords, starts: ArrayLike | None = None) -> TextTokens:
    """Places of the tokens of a text: `words` gives the distinct word of each word, in parts. Uses all cores.

    `starts`: start byte of each word; None if each starts where the one before it ends. With `starts`, the character
    fields hold byte ranges; convert them by `character_ranges`. Raises ValueError for a text of 2 GiB or more.

    >>> encoded = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
    >>> distinct = DistinctWords.of("aé a".encode(), [0, 3, 5], encoded, [2, 1, 2])
    >>> [column.tolist() for column in lay_out([np.array([0, 1], np.int32)], distinct)]
    [[0, 2, 3], [2, 3, 5], [0, 1, 2], [2, 2, 4], [0, 0, 1], [0, 3], [3, 5]]
    >>> [column.tolist() for column in lay_out([np.array([1, 1], np.int32)], distinct, [0, 3])][-2:]
    [[0, 3], [2, 5]]
    """
    parts = _small_parts(words)
    given = np.empty(0, np.int32) if starts is None else int32s(starts)
    shares = threads.parts(len(parts), 4 * sum(each.size for each in parts))
    totals = threads.in_threads(lambda first, last: [_totals(each, distinct) for each in parts[first:last]], shares)
    begins = np.cumsum([_NOTHING, *chain.from_iterable(totals)], axis=0, dtype=np.int64)
    count, words_found, _, size, characters = begins[-1].tolist()
    _check_size(size)
    follows = starts is None
    ranges = _ranges(count, follows and distinct.covered)
    # If every character is one byte, character ranges equal byte ranges.
    char_ranges = _ranges(count, shared=False) if follows and characters < size else ranges
    word_ranges = _ranges(words_found, follows and not distinct.specials)
    tokens = TextTokens(*ranges, *char_ranges, np.empty(count, np.int32), *word_ranges)

    def lay_out_share(first: int, last: int) -> None:
        for part, begin in zip(parts[first:last], begins[first:last], strict=True):
            own = given[begin[_ITEMS] : begin[_ITEMS] + part.size]
            _lay_out(part, own, begin, distinct, tokens)

    threads.in_threads(lay_out_share, shares)
    return tokens


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
    tokens = lay_out(words, DistinctWords.of("é".encode(), [0, 2], encoded, [2]))
    character_ranges("éé".encode(), tokens.starts, tokens.ends)


# Fields of the result of `_totals`; words are the items that are not special tokens.
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
def _measure(text: Bytes, offsets: Int64s, first_tokens: Int64s, lengths: Int32s, tokens: Int32s, sizes: Int32s) -> Any:
    """Fill in `tokens` and `sizes` of DistinctWords. Returns `covered`."""
    covered = True
    for word in range(sizes.shape[0]):
        at, end = offsets[word], offsets[word + 1]
        characters = np.int64(0)  # number of characters that begin before `at`
        for token in range(first_tokens[word], first_tokens[word + 1]):
            first, stop = characters, at + lengths[token]
            if at < stop and text[at] & 0xC0 == 0x80:
                first -= 1
            while at < stop:
                characters += text[at] & 0xC0 != 0x80
                at += 1
            tokens[token, 0] = lengths[token]
            tokens[token, 1] = first
            tokens[token, 2] = characters
        covered &= at == end
        while at < end:
            characters += text[at] & 0xC0 != 0x80
            at += 1
        sizes[word, 0] = end - offsets[word]
        sizes[word, 1] = characters
    return covered


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
        tokens[word] = symbols[first] if is_alone else -1 - (first << np.int64(31) | count)


@njit
def _lay_out_ids(words: Int32s, tokens: Int64s, symbols: Int32s, ids: Int32s) -> None:
    at = np.int64(0)
    for word in range(words.size):
        token = tokens[words[word]]
        if token >= 0:
            ids[at] = token
            at += 1
            continue
        first, count = (-1 - token) >> np.int64(31), (-1 - token) & np.int64(0x7FFFFFFF)
        if at + 4 <= ids.size and first + 4 <= symbols.size:  # four at once, of which the next word overwrites the rest
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
    offsets, sizes = distinct.offsets, distinct.sizes
    end = sizes.shape[0] - distinct.specials
    tokens, found, size, characters = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for i in range(words.size):
        word = np.int64(words[i])
        tokens += offsets[word + 1] - offsets[word]
        found += word < end
        size += sizes[word, 0]
        characters += sizes[word, 1]
    return tokens, found, words.size, size, characters


@njit
def _lay_out(words: Int32s, starts: Int32s, begin: Int64s, distinct: DistinctWords, tokens: TextTokens) -> None:
    """Lay out the tokens of some words, after `begin` (the totals before them, as in `_totals`)."""
    offsets, measured, sizes = distinct.offsets, distinct.tokens, distinct.sizes
    end = sizes.shape[0] - distinct.specials
    token, found, at, character = begin[_TOKENS], begin[_WORDS], begin[_BYTES], begin[_CHARACTERS]
    for i in range(words.size):
        word = np.int64(words[i])
        if starts.size:
            at = np.int64(starts[i])
        number = np.int64(-1)
        if word < end:
            number = found
            tokens.word_starts[found] = at
            tokens.word_ends[found] = at + sizes[word, 0]
            found += 1
        place = at
        for which in range(offsets[word], offsets[word + 1]):
            # Characters first, because these arrays may be shared with the bytes.
            tokens.char_starts[token] = character + measured[which, 1]
            tokens.char_ends[token] = character + measured[which, 2]
            tokens.starts[token] = place
            place += measured[which, 0]
            tokens.ends[token] = place
            tokens.word_ids[token] = number
            token += 1
        at += sizes[word, 0]
        character += sizes[word, 1]


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
