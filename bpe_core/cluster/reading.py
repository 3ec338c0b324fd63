"""Texts of one part of a corpus, read by a worker in blocks of bounded size."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from os import SEEK_END
from typing import Any

from bpe_core.cluster.libraries import library
from bpe_core.cluster.parts import Part
from bpe_core.errors import CorpusError, quoted, reason_of
from bpe_core.language import message
from bpe_core.text.files import DIVISIBLE, first_place, text_blocks
from bpe_core.text.json_lines import json_record
from bpe_core.text.parquet_texts import is_text_type

_PIECE = 1 << 22
"""Bytes per read. Larger pieces repeat more words, each of which is encoded once per piece, but take more memory."""

_LINES = 1 << 22
_PACKED = 1 << 17
_WINDOW = 1 << 16
_ROWS = 256


def texts_of(part: Part, split: str, options: Mapping[str, Any] | None = None) -> Iterator[str]:
    """The texts of a part, or the text of a byte range in blocks that end at a word's end.

    A range of text ends where every split restarts as at the beginning of a text, a range of JSON lines at a line's
    end, and a Parquet row group belongs to the range where it begins: every text is in exactly one part. Raises
    CorpusError for damage, with the file and the place.

    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> from bpe_core.cluster.parts import parts_of
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.jsonl").write_text('{"text": "low"}\\n{"text": "lower"}\\n')
    ...     [list(texts_of(part, "gpt2")) for part in parts_of(f"{folder}/a.jsonl", "gpt2", block=16)]
    [['low'], ['lower'], []]
    """
    try:
        with library("fsspec").open(part.address, "rb", **dict(options or {})) as stored:
            file = _unpacked(stored, part.compression)
            if part.kind == "parquet":
                yield from _column(file, part)
                return
            start, ranged = 0, file
            if not part.whole:
                limits = _limits(file, part)
                if limits is None:
                    return
                start, stop = limits
                file.seek(start)
                ranged = _Range(file, stop - start)
            if part.kind == "jsonl":
                yield from _fields(ranged, part, start)
            else:
                size = _PIECE if split in DIVISIBLE else None
                yield from text_blocks(ranged, part.address, split, position=start, size=size)
    except CorpusError:
        raise
    except (MemoryError, GeneratorExit):
        raise
    except _EarlyEndError:
        raise _damaged(part, message("its last frame ends too early")) from None
    except Exception as error:  # protocol, compression and Parquet libraries all raise different errors
        reason = reason_of(error).split("\n")[0] or type(error).__name__
        if reason.endswith("not enough memory"):  # zstandard's error for a long window
            raise MemoryError(reason) from None
        raise _damaged(part, reason) from None


class _EarlyEndError(Exception):
    """Truncated last frame of a compressed file."""


def _unpacked(file: Any, compression: str) -> Any:
    if compression == "gzip":
        return gzip.GzipFile(fileobj=file)
    return _Zstd(file) if compression == "zstd" else file


class _Zstd:
    """Readable content of a zstd file with one or more frames. Raises _EarlyEndError for a truncated frame."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._frames = library("zstandard").ZstdDecompressor(max_window_size=1 << 31)
        self._frame: Any = None
        self._ready = b""

    def read(self, size: int = -1, /) -> bytes:
        pieces, length = [self._ready], len(self._ready)
        while (size < 0 or length < size) and (packed := self._file.read(_PACKED)):
            for piece in self._next(packed):
                pieces.append(piece)
                length += len(piece)
        data = b"".join(pieces)
        if len(data) < size or size < 0:
            if self._frame is not None:
                raise _EarlyEndError
            size = len(data)
        self._ready = data[size:]
        return data[:size]

    def _next(self, packed: bytes) -> Iterator[bytes]:
        while packed:
            if self._frame is None:
                self._frame = self._frames.decompressobj()
            yield self._frame.decompress(packed)
            packed = self._frame.unused_data if self._frame.eof else b""
            self._frame = None if self._frame.eof else self._frame


class _Range:
    """A byte range of a file as a file object."""

    def __init__(self, file: Any, size: int) -> None:
        self._file = file
        self._left = size

    def read(self, size: int = -1, /) -> bytes:
        data: bytes = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


def _limits(file: Any, part: Part) -> tuple[int, int] | None:
    """Start and end of the range; None if no text begins in it. Adjacent ranges find the same boundary."""
    start = _place(file, part, part.start) if part.start else 0
    if start is None:
        return None
    following = part.start + part.block
    while following < part.size:
        stop = _place(file, part, following)
        if stop is not None:
            return start, stop
        following += part.block
    return start, part.size


def _place(file: Any, part: Part, start: int) -> int | None:
    """First division point in the block from `start` on; None if there is none."""
    stop = min(start + part.block, part.size)
    before = 1 if part.kind == "jsonl" else 4
    for first in range(start, stop, _WINDOW):
        last = min(first + _WINDOW, stop)
        at = max(first - before, 0)
        file.seek(at)
        data: bytes = file.read(last - at + 5)
        if part.kind == "jsonl":
            found = data.find(b"\n", 0, last - at - 1) + 1
        else:
            found = first_place(data, first - at, last - at)
        if found:
            return at + found
    return None


def _fields(file: Any, part: Part, position: int) -> Iterator[str]:
    """The texts of JSON lines. Empty lines and null yield none."""
    rest = b""
    while True:
        block = file.read(_LINES)
        lines = (rest + block).split(b"\n")
        rest = lines.pop() if block else b""
        for line in lines:
            text = _field(line, part, position) if line.strip() else None
            position += len(line) + 1
            if text is not None:
                yield text
        if not block:
            return


def _field(line: bytes, part: Part, position: int) -> str | None:
    try:
        record = json_record(line)
    except UnicodeDecodeError as error:
        raise _damaged(part, message("it is not UTF-8 at byte {position:,}", position=position + error.start)) from None
    except (ValueError, RecursionError):
        raise _damaged(
            part,
            message("the line at byte {position:,} is not JSON: {line}", position=position, line=quoted(line[:60])),
        ) from None
    if not isinstance(record, dict) or part.field not in record:
        raise _damaged(
            part,
            message("the line at byte {position:,} has no field {field}", position=position, field=quoted(part.field)),
        )
    text = record[part.field]
    if text is None or isinstance(text, str):
        return text
    raise _damaged(
        part,
        message(
            "in the line at byte {position:,} {field} is {value}, which is not text",
            position=position,
            field=quoted(part.field),
            value=quoted(text),
        ),
    )


def _column(file: Any, part: Part) -> Iterator[str]:
    """The texts of the row groups that begin in the range, assuming rows of equal size.

    The column metadata has the actual offsets, but Arrow aborts the process if it is damaged.
    """
    import pyarrow.parquet as pq

    whole = pq.ParquetFile(file)
    if part.field not in whole.schema_arrow.names:
        raise _damaged(part, message("it has no column {field}", field=quoted(part.field)))
    kind = whole.schema_arrow.field(part.field).type
    if not is_text_type(kind):
        raise _damaged(
            part, message("the column {field} holds {kind}, not text", field=quoted(part.field), kind=str(kind))
        )
    size, rows = file.seek(0, SEEK_END), max(1, whole.metadata.num_rows)
    before = 0
    for number in range(whole.num_row_groups):
        begins = min(before * size // rows, size - 1)
        before += whole.metadata.row_group(number).num_rows
        if part.whole or part.start <= begins < part.start + part.block:
            for batch in whole.iter_batches(_ROWS, row_groups=[number], columns=[part.field], use_threads=False):
                yield from (text for text in batch.column(0).to_pylist() if text is not None)


def _damaged(part: Part, reason: str) -> CorpusError:
    return CorpusError(
        message("{part} cannot be read: {reason}.", part=part.name, reason=reason),
        limit=message("A corpus file is complete UTF-8 text, JSON lines or Parquet."),
        remedy=message("Repair it, leave it out, or skip damaged parts: damaged='skip', --skip-damaged."),
    )
