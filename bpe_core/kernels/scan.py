"""Compiled split: one pass over a text's UTF-8 finds the end of each word, the distinct words and their counts.

Hand-written rules scan the named splits, using a table of the class of every code point. The table is read from the
regex library, so the words equal those of `regex.findall` with the patterns published by tiktoken, for every code
point. To emulate a library with older Unicode tables, some code points take the classes of others.
"""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import regex

from bpe_core.arrays import Bytes, Int32s, Int64s, read_only
from bpe_core.kernels import threads
from bpe_core.kernels.backend import Number, njit
from bpe_core.kernels.unaligned import eight_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import ArrayLike

Offsets = Int32s | Int64s
_ONCE = np.empty(0, np.int64)

StandIns = tuple[tuple[int, int, int], ...]
"""Ranges of code points, first and last, each with the code point whose class replaces theirs."""

SPLITS = ("none", "words", "gpt2", "cl100k", "o200k")
"""Splits implemented here; any other pattern goes through `regex` and `WordTable.add_spans`."""


class TextWords(NamedTuple):
    """Words of one text in text order, as parallel arrays.

    starts, ends  byte range of each word in the UTF-8 of the text; int32 from `spans`
    word_ids      int32: index of the distinct word in the WordTable

    >>> words = WordTable().index(b"low lower low", "words")
    >>> words.starts.tolist(), words.ends.tolist(), words.word_ids.tolist()
    ([0, 4, 10], [3, 9, 13], [0, 1, 0])
    """

    starts: Offsets
    ends: Offsets
    word_ids: Int32s


class WordTable:
    """Distinct words of any number of texts in first-seen order, each with its count.

    Memory grows with the distinct words, not with the texts. Texts are UTF-8; a long one is scanned on all cores, with
    the same result.

    >>> table = WordTable()
    >>> table.add(b"low lower low", "words")
    >>> table.add(b"lowest low", "words")
    >>> table.words(), table.counts.tolist()
    ([b'low', b'lower', b'lowest'], [3, 1, 1])
    >>> table.index(b"lowest lower", "words").word_ids.tolist()
    [2, 1]
    >>> table.text.tobytes(), table.offsets.tolist()
    (b'lowlowerlowest', [0, 3, 8, 14])
    >>> table.add_spans(b"a low b", [2], [5]).tolist()
    [0]
    >>> table.find([b"lower", b"none"]).tolist(), table.find_in(WordTable.of([b"lowest"])).tolist()
    ([1, -1], [-1, -1, 0])
    """

    def __init__(self, *, words: int = 1 << 9, text: int = 1 << 12) -> None:
        """Create an empty table with room for `words` distinct words and `text` bytes of them before it grows."""
        words = 1 << (words - 1).bit_length()  # the table grows by doubling, and its rows stay a power of two
        self._table = _Table(
            np.zeros(_STATE_FIELDS, np.int64),
            np.zeros((2 * words, _FIELDS), np.int64),
            *_room(text),
            offsets=np.zeros(words + 1, np.int64),
        )

    @classmethod
    def of(cls, words: Iterable[bytes]) -> WordTable:
        """Create a table of these words, each of at least one byte, in this order.

        >>> WordTable.of([b"a", b"bc"]).find([b"bc", b"c"]).tolist()
        [1, -1]
        """
        text, starts, ends = _joined(words)
        table = cls(words=max(1, starts.size), text=max(1, len(text)))
        table.add_spans(text, starts, ends)
        return table

    def __len__(self) -> int:
        return int(self._table.state[_WORDS])

    @property
    def offsets(self) -> Int64s:
        """int64[words + 1]: word w is text[offsets[w]:offsets[w + 1]]."""
        return self._table.offsets[: len(self) + 1]

    @property
    def text(self) -> Bytes:
        """UTF-8 of all distinct words, concatenated."""
        return self._table.text[: self.offsets[-1]]

    @property
    def counts(self) -> Int64s:
        """int64[words]: count of each word."""
        rows = self._table.rows
        filled = rows[rows[:, _WORD] > 0]
        counts = np.empty(len(self), np.int64)
        counts[filled[:, _WORD] - 1] = filled[:, _COUNT]
        return counts

    def words(self) -> list[bytes]:
        """Distinct words, in first-seen order."""
        text, offsets = self.text.tobytes(), self.offsets.tolist()
        return [text[start:end] for start, end in pairwise(offsets)]

    def add(self, text: bytes, split: str, stand_ins: StandIns = ()) -> None:
        """Count the words of a text. Releases the GIL. `stand_ins`: as for `number`."""
        self._scan(text, split, stand_ins, record=False)

    def number(self, text: bytes, split: str, stand_ins: StandIns = (), *, count_known: bool = True) -> list[Int32s]:
        """Count the words of a text; return the index of the distinct word of each (int32), in parts of the text.

        `stand_ins`: code points that take the classes of others. `spans` finds the words' offsets. `count_known`:
        whether words that were in the table before are counted; if not, all threads look them up in it.

        >>> [part.tolist() for part in WordTable().number(b"low lower low", "words")]
        [[0, 1, 0]]
        """
        return self._scan(text, split, stand_ins, record=True, count_known=count_known)

    def add_texts(self, data: bytes, starts: ArrayLike, ends: ArrayLike, split: str, stand_ins: StandIns = ()) -> None:
        """Count the words of the texts data[start:end], which are in order, each split separately.

        `stand_ins`: as for `number`.

        >>> table = WordTable()
        >>> table.add_texts(b"it |'s|  low", [0, 4, 7], [3, 6, 12], "gpt2")
        >>> table.words()
        [b'it', b' ', b"'s", b' low']
        """
        self._scan_texts(data, starts, ends, split, stand_ins, record=False)

    def number_texts(
        self, data: bytes, starts: ArrayLike, ends: ArrayLike, split: str, stand_ins: StandIns = ()
    ) -> tuple[Int64s, Int32s]:
        """As `add_texts`; return the start of each word (int64) and the index of its distinct word (int32).

        `stand_ins`: as for `number`.

        >>> [column.tolist() for column in WordTable().number_texts(b"it |'s|it", [0, 4, 7], [3, 6, 9], "gpt2")]
        [[0, 2, 4, 7], [0, 1, 2, 0]]
        """
        found = self._scan_texts(data, starts, ends, split, stand_ins, record=True)
        empty = (np.empty(0, np.int64), np.empty(0, np.int32))
        word_starts, numbers = zip(empty, *found, strict=True)
        return np.concatenate(word_starts), np.concatenate(numbers)

    def _scan_texts(
        self, data: bytes, starts: ArrayLike, ends: ArrayLike, split: str, stand_ins: StandIns, *, record: bool
    ) -> list[tuple[Int64s, Int32s]]:
        begins, stops = np.asarray(starts, np.int64), np.asarray(ends, np.int64)
        kept = np.flatnonzero(stops > begins)
        begins, stops = begins[kept], stops[kept]
        most = min(threads.cores(), begins.size) if begins.size and stops[-1] - begins[0] >= 4 * _BLOCK else 1
        edges = np.searchsorted(stops, np.linspace(0, stops[-1] if begins.size else 0, most + 1)).tolist()
        edges[-1] = begins.size
        array = _padded(data)
        tables = [self] + [WordTable() for _ in range(1, most)]
        classes = _character_classes(split, stand_ins)

        def scan_part(table: WordTable, first: int, last: int) -> list[tuple[Int64s, Int32s]]:
            recorded = []
            for word_starts, word_ends in _text_blocks(array, begins[first:last], stops[first:last], split, classes):
                numbers = table._count_spans(array, word_starts, word_ends)
                if record:
                    recorded.append((word_starts.copy(), numbers))
            return recorded

        found = threads.in_threads(scan_part, list(zip(tables, edges[:-1], edges[1:], strict=True)))
        for table, recorded in zip(tables[1:], found[1:], strict=True):
            word_ids = self._add_table(table)
            for _, numbers in recorded:
                np.take(word_ids, numbers, out=numbers, mode="clip")
        return list(chain.from_iterable(found))

    def index(self, text: bytes, split: str, stand_ins: StandIns = ()) -> TextWords:
        """Count the words of a text; return their indices, as `number`, and their offsets, as `spans`."""
        found = spans(text, split, stand_ins)
        return TextWords(*found, np.concatenate([np.empty(0, np.int32), *self.number(text, split, stand_ins)]))

    def add_spans(self, text: bytes, starts: ArrayLike, ends: ArrayLike) -> Int32s:
        """Count words found by another scanner: text[start:end], none empty. Return the index of each (int32)."""
        starts, ends = np.require(starts, np.int64, ["C", "W"]), np.require(ends, np.int64, ["C", "W"])
        return self._count_spans(_padded(text), starts, ends)

    def find(self, words: Iterable[bytes]) -> Int32s:
        """int32: index of each word in this table, -1 if absent."""
        text, starts, ends = _joined(words)
        return self._find_spans(_padded(text), starts, ends)

    def find_in(self, other: WordTable) -> Int32s:
        """int32[words]: index in `other` of each word of this table, -1 if absent."""
        return other._find_spans(_padded(self.text.tobytes()), self.offsets[:-1], self.offsets[1:])

    def concatenations(self) -> tuple[Int32s, Int32s, Int32s]:
        """All (left, right, whole) with the word `whole` equal to `left` followed by `right`, as three int32 arrays.

        If the words are the tokens of a tiktoken vocabulary, these are its merges.

        >>> [part.tolist() for part in WordTable.of([b"a", b"b", b"ab", b"aba"]).concatenations()]
        [[0, 2], [1, 0], [2, 3]]
        """

        def concatenations_of(first: int, last: int) -> Int32s:
            room = 4 * (last - first) + 16
            while True:
                found = np.empty((room, 3), np.int32)
                size = _concatenations(self._table, first, last, found)
                if size <= room:
                    return found[:size]
                room = size

        shares = threads.parts(len(self), self.text.size)
        left, right, whole = np.concatenate(threads.in_threads(concatenations_of, shares)).T.copy()
        return left, right, whole

    def _scan(
        self, text: bytes, split: str, stand_ins: StandIns, *, record: bool, count_known: bool = True
    ) -> list[Int32s]:
        classes = _character_classes(split, stand_ins)
        parts = _parts(_block_edges(text, split))
        known = 0 if count_known or len(parts) == 1 else len(self)
        tables = [WordTable() if known or at else self for at in range(len(parts))]
        number = partial(self._number_new_spans, known) if known else WordTable._count_spans
        found = threads.in_threads(
            lambda table, part: _numbers(partial(number, table), text, part, split, classes, record),
            list(zip(tables, parts, strict=True)),
        )
        for table, numbers in zip(tables, found, strict=True):
            # The words of a later part are first seen after those of earlier parts.
            if table is self or not len(table):
                continue
            word_ids = np.concatenate((np.arange(known, dtype=np.int32), self._add_table(table)))
            for each in numbers:
                np.take(word_ids, each, out=each, mode="clip")  # in place, without bounds checks: all are in range
        return list(chain.from_iterable(found))

    def _find_spans(self, data: Bytes, starts: Int64s, ends: Int64s) -> Int32s:
        found = np.empty(starts.size, np.int32)
        _find_spans(self._table, data, starts, ends, found)
        return found

    def _number_new_spans(self, known: int, new: WordTable, data: Bytes, starts: Int64s, ends: Int64s) -> Int32s:
        """Indices of words; those that are not among the `known` of this table are counted in another, after them."""
        word_ids = self._find_spans(data, starts, ends)
        at = np.flatnonzero(word_ids < 0)
        word_ids[at] = known + new._count_spans(data, starts[at], ends[at])
        return word_ids

    def _count_spans(self, data: Bytes, starts: Int64s, ends: Int64s, counts: Int64s = _ONCE) -> Int32s:
        """Count words, whose ends are followed by _PADDING readable bytes; `counts`: of each, _ONCE for one each."""
        word_ids = np.empty(starts.size, np.int32)
        self._table.state[_POSITION] = 0
        while not _add_spans(self._table, data, starts, ends, counts, word_ids):
            self._grow(int(self._table.state[_LENGTH]))
        return word_ids

    def _add_table(self, other: WordTable) -> Int32s:
        """Add the words of another table with their counts; return the index of each in this one."""
        text, offsets = _padded(other.text.tobytes()), other.offsets
        return self._count_spans(text, offsets[:-1], offsets[1:], other.counts)

    def _grow(self, length: int) -> None:
        """Double the capacity for words, with room for one more of `length` bytes."""
        table = self._table
        words, used = table.state[_WORDS], table.offsets[table.state[_WORDS]]
        offsets = np.zeros(2 * table.offsets.size - 1, np.int64)
        offsets[: words + 1] = table.offsets[: words + 1]
        text, read = _room(2 * table.text.size + length)
        text[:used] = table.text[:used]
        rows = np.zeros((2 * len(table.rows), _FIELDS), np.int64)
        _move_rows(table.rows, rows)
        self._table = _Table(table.state, rows, text, read, offsets)


def _numbers(
    number: Callable[[Bytes, Int64s, Int64s], Int32s],
    text: bytes,
    block_edges: list[int],
    split: str,
    classes: Bytes,
    record: bool,
) -> list[Int32s]:
    """Indices of the words of a part of a text, by a function of some words at a time; none unless to `record`."""
    data = np.frombuffer(text, np.uint8)
    found = []
    for starts, ends in _blocks(data, block_edges, split, classes):
        if not ends.size or ends[-1] + _PADDING <= data.size:
            word_ids = number(data, starts, ends)
        else:  # eight-byte loads would reach beyond the text
            first = int(starts[0])
            word_ids = number(_padded(text[first:]), starts - first, ends - first)
        if record:
            found.append(word_ids)
    return found


def spans(text: bytes, split: str, stand_ins: StandIns = ()) -> tuple[Int32s, Int32s]:
    """Starts and ends of a text's words, in bytes of its UTF-8: int32[words] each. Uses all cores.

    `stand_ins`: code points that take the classes of others. Raises ValueError for a text of 2 GiB or more.

    >>> [edge.tolist() for edge in spans("it's été".encode(), "gpt2")]
    [[0, 2, 4], [2, 4, 10]]
    """
    if len(text) >= 1 << 31:
        raise ValueError(f"The text has {len(text):,} bytes; its offsets must fit in 31 bits. Index it in parts.")
    classes, data = _character_classes(split, stand_ins), np.frombuffer(text, np.uint8)

    def spans_of_part(part: list[int]) -> list[tuple[Int32s, Int32s]]:
        return [
            (starts.astype(np.int32), (ends if split == "words" else ends[:0]).astype(np.int32))
            for starts, ends in _blocks(data, part, split, classes)
        ]

    found = threads.in_threads(spans_of_part, [(part,) for part in _parts(_block_edges(text, split))])
    starts, ends = zip(*chain.from_iterable(found), strict=True)
    if split == "words":
        return np.concatenate(starts), np.concatenate(ends)
    # No gaps: every word ends where the next one starts.
    both = np.concatenate([*starts, np.full(1, len(text), np.int32)])
    return both[:-1], both[1:]


def word_keys(text: bytes, offsets: Int64s) -> Int64s:
    """int64[words]: a key for each word text[offsets[w]:offsets[w + 1]], the same wherever the word occurs.

    >>> keys = word_keys(b"lowlowerlow", np.array([0, 3, 8, 11]))
    >>> bool(keys[0] == keys[2]), bool(keys[0] == keys[1])
    (True, False)
    """
    edges = np.require(offsets, np.int64, ["C", "W"])  # the kernel is compiled for writable arrays
    keys = np.empty(edges.size - 1, np.int64)
    _keys(_padded(text), edges[:-1], edges[1:], keys)
    return keys


@cache
def unicode_classes(classes: tuple[tuple[str, int], ...]) -> Bytes:
    r"""uint8[0x110000]: number of the first of these classes that a code point is in; 0 if in none. Read-only.

    classes  classes of letters, marks, digits, spaces or unassigned code points as the regex library writes them, each
             with its number

    >>> unicode_classes(((r"\p{L}", 1), ("[1-9]", 2)))[[*b"a1 "]].tolist()
    [1, 2, 0]
    """
    found = np.zeros(0x110000, np.uint8)
    runs = regex.compile("|".join(f"({pattern}+)" for pattern, _ in classes))
    for first, stop in _CLASSIFIED:
        for match in runs.finditer(_characters(first, stop)):
            found[match.start() + first : match.end() + first] = classes[(match.lastindex or 0) - 1][1]
    return read_only(found)


def with_stand_ins(classes: Bytes, stand_ins: StandIns) -> Bytes:
    """The classes with those of stand-ins in place of some code points' own.

    >>> with_stand_ins(np.array([0, 1, 2], np.uint8), ((0, 1, 2),)).tolist()
    [2, 2, 2]
    """
    changed = classes.copy()
    for first, last, stand_in in stand_ins:
        changed[first : last + 1] = classes[stand_in]
    return changed


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    table = WordTable()
    table.index(b"warm up", "gpt2")
    table.index(b"warm up", "words")
    table.add_texts(b"warm up", [0], [7], "gpt2")
    table._grow(0)
    table.find([b"warm"])
    word_keys(b"warm", np.array([0, 4]))
    table.concatenations()


# Flags of a character. Each has one of the first four. Upper includes title case; letters and marks without case are
# both upper and lower; _ODD is set where the fast rules of a split may be wrong.
_LETTER, _DIGIT, _SPACE, _OTHER, _NEWLINE, _UPPER, _LOWER, _ODD = (np.int64(1 << bit) for bit in range(8))
_KIND = _LETTER | _DIGIT | _SPACE | _OTHER

_EIGHT_ODD = np.uint64(0x8080808080808080)  # _ODD in each of eight bytes

_ONE_CASE, _ANY_CASE = np.int64(0), np.int64(1)

_NONE, _WORDS_SPLIT, _GPT2, _CL100K, _O200K = range(5)  # as in SPLITS

# Fields of _Table.state: number of distinct words; where counting resumes, and the length of the word that did not fit.
_WORDS, _POSITION, _LENGTH, _STATE_FIELDS = 0, 1, 2, 3

_PADDING = 16  # bytes read after the end of a word, at most

_CHUNK = 64  # bytes classified at once

_BLOCK = 1 << 18  # bytes of text scanned at once: they and their results fit in the processor's cache

# Ranges with classes other than _OTHER, without surrogates: no other plane has letters, digits or spaces.
_CLASSIFIED = ((0, 0xD800), (0xE000, 0x40000), (0xE0000, 0xE1000))

# Every split except "none" begins a new word after this newline, whatever precedes it: it is not followed by a space,
# which would join it, or by a slash, which o200k takes after newlines.
_SAFE_BOUNDARY = re.compile(rb"\n(?=[!-.0-~\xe4-\xf4]|\xe3[\x81-\xbf])")


# Flags of all characters, by the regex library's classes. The first two are the most frequent, so they come first.
_CLASSES = (
    (r"\p{Lo}", _LETTER | _UPPER | _LOWER),
    (r"\p{Cn}", _OTHER),
    (r"\p{Lm}", _LETTER | _UPPER | _LOWER),
    (r"[\p{Lu}\p{Lt}]", _LETTER | _UPPER),
    (r"\p{Ll}", _LETTER | _LOWER),
    (r"\p{M}", _OTHER | _UPPER | _LOWER),
    (r"\p{N}", _DIGIT),
    (r"[\r\n]", _SPACE | _NEWLINE),
    (r"[^\S\r\n]", _SPACE),
)

# Fields of a row of the hash table: what identifies the word, see _identity; its index plus one; its count.
_FIRST, _SECOND, _WORD, _COUNT, _FIELDS = 0, 1, 2, 3, 4


class _Table(NamedTuple):
    state: Int64s
    rows: Int64s  # hash table with _FIELDS; a cache line holds two rows
    text: Bytes
    read: Bytes  # the same memory, with padding
    offsets: Int64s


def _room(size: int) -> tuple[Bytes, Bytes]:
    """Allocate `size` bytes for words, with a read-only view of the same memory and of padding after it."""
    text = np.empty(size + _PADDING, np.uint8)
    return text[:size], read_only(text[:])


def _joined(words: Iterable[bytes]) -> tuple[bytes, Int64s, Int64s]:
    words = list(words)
    sizes = np.fromiter(map(len, words), np.int64, len(words))
    ends = np.cumsum(sizes)
    return b"".join(words), ends - sizes, ends


def _padded(text: bytes) -> Bytes:
    """The text, followed by readable bytes."""
    return np.frombuffer(text + bytes(_PADDING), np.uint8, len(text))


def _block_edges(text: bytes, split: str) -> list[int]:
    """Byte offsets that divide the text into blocks, from 0 to its length."""
    found = [0]
    while split != "none" and len(text) - found[-1] > _BLOCK:
        match = _SAFE_BOUNDARY.search(text, found[-1] + _BLOCK)
        if not match:
            break
        found.append(match.end())
    return [*found, len(text)]


def _parts(block_edges: list[int]) -> list[list[int]]:
    """Block edges of each thread's part of the text."""
    blocks = len(block_edges) - 1
    if blocks < 4:
        return [block_edges]
    parts = max(1, min(threads.cores(), blocks // 2))
    edges = [blocks * part // parts for part in range(parts + 1)]
    return [block_edges[first : last + 1] for first, last in pairwise(edges)]


def _blocks(data: Bytes, block_edges: list[int], split: str, classes: Bytes) -> Iterator[tuple[Int64s, Int64s]]:
    """Starts and ends of the words, block by block, in arrays that the next block overwrites."""
    code = SPLITS.index(split)
    if code == _NONE:
        yield np.zeros(min(1, data.size), np.int64), np.full(min(1, data.size), data.size, np.int64)
        return
    longest = max(last - first for first, last in pairwise(block_edges))
    flags, odd, begins = (np.empty(longest + 8, np.uint8) for _ in range(3))
    edges = np.empty(longest + 9, np.int64)
    none, limit = np.empty(0, np.int64), np.array([data.size])
    for block in pairwise(block_edges):
        start, stop = np.array(block).reshape(2, 1)
        rooms = flags, odd, begins, edges
        size = _text_words(data, (start, stop, limit), classes, code, rooms, (none, none))
        if code == _WORDS_SPLIT:
            yield edges[:size:2].copy(), edges[1:size:2].copy()
        else:
            yield edges[:size], edges[1 : size + 1]


def _text_blocks(
    data: Bytes, begins: Int64s, stops: Int64s, split: str, classes: Bytes
) -> Iterator[tuple[Int64s, Int64s]]:
    """Starts and ends of the words of the texts data[begin:stop], none empty, some texts at a time."""
    code = SPLITS.index(split)
    if code == _NONE:
        yield begins, stops
        return
    if not begins.size:
        return
    groups = np.flatnonzero(np.diff((stops - begins[0]) // _BLOCK, prepend=-1)).tolist()
    for first, last in pairwise([*groups, begins.size]):
        room, longest = int((stops - begins)[first:last].sum()), int((stops - begins)[first:last].max())
        flags, odd, marks = (np.empty(longest + 8, np.uint8) for _ in range(3))
        edges = np.empty(longest + 9, np.int64)
        starts, ends = np.empty(room, np.int64), np.empty(room, np.int64)
        texts = begins[first:last], stops[first:last], stops[first:last]
        size = _text_words(data, texts, classes, code, (flags, odd, marks, edges), (starts, ends))
        yield starts[:size], ends[:size]


@cache
def _character_classes(split: str, stand_ins: StandIns = ()) -> Bytes:
    """uint8[0x110000]: flags of every code point; _ODD depends on the split."""
    if stand_ins:
        return with_stand_ins(_character_classes(split), stand_ins)
    found = unicode_classes(_CLASSES)
    classes = np.where(found == 0, np.uint8(_OTHER), found)
    values = np.arange(256, dtype=np.uint8)  # of flags
    digits_and_newlines = (values & (_DIGIT | _NEWLINE) > 0) & (split in ("cl100k", "o200k"))
    odd = (values & _SPACE > 0) | digits_and_newlines
    if split in ("cl100k", "o200k"):
        odd |= values & _OTHER > 0
    if split == "o200k":
        odd |= (values & _UPPER > 0) & (values & _LOWER > 0)
    classes[:0x80] |= np.uint8(_ODD) * digits_and_newlines[classes[:0x80]]
    classes[ord("'")] |= np.uint8(_ODD)
    return np.concatenate((classes[:0x80], (values | np.uint8(_ODD) * odd)[classes[0x80:]]))


def _characters(first: int, stop: int) -> str:
    """Characters from one code point up to another; joined one by one they would take 80 bytes each."""
    return np.arange(first, stop, dtype="<u4").tobytes().decode("utf-32-le")


@njit
def _identity(data: Bytes, start: Number, end: Number) -> Any:
    """Two numbers that identify a word of up to 15 bytes: its bytes and length. A longer one: its hash and length.

    The second is negative for a longer word, which must be compared with those that have the same numbers.
    """
    length = end - start
    if length > 15:
        mixed = np.uint64(length)
        for at in range(start, end - 8, 8):
            mixed = _mix(mixed, eight_bytes(data, at))
        mixed = _mix(mixed, eight_bytes(data, end - 8))
        return np.int64(mixed), length | np.int64(-0x8000000000000000)
    first, second = eight_bytes(data, start), eight_bytes(data, start + 8)
    ones = np.uint64(0xFFFFFFFFFFFFFFFF)
    first &= ones >> np.uint64(64 - 8 * min(length, np.int64(8)))
    second &= ones >> np.uint64(128 - 8 * max(length, np.int64(9)))
    second = second if length > 8 else np.uint64(0)
    return np.int64(first), np.int64(second) | length << np.int64(56)


@njit
def _mix(mixed: Number, value: Number) -> Any:
    mixed = (mixed ^ value) * np.uint64(11400714819323198485)  # 2**64 / golden ratio, odd (Knuth's hashing)
    return mixed ^ (mixed >> np.uint64(29))


@njit
def _hash(first: Number, second: Number) -> Number:
    mixed = (np.uint64(first) ^ np.uint64(second) * np.uint64(0x9E6C63D0876A9A47)) * np.uint64(11400714819323198485)
    return np.int64(mixed ^ (mixed >> np.uint64(32)))


@njit
def _keys(data: Bytes, starts: Int64s, ends: Int64s, keys: Int64s) -> None:
    for i in range(starts.size):
        first, second = _identity(data, starts[i], ends[i])
        keys[i] = _hash(first, second)


@njit
def _short_row(rows: Int64s, first: Number, second: Number) -> Number:
    """Row of the word of up to 15 bytes that these numbers identify, or the empty row for it.

    The callers decide between this and `_long_row` themselves: a call that takes a table costs more than the search.
    """
    mask = np.int64(rows.shape[0] - 1)
    row = _hash(first, second) & mask
    while rows[row, _WORD] != 0 and (rows[row, _FIRST] != first or rows[row, _SECOND] != second):
        row = (row + 1) & mask
    return row


@njit
def _long_row(table: _Table, data: Bytes, start: Number, end: Number, first: Number, second: Number) -> Number:
    """Row of the longer word data[start:end], or the empty row for it."""
    rows, offsets, words = table.rows, table.offsets, table.read
    mask = np.int64(rows.shape[0] - 1)
    row = _hash(first, second) & mask
    while rows[row, _WORD] != 0:
        if rows[row, _FIRST] == first and rows[row, _SECOND] == second:
            at, length = offsets[rows[row, _WORD] - 1], end - start
            i = np.int64(0)
            while i < length - 8 and eight_bytes(words, at + i) == eight_bytes(data, start + i):
                i += 8
            if i >= length - 8 and eight_bytes(words, at + length - 8) == eight_bytes(data, end - 8):
                return row
        row = (row + 1) & mask
    return row


@njit
def _move_rows(rows: Int64s, larger: Int64s) -> None:
    mask = np.int64(larger.shape[0] - 1)
    for old in range(rows.shape[0]):
        if rows[old, _WORD] != 0:
            row = _hash(rows[old, _FIRST], rows[old, _SECOND]) & mask
            while larger[row, _WORD] != 0:
                row = (row + 1) & mask
            for field in range(_FIELDS):
                larger[row, field] = rows[old, field]


@njit
def _add_spans(table: _Table, data: Bytes, starts: Int64s, ends: Int64s, word_counts: Int64s, word_ids: Int32s) -> Any:
    """Count the words data[start:end] and record their indices; False if the table must grow first."""
    state, rows, text, offsets = table.state, table.rows, table.text, table.offsets
    words = state[_WORDS]
    for i in range(state[_POSITION], starts.size):
        start, end = starts[i], ends[i]
        first, second = _identity(data, start, end)
        short = second >= 0
        row = _short_row(rows, first, second) if short else _long_row(table, data, start, end, first, second)
        word = rows[row, _WORD] - 1
        if word < 0:
            word = words
            at = offsets[word]
            if word >= offsets.size - 1 or at + end - start > text.size:
                state[_WORDS] = words
                state[_POSITION] = i
                state[_LENGTH] = end - start
                return False
            rows[row, _FIRST], rows[row, _SECOND], rows[row, _WORD] = first, second, word + 1
            for z in range(start, end):
                text[at + z - start] = data[z]
            words += 1
            offsets[words] = at + end - start
        rows[row, _COUNT] += word_counts[i] if word_counts.size else np.int64(1)
        word_ids[i] = word
    state[_WORDS] = words
    return True


@njit
def _find_spans(table: _Table, data: Bytes, starts: Int64s, ends: Int64s, found: Int32s) -> None:
    rows = table.rows
    for i in range(starts.size):
        start, end = starts[i], ends[i]
        first, second = _identity(data, start, end)
        short = second >= 0
        row = _short_row(rows, first, second) if short else _long_row(table, data, start, end, first, second)
        found[i] = rows[row, _WORD] - 1


@njit
def _concatenations(table: _Table, first: Number, last: Number, found: Int32s) -> Number:
    """Fill in (left, right, whole) for some of the words, while there is room. Returns the number found."""
    offsets, rows, text = table.offsets, table.rows, table.read
    size = 0
    for whole in range(first, last):
        start, end = offsets[whole], offsets[whole + 1]
        for middle in range(start + 1, end):
            one, two = _identity(text, start, middle)
            row = _short_row(rows, one, two) if two >= 0 else _long_row(table, text, start, middle, one, two)
            left = rows[row, _WORD] - 1
            if left < 0:
                continue
            one, two = _identity(text, middle, end)
            row = _short_row(rows, one, two) if two >= 0 else _long_row(table, text, middle, end, one, two)
            right = rows[row, _WORD] - 1
            if right < 0:
                continue
            if size < found.shape[0]:
                found[size, 0] = left
                found[size, 1] = right
                found[size, 2] = whole
            size += 1
    return size


@njit
def _classify(data: Bytes, start: Number, stop: Number, classes: Bytes, flags: Bytes) -> None:
    """Write the flags of data[start:stop] and of the next character; each byte gets those of its character.

    White space follows the end of the text, because the splits treat the end as if no word followed.
    """
    upper, lower, digit, quote = classes[65], classes[97], classes[48], classes[39]
    space, newline, other = classes[32], classes[10], classes[33]
    at = start
    while at < data.size and at <= stop:
        if at + _CHUNK <= min(data.size, stop):  # ASCII without the table: the compiler vectorizes both loops
            part, marked = data[at : at + _CHUNK], flags[at - start : at - start + _CHUNK]
            union = np.uint8(0)
            for i in range(_CHUNK):
                union |= part[i]
            if union < 0x80:
                for i in range(_CHUNK):
                    byte = part[i]
                    flag = upper if np.uint8(byte - np.uint8(65)) < 26 else other
                    flag = lower if np.uint8(byte - np.uint8(97)) < 26 else flag
                    flag = digit if np.uint8(byte - np.uint8(48)) < 10 else flag
                    flag = space if (byte == 32) | (np.uint8(byte - np.uint8(9)) < 5) else flag
                    flag = newline if (byte == 10) | (byte == 13) else flag
                    marked[i] = quote if byte == 39 else flag
                at += _CHUNK
                continue
        end = at + _CHUNK
        while at < end and at < data.size and at <= stop:
            first = np.int64(data[at])
            if first < 0x80:
                flags[at - start] = classes[first]
                at += 1
                continue
            width = _width(first)
            point = first & (0x7F >> width)
            for i in range(1, width):
                point = point << 6 | (np.int64(data[at + i]) & 0x3F)
            for i in range(width):
                flags[at + i - start] = classes[point]
            at += width
    flags[at - start : at - start + 3] = _SPACE


@njit
def _mark_edges(flags: Bytes, size: Number, edges: Bytes) -> None:
    """Mark where each run of characters other than white space begins and ends: \\S+"""
    edges[0] = flags[0] & _SPACE == 0
    for i in range(1, size):
        edges[i] = (flags[i - 1] & _SPACE) != (flags[i] & _SPACE)
    edges[size] = size > 0 and flags[size - 1] & _SPACE == 0


@njit
def _positions(marks: Bytes, size: Number, first: Number, positions: Int64s) -> Number:
    """Record first + i for every mark i; return how many. Branch-free, because no branch would be predictable."""
    found = 0
    for i in range(size):
        positions[found] = first + i
        found += marks[i]
    return found


@njit
def _text_words(
    data: Bytes,
    texts: tuple[Int64s, Int64s, Int64s],
    classes: Bytes,
    split: Number,
    rooms: tuple[Bytes, Bytes, Bytes, Int64s],
    found_edges: tuple[Int64s, Int64s],
) -> Number:
    """Record the starts and ends of the words of each text data[begin:stop]; return the number of words.

    `texts`: begins, stops, and limits up to which the texts continue. If the starts and ends do not fit, those of one
    text are left in `rooms`, and the number of edges is returned.
    """
    begins, stops, limits = texts
    flags, odd, marks, edges = rooms
    starts, ends = found_edges
    found: Number = np.int64(0)
    for which in range(begins.size):
        first, size = begins[which], stops[which] - begins[which]
        text = data[first : limits[which]]
        _classify(text, np.int64(0), size, classes, flags)
        if split == _WORDS_SPLIT:
            _mark_edges(flags, size, marks)
            count = _positions(marks, size + 1, first, edges)
        else:
            _mark_words(text, size, text.size, flags, odd, marks, split)
            count = _positions(marks, size, first, edges)
            edges[count] = stops[which]
        if starts.size == 0:
            return count
        step = 2 if split == _WORDS_SPLIT else 1
        for i in range(0, count, step):
            starts[found], ends[found] = edges[i], edges[i + 1]
            found += 1
    return found


@njit
def _mark_words(
    data: Bytes, size: Number, text_size: Number, flags: Bytes, odd: Bytes, begins: Bytes, split: Number
) -> None:
    """Mark the bytes of data[:size] that begin a word.

    The first pass uses branch-free rules on neighbouring characters, vectorized; they are exact except near odd
    characters. The second pass scans words with odd characters one by one, by the split's own rules. `odd`: memory for
    as many bytes as `flags`.
    """
    begins[0], begins[1] = 1, 0
    if split == _GPT2:
        _guess_gpt2(data, size, flags, begins)
        odd = flags
    else:
        _guess_cl100k(data, size, flags, begins)
        _find_odd(data, size, text_size, flags, odd)
        if split == _O200K:
            _guess_cases(size, flags, begins)
    any_case = _ONE_CASE if split == _GPT2 else _ANY_CASE
    done: Number = np.int64(0)  # a word begins here, and everything before is correct
    at: Number = np.int64(0)
    while at < size:
        while at > 1 and at + 8 <= size and eight_bytes(odd, at) & _EIGHT_ODD == 0:
            at += 8
        if at == size:
            break
        # The first two characters lack two before them, and so count as odd.
        is_sure = not odd[at] & _ODD or (data[at] == 39 and _contraction(data, at, text_size, any_case) == at)
        if is_sure and at > 1:
            at += 1
            continue
        start = max(done, at - 1)  # o200k joins an odd character to the word before
        while flags[at] & _SPACE and start > done and flags[start - 1] & _SPACE:
            start -= 1
        while not begins[start]:
            start -= 1
        # The fast rules miss the end of a word of o200k after a mark or a slash.
        while start <= at or (start < size and flags[start - 1] & _OTHER):
            if split == _GPT2:
                end = _gpt2_end(data, start, text_size, flags)
            elif split == _CL100K:
                end = _cl100k_end(data, start, text_size, flags)
            else:
                end = _o200k_end(data, start, text_size, flags)
            for i in range(start + 1, min(end, size)):
                begins[i] = 0
            if end < size:
                begins[end] = 1
            start = end
        at = done = start


@njit
def _guess_gpt2(data: Bytes, size: Number, flags: Bytes, begins: Bytes) -> None:
    for i in range(1, size):
        before, here = flags[i - 1] & _KIND, flags[i] & _KIND
        changes = (before != here) & (data[i - 1] != 32)
        last_space = (before & here & _SPACE & ~flags[i + 1]) != 0
        begins[i] = changes | last_space


@njit
def _guess_cl100k(data: Bytes, size: Number, flags: Bytes, begins: Bytes) -> None:
    # Views indexed from 0: otherwise the compiler does not vectorize the loop.
    befores, heres, afters, here_begins = flags[1:], flags[2:], flags[3:], begins[2:]
    byte_before = data[1:]
    for i in range(size - 2):
        before, here = befores[i], heres[i]
        changes = (before & _KIND) != (here & _KIND)
        # A letter joins the preceding character if that begins a word: white space does, others if no word includes
        # them.
        is_free = (flags[i] & _OTHER == 0) & (data[i] != 32)
        letter = (here & _LETTER != 0) & (before & (_DIGIT | _NEWLINE) == 0) & ((before & _OTHER == 0) | is_free)
        other = (here & _OTHER != 0) & (byte_before[i] == 32)
        newline = (here & _NEWLINE != 0) & (before & _OTHER != 0)
        blank = (before & here & _SPACE != 0) & (here & _NEWLINE == 0)
        here_begins[i] = (changes > (letter | other | newline)) | (
            blank & ((before & _NEWLINE != 0) | (afters[i] & _SPACE == 0))
        )


@njit
def _guess_cases(size: Number, flags: Bytes, begins: Bytes) -> None:
    """Add the rule of o200k: a word begins where lower case turns to upper case."""
    heres, here_begins = flags[1:], begins[1:]
    for i in range(size - 1):
        before, here = flags[i], heres[i]
        here_begins[i] |= (before & here & _LETTER != 0) & (before & _LOWER != 0) & (here & _LOWER == 0)


@njit
def _find_odd(data: Bytes, size: Number, text_size: Number, flags: Bytes, odd: Bytes) -> None:
    """Write the flags, with _ODD for digits and newlines in ASCII only where the fast rules of cl100k may be wrong.

    That is at the first of four digits, and at a newline before a slash or after a blank, which may follow a newline,
    too. Blanks at the end of the text may belong to a newline before them.
    """
    # Views indexed from 0: otherwise the compiler does not vectorize the loop.
    befores, seconds, thirds, fourths = flags, flags[2:], flags[3:], flags[4:]
    heres, bytes_here, bytes_after, odd_here = flags[1:], data[1:], data[2:], odd[1:]
    for i in range(size - 2):
        here = heres[i]
        digits = here & seconds[i] & thirds[i] & fourths[i] & _DIGIT != 0
        after_blank = (befores[i] & (_SPACE | _NEWLINE)) == _SPACE
        newline = (here & _NEWLINE != 0) & (after_blank | (bytes_after[i] == 47))
        plain = (here & (_DIGIT | _NEWLINE) != 0) & (bytes_here[i] < 0x80) & ~(digits | newline)
        odd_here[i] = here & ~_ODD if plain else here
    odd[0], odd[size - 1] = flags[0], flags[size - 1]
    if size == text_size and flags[size - 1] & _SPACE:
        odd[size - 1] |= np.uint8(_ODD)


@njit
def _width(first: Number) -> Number:
    """Number of bytes of the character with this first byte."""
    return 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


@njit
def _run(flags: Bytes, at: Number, size: Number, wanted: Number) -> Number:
    """End of the run of characters from `at` on that have any of these flags."""
    while at < size and flags[at] & wanted:
        at += 1
    return at


@njit
def _digits(data: Bytes, at: Number, size: Number, flags: Bytes) -> Number:
    """End of up to three digits: \\p{N}{1,3}"""
    for _ in range(3):
        if at >= size or not flags[at] & _DIGIT:
            break
        at += _width(np.int64(data[at]))
    return at


@njit
def _without_last(data: Bytes, start: Number, end: Number) -> Number:
    """`end` moved back by one character, unless only one remains: \\s+(?!\\S) before a word, then \\s"""
    last = end - 1
    while data[last] & 0xC0 == 0x80:
        last -= 1
    return last if last > start else end


@njit
def _after_newline(data: Bytes, start: Number, end: Number) -> Number:
    """End of the last newline in a run of white space, or -1: \\s*[\\r\\n]"""
    while end > start:
        if data[end - 1] == 10 or data[end - 1] == 13:
            return end
        end -= 1
    return np.int64(-1)


@njit
def _contraction(data: Bytes, at: Number, size: Number, any_case: Number) -> Number:
    """End of 's 't 'm 'd 're 've 'll at `at`, else `at`. In any case, ſ equals s (Unicode case folding)."""
    if at + 1 >= size or data[at] != 39:
        return at
    first = np.int64(data[at + 1])
    second = np.int64(data[at + 2]) if at + 2 < size else np.int64(0)
    if any_case:
        if first == 0xC5 and second == 0xBF:
            return at + 3
        first |= 32 if 65 <= first <= 90 else 0
        second |= 32 if 65 <= second <= 90 else 0
    if first == 115 or first == 116 or first == 109 or first == 100:
        return at + 2
    if ((first == 114 or first == 118) and second == 101) or (first == 108 and second == 108):
        return at + 3
    return at


@njit
def _gpt2_end(data: Bytes, start: Number, size: Number, flags: Bytes) -> Number:
    """'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+(?!\\S)|\\s"""
    end = _contraction(data, start, size, _ONE_CASE)
    if end > start:
        return end
    at = start
    if data[start] == 32 and start + 1 < size and not flags[start + 1] & _SPACE:
        at = start + 1
    end = _run(flags, at, size, flags[at] & _KIND)
    return _without_last(data, start, end) if flags[at] & _SPACE and end < size else end


@njit
def _cl100k_end(data: Bytes, start: Number, size: Number, flags: Bytes) -> Number:
    """'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+
    |\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s"""
    end = _contraction(data, start, size, _ANY_CASE)
    if end > start:
        return end
    if flags[start] & _DIGIT:
        return _digits(data, start, size, flags)
    after = start + _width(np.int64(data[start]))
    following = flags[after] if after < size else np.uint8(0)
    if flags[start] & _LETTER or (following & _LETTER and not flags[start] & _NEWLINE):
        return _run(flags, after, size, _LETTER)
    if flags[start] & _OTHER or (data[start] == 32 and following & _OTHER):
        return _run(flags, _run(flags, after, size, _OTHER), size, _NEWLINE)
    end = _run(flags, after, size, _SPACE)
    if end >= size:
        return end
    newline = _after_newline(data, start, end)
    return newline if newline >= 0 else _without_last(data, start, end)


@njit
def _o200k_end(data: Bytes, start: Number, size: Number, flags: Bytes) -> Number:
    """With U = [\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}], L = [\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}], P = [^\\r\\n\\p{L}\\p{N}]?
    and C = (?i:'s|'t|'re|'ve|'m|'ll|'d)?: PU*L+C|PU+L*C|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*
    |\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"""
    if flags[start] & _DIGIT:
        return _digits(data, start, size, flags)
    after = start + _width(np.int64(data[start]))
    if not flags[start] & _NEWLINE:
        first = start if flags[start] & _LETTER else after
        upper, end = _cased_word(data, first, size, flags)
        if end < 0 and flags[start] & _OTHER and flags[start] & _UPPER:
            upper, end = _cased_word(data, start, size, flags)  # a mark, not consumed as P: it is L itself
        if end < 0 and upper > first:
            end = upper
        if end >= 0:
            return _contraction(data, end, size, _ANY_CASE)
    if flags[start] & _OTHER or (data[start] == 32 and after < size and flags[after] & _OTHER):
        end = _run(flags, after, size, _OTHER)
        while end < size and (flags[end] & _NEWLINE or data[end] == 47):
            end += 1
        return end
    end = _run(flags, after, size, _SPACE)
    newline = _after_newline(data, start, end)
    if newline >= 0:
        return newline
    return end if end >= size else _without_last(data, start, end)


@njit
def _cased_word(data: Bytes, start: Number, size: Number, flags: Bytes) -> Any:
    """(end of U*, end of U*L+ or -1) from `start` on; U and L share the letters and marks without case."""
    upper = start
    lower = np.int64(-1)  # end of the last character of U* that L could take instead
    while upper < size and flags[upper] & _UPPER:
        is_lower = flags[upper] & _LOWER
        upper += _width(np.int64(data[upper]))
        if is_lower:
            lower = upper
    if upper < size and flags[upper] & _LOWER:
        lower = _run(flags, upper, size, _LOWER)
    return upper, lower
