"""Tasks of the workers: count the words of a part, divide them by hash into pieces, and combine pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from bpe_core.cluster.parts import Part
from bpe_core.cluster.reading import texts_of
from bpe_core.cluster.reports import Report
from bpe_core.errors import CorpusError
from bpe_core.kernels import backend, scan, threads
from bpe_core.text.counting import count_words
from bpe_core.text.word_counts import WordSettings
from bpe_core.text.word_rows import Rows, merged_rows, table_of, taken

_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class PartCounts(NamedTuple):
    """The words of a part in pieces, one per hash range, and the report.

    >>> PartCounts((b"",), Report(0, 0)).report.number
    0
    """

    pieces: tuple[bytes, ...]
    report: Report


class Finished(NamedTuple):
    """The words kept of one hash range, packed, and the bytes of text in the words dropped.

    >>> Finished(packed(Rows(b"", np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))), 0).dropped
    0
    """

    piece: bytes
    dropped: int


def count_part(part: Part, settings: WordSettings, pieces: int, options: Mapping[str, Any] | None = None) -> PartCounts:
    """Count the words of a part with the compiled scan in one thread. A damaged part has no words and a problem.

    >>> from bpe_core.cluster.parts import parts_of
    >>> counted = count_part(parts_of("README.md", "gpt2")[0], WordSettings(), 4)
    >>> len(counted.pieces), counted.report.problem
    (4, None)
    """
    backend.warm_up()
    try:
        with threads.at_most(1):
            counts = count_words(texts_of(part, settings.split, options), settings, part=part.number)
    except CorpusError as error:
        return PartCounts(tuple(packed(_NOTHING) for _ in range(pieces)), Report.damaged(part, error))
    return PartCounts(divided(counts.rows, pieces), Report(part.number, part.bytes, counts.surrogates))


def divided(rows: Rows, pieces: int) -> tuple[bytes, ...]:
    """Divide the rows into `pieces` packed pieces. A word is in the piece of the same number in every part.

    >>> made = divided(Rows(b"lowlower", np.array([0, 3, 8]), np.array([2, 1]), np.array([0, 1])), 3)
    >>> sorted(unpacked(piece).text for piece in made)
    [b'', b'low', b'lower']
    """
    keys = scan.word_keys(rows.text, rows.offsets).view(np.uint64) * _SPREAD
    which = ((keys >> np.uint64(32)) % np.uint64(pieces)).astype(np.int64)
    order = np.argsort(which, kind="stable")
    whole = table_of(taken(rows, order))
    edges = np.searchsorted(which[order], np.arange(pieces + 1))
    return tuple(_packed(whole.slice(first, last - first)) for first, last in pairwise(edges.tolist()))


def combine_parts(*counted: Sequence[bytes]) -> tuple[bytes, ...]:
    """Combine the words of several parts, one piece at a time, so that little is unpacked at once.

    >>> made = divided(Rows(b"low", np.array([0, 3]), np.array([2]), np.array([1])), 2)
    >>> sorted(unpacked(piece).counts.tolist() for piece in combine_parts(made, made))
    [[], [4]]
    """
    return tuple(combine(*pieces) for pieces in zip(*counted, strict=True))


def combine(*pieces: bytes) -> bytes:
    """Merge pieces: every word once.

    >>> rows = Rows(b"low", np.array([0, 3]), np.array([2]), np.array([1]))
    >>> unpacked(combine(packed(rows), packed(rows))).counts.tolist()
    [4]
    """
    return packed(merged_rows(map(unpacked, pieces)))


def finish(least: int, *pieces: bytes) -> Finished:
    """Merge the pieces of one hash range, and drop words with a count below `least`.

    >>> rows = Rows(b"lowlower", np.array([0, 3, 8]), np.array([2, 1]), np.array([0, 1]))
    >>> finish(2, packed(rows)).dropped
    5
    """
    rows = merged_rows(map(unpacked, pieces))
    kept = rows.counts >= least
    dropped = int(np.diff(rows.offsets)[~kept] @ rows.counts[~kept])
    return Finished(packed(rows if kept.all() else taken(rows, np.flatnonzero(kept))), dropped)


def part_of(several: Sequence[Any], number: int) -> Any:
    """One of several results, as a separate task, so that workers move and release each independently.

    >>> part_of(("a", "b"), 1)
    'b'
    """
    return several[number]


def packed(rows: Rows) -> bytes:
    """Serialize rows as a compressed Arrow stream.

    >>> unpacked(packed(Rows(b"low", np.array([0, 3]), np.array([2]), np.array([0])))).text
    b'low'
    """
    return _packed(table_of(rows))


def _packed(table: Any) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)  # threads take longer than a small piece
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def unpacked(data: bytes) -> Rows:
    """Inverse of `packed`.

    >>> unpacked(packed(Rows(b"", np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)))).text
    b''
    """
    import pyarrow as pa

    with pa.ipc.open_stream(data, options=pa.ipc.IpcReadOptions(use_threads=False)) as reader:
        return Rows.of(reader.read_all())


_NOTHING = Rows(b"", np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))
