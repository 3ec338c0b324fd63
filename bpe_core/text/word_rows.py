"""Words, counts and places as columns, with selection, joins and merges of whole arrays."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int64s
from bpe_core.errors import CorpusError
from bpe_core.kernels import backend, scan
from bpe_core.language import message

if TYPE_CHECKING:
    import pyarrow as pa


COLUMNS = ("word", "count", "place")

PART_BITS = 40
"""A place is a part number times 2**40, plus the index in first-seen order within the part."""

MOST_TOTAL = 1 << 62
"""Limit on the bytes of counted text: sums have 64 bits."""

_SMALL = 10_000
"""Number of words that a dict indexes in a few milliseconds."""


class Rows(NamedTuple):
    """Columns of a table of words: one row per distinct word.

    text     UTF-8 of all words, concatenated
    offsets  int64[words + 1]: byte offsets into `text`
    counts   int64[words]
    places   int64[words]

    >>> Rows.of(table_of(Rows(b"lowlower", np.array([0, 3, 8]), np.array([2, 1]), np.array([0, 1])))).text
    b'lowlower'
    """

    text: bytes
    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]

    @classmethod
    def of(cls, table: pa.Table) -> Rows:
        """Rows of a table in the form of `table_of`.

        >>> table = table_of(Rows(b"ab", np.array([0, 1, 2]), np.array([2, 1]), np.array([3, 5])))
        >>> Rows.of(table.slice(1)).text, Rows.of(table).places.tolist()
        (b'b', [3, 5])
        """
        import pyarrow as pa

        words = table["word"].combine_chunks()
        if isinstance(words, pa.ChunkedArray):
            words = pa.concat_arrays(words.chunks) if words.num_chunks else pa.array([], pa.large_binary())
        _, edges, data = words.buffers()
        offsets = np.zeros(1, np.int64)
        if len(words):
            offsets = np.frombuffer(edges, np.int64, len(words) + 1, 8 * words.offset)
        first, last = int(offsets[0]), int(offsets[-1])
        text = bytes(memoryview(data)[first:last]) if data is not None else b""
        return cls(text, offsets - first, *(table[name].to_numpy().copy() for name in COLUMNS[1:]))


def table_of(rows: Rows) -> pa.Table:
    """The rows as an Arrow table: word (large_binary), count and place (int64).

    >>> table_of(Rows(b"low", np.array([0, 3]), np.array([2]), np.array([0]))).schema.names
    ['word', 'count', 'place']
    """
    import pyarrow as pa

    edges = np.ascontiguousarray(rows.offsets, np.int64)
    buffers = [None, pa.py_buffer(edges), pa.py_buffer(rows.text)]
    words = pa.Array.from_buffers(pa.large_binary(), len(rows.counts), buffers)
    return pa.table([words, pa.array(rows.counts, pa.int64()), pa.array(rows.places, pa.int64())], names=COLUMNS)


def part_places(part: int, words: int) -> Int64s:
    """Places of `words` words of one part, in first-seen order.

    >>> (part_places(1, 2) - 2**40).tolist()
    [0, 1]
    """
    return (part << PART_BITS) + np.arange(words, dtype=np.int64)


def merged_rows(several: Iterable[Rows]) -> Rows:
    """Distinct words of all rows, with the sum of their counts and the smallest of their places, in that order.

    Raises CorpusError if the texts are too long for a sum of 64 bits.

    >>> merged_rows([Rows(b"ab", np.array([0, 1, 2]), np.array([1, 1]), np.array([2, 3])),
    ...              Rows(b"b", np.array([0, 1]), np.array([4]), np.array([0]))])
    Rows(text=b'ba', offsets=array([0, 1, 2]), counts=array([5, 1]), places=array([0, 2]))
    """
    every = joined_rows(several)
    numbers = numbered(every.text, every.offsets)
    distinct = int(numbers.max(initial=-1)) + 1
    counts = np.zeros(distinct, np.int64)
    places = np.full(distinct, np.iinfo(np.int64).max, np.int64)
    np.add.at(counts, numbers, every.counts)
    np.minimum.at(places, numbers, every.places)
    first = np.full(distinct, len(numbers), np.int64)
    np.minimum.at(first, numbers, np.arange(len(numbers)))
    order = np.argsort(places)
    kept = taken(every, first[order])
    return Rows(kept.text, kept.offsets, counts[order], places[order])


def joined_rows(several: Iterable[Rows]) -> Rows:
    """All rows, one after another.

    Raises CorpusError if the texts are too long for a sum of 64 bits.

    >>> rows = Rows(b"ab", np.array([0, 1, 2]), np.array([1, 1]), np.array([2, 3]))
    >>> joined_rows([rows, rows]).text
    b'abab'
    """
    several = list(several)
    shifts = np.cumsum([0, *(len(each.text) for each in several)])
    text = b"".join(each.text for each in several)
    offsets = [each.offsets[1:] + shift for each, shift in zip(several, shifts, strict=False)]
    every = Rows(
        text,
        np.concatenate((np.zeros(1, np.int64), *offsets)),
        np.concatenate([np.zeros(0, np.int64), *(each.counts for each in several)]),
        np.concatenate([np.zeros(0, np.int64), *(each.places for each in several)]),
    )
    check_total(every)
    return every


def taken(rows: Rows, numbers: Int64s) -> Rows:
    """Rows at these indices, in this order.

    >>> taken(Rows(b"ab", np.array([0, 1, 2]), np.array([2, 1]), np.array([3, 5])), np.array([1])).text
    b'b'
    """
    import pyarrow as pa

    found = Rows.of(table_of(rows).take(pa.array(numbers)))
    pa.default_memory_pool().release_unused()  # Arrow caches freed memory, here as much as the rows take
    return found


def numbered(text: bytes, offsets: Int64s) -> npt.NDArray[np.int32]:
    """Index of the distinct word of each word, by first appearance.

    >>> numbered(b"aba", np.array([0, 1, 2, 3])).tolist()
    [0, 1, 0]
    """
    if backend.use_compiled(len(offsets), _SMALL):
        return scan.WordTable().add_spans(text, offsets[:-1], offsets[1:])
    known: dict[bytes, int] = {}
    edges = pairwise(offsets.tolist())
    return np.array([known.setdefault(text[start:end], len(known)) for start, end in edges], np.int32)


def check_total(rows: Rows) -> None:
    """Raise CorpusError if the words have too many bytes to sum.

    >>> check_total(Rows(b"low", np.array([0, 3]), np.array([2**62]), np.array([0])))
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The words have more bytes together than can be counted. The most is ...
    """
    sizes = np.diff(rows.offsets)
    if float(sizes.astype(np.float64) @ rows.counts.astype(np.float64)) > MOST_TOTAL:
        raise CorpusError(
            message("The words have more bytes together than can be counted."),
            limit=message("The most is {most:,}.", most=MOST_TOTAL),
            remedy=message("Count fewer texts."),
        )
