"""Texts in the rows of a file: lines, CSV, JSON lines or Parquet, read row by row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from io import BytesIO
from itertools import islice
from os import SEEK_END, PathLike
from typing import IO, NamedTuple, TypeAlias

from bpe_core import checks
from bpe_core.errors import ConfigError, CorpusError, quoted, unreadable
from bpe_core.language import joined, listed, message
from bpe_core.text.charsets import check_encoding, decoded_as, detected, utf8_remedy
from bpe_core.text.csv_records import MOST_CHARACTERS, read_records, separator_of
from bpe_core.text.json_lines import TOO_LONG, json_object
from bpe_core.text.parquet_texts import NOT_UTF8, parquet_columns, read_texts
from bpe_core.work import taking

KINDS = ("lines", "csv", "jsonl", "parquet")
TEXT = "text"
"""Default column, and the name of the only column of lines."""

_SUFFIXES = {"csv": "csv", "tsv": "csv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet", "pq": "parquet"}
_SAMPLE = 1 << 20
"""Number of first bytes from which the encoding is detected."""
_RECORDS = 1_000
"""Number of JSON lines that are searched for columns."""
_MOST_NAMED = 20
"""Maximum number of columns named in an error."""
MOST_COLUMNS = 10_000
_LONG = 1 << 16
"""Minimum bytes of a line whose memory is counted."""
_PER_BYTE, _PER_VALUE = 8, 230
"""Memory of a line: decoded, as texts of its cells, and of each object, list and key of JSON."""

_UNDECODED = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, as "surrogateescape" decodes them."""
_MOST_ZEROS = 0.4
"""Share of zero bytes above which a file is UTF-16 without a mark; a few are text."""


class SkippedRow(NamedTuple):
    """A row that was left out: its number, and why.

    >>> SkippedRow(3, "it is not UTF-8").row
    3
    """

    row: int
    reason: str


TextRow: TypeAlias = "tuple[int, tuple[str | None, ...]] | SkippedRow"
"""Number of a row and its texts, None for those that are missing; or the row skipped."""


class TableFile:
    """A file with a text in each row; `open_table` opens it, and a `with` block closes it.

    name, kind  of the file; the kind is one of KINDS
    columns     names of the columns, unique; of Parquet and JSON lines only those of texts
    size        bytes of the file; `position`: those read so far

    >>> with open_table(b"id,text\\n1,low\\n2,\\n3\\n", kind="csv") as table:
    ...     table.columns, list(table.rows(["text"])), table.position
    (('id', 'text'), [(2, ('low',)), (3, (None,)), SkippedRow(row=4, reason='it has 1 of 2 cells')], 19)
    """

    def __init__(self, file: IO[bytes], name: str, kind: str, encoding: str) -> None:
        self.name = name
        self.kind = kind
        self._file = file
        self._first = self._position = 0
        self._unread = ""
        self.size = file.seek(0, SEEK_END)
        if kind != "parquet":
            self._read_as(encoding)
        self.columns = self._found_columns()

    def __enter__(self) -> TableFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def position(self) -> int:
        """Bytes read so far; for Parquet, in proportion to its rows."""
        return min(self._position, self.size)

    def column(self, given: str | None = None) -> str:
        """Return a column's name; None for "text" or the only column.

        Raises ConfigError for one that is not there, CorpusError for a file without columns of texts.
        """
        if not self.columns:
            found = message("{file} has no column of texts.", file=quoted(self.name))
            unread = message("A line cannot be read: {reason}.", reason=self._unread) if self._unread else ""
            raise CorpusError(
                joined(found, unread),
                limit=message("Columns are named in the first line of a CSV file; in other files they hold strings."),
                remedy=message("Write one JSON object a line.")
                if unread and self.kind == "jsonl"
                else message("Choose another file."),
            )
        if given is None and (TEXT in self.columns or len(self.columns) == 1):
            return TEXT if TEXT in self.columns else self.columns[0]
        if isinstance(given, str) and given in self.columns:
            return given
        names = listed(tuple(quoted(each) for each in self.columns[:_MOST_NAMED]), last="")
        raise ConfigError(
            message(
                "{file} has no column {column}.",
                file=quoted(self.name),
                column=quoted(TEXT if given is None else given),
            ),
            limit=message("It has {count:,} columns of texts: {names}.", count=len(self.columns), names=names or "–"),
            remedy=message("Name one of them as the column of the texts."),
        )

    def rows(self, columns: Sequence[str]) -> Iterator[TextRow]:
        """Texts of these columns, row by row from the first, with the number of their line, or row of Parquet, from 1.

        A broken row is skipped: it has another number of cells than the header, is not JSON or not UTF-8, or has
        something other than a text in one of the columns. Raises CorpusError for a file that is damaged as a whole.
        """
        names = [self.column(each) for each in checks.sequence(columns, "columns", message("names"))]
        rows = {"csv": self._csv, "jsonl": self._jsonl, "parquet": self._parquet, "lines": self._of_lines}[self.kind]
        return rows(names)

    # -- the kinds ---------------------------------------------------------------------------------------------

    def _found_columns(self) -> tuple[str, ...]:
        if self.kind == "parquet":
            of_texts = parquet_columns(self._file, self.name)
            self._check_columns(len(of_texts))
            return of_texts
        if self.kind == "lines":
            return (TEXT,)
        if self.kind == "csv":
            self._separator = separator_of(self._header()) if not self.name.lower().endswith(".tsv") else "\t"
            _, names = next(self._records(), (0, [])) if self._begins() else (0, [])
            if isinstance(names, str):
                self._unread, names = names, []
            self._check_columns(len(names))
            return _unique(names)
        lines = (line for line in self._lines() if line is None or line.strip())
        columns: dict[str, None] = {}
        for each in map(json_object, islice(lines, _RECORDS)):
            if isinstance(each, dict):
                columns |= dict.fromkeys(name for name, value in each.items() if isinstance(value, str))
                self._check_columns(len(columns))
            else:
                self._unread = self._unread or each
        return tuple(columns)

    def _check_columns(self, count: int) -> None:
        if count > MOST_COLUMNS:
            raise CorpusError(
                message("{file} has {count:,} columns.", file=quoted(self.name, 200), count=count),
                limit=message("The most allowed is {most:,}.", most=MOST_COLUMNS),
                remedy=message("Leave some out."),
            )

    def _begins(self) -> bool:
        """Whether the beginning of the file has more than empty lines."""
        self._file.seek(self._first)
        return bool(self._file.read(_SAMPLE).strip(b"\r\n"))

    def _of_lines(self, names: Sequence[str]) -> Iterator[TextRow]:
        for number, line in enumerate(self._lines(), 1):
            text = None if line is None else _decoded(line.removesuffix(b"\n").removesuffix(b"\r"))
            if text is None:
                yield SkippedRow(number, TOO_LONG if line is None else NOT_UTF8)
            else:
                yield number, (text or None,) * len(names)

    def _csv(self, names: Sequence[str]) -> Iterator[TextRow]:
        places = [self.columns.index(name) for name in names]
        for number, fields in islice(self._records(), 1, None):
            if isinstance(fields, str):
                yield SkippedRow(number, fields)
                continue
            texts = tuple(fields[place] or None for place in places if place < len(fields))
            if len(fields) != len(self.columns):
                cells = message("it has {found:,} of {all:,} cells", found=len(fields), all=len(self.columns))
                yield SkippedRow(number, cells)
            elif any(text and not text.isascii() and _UNDECODED.search(text) for text in texts):
                yield SkippedRow(number, NOT_UTF8)
            else:
                yield number, texts

    def _records(self) -> Iterator[tuple[int, list[str] | str]]:
        self._file.seek(self._first)
        lines = (None if line is None else line.decode("utf-8", "surrogateescape") for line in self._lines())
        return read_records(lines, self._separator)

    def _header(self) -> str:
        self._file.seek(self._first)
        return self._file.readline(_SAMPLE).decode("utf-8", "replace")

    def _jsonl(self, names: Sequence[str]) -> Iterator[TextRow]:
        for number, line in enumerate(self._lines(), 1):
            if line is not None and not line.strip():
                continue
            found = json_object(line)
            if not isinstance(found, dict):
                yield SkippedRow(number, found)
                continue
            texts = tuple(map(found.get, names))
            wrong = [text for text in texts if not isinstance(text, str | None)]
            yield (
                SkippedRow(number, message("{value} is not a text", value=quoted(wrong[0])))
                if wrong
                else (number, texts)
            )

    def _parquet(self, names: Sequence[str]) -> Iterator[TextRow]:
        for number, share, texts in read_texts(self._file, self.name, names):
            self._position = int(share * self.size)
            yield SkippedRow(number, texts) if isinstance(texts, str) else (number, texts)

    def _lines(self) -> Iterator[bytes | None]:
        """Lines with their ends; None for one that is too long."""
        self._file.seek(self._first)
        self._position = self._first
        while line := self._file.readline(MOST_CHARACTERS + 1):
            self._position += len(line)
            if len(line) <= MOST_CHARACTERS:
                with taking(partial(_memory_of, line)) if len(line) > _LONG else nullcontext():
                    yield line
                continue
            while line and not line.endswith(b"\n"):
                line = self._file.readline(MOST_CHARACTERS)
                self._position += len(line)
            yield None

    def _read_as(self, encoding: str) -> None:
        """Decode the file, and find the start of its first line: after a byte order mark, except in files of lines."""
        self._file.seek(0)
        sample = self._file.read(_SAMPLE)
        if encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
            if foreign_encoding(sample) is not None:
                raise CorpusError(
                    message("{file} is not UTF-8.", file=quoted(self.name, 200)),
                    limit=message("Rows are read as UTF-8, unless another encoding is named."),
                    remedy=utf8_remedy(sample),
                )
        else:
            self._file.seek(0)
            text = decoded_as(self._file.read(), encoding, quoted(self.name, 200))
            self._file.close()
            self._file = BytesIO(text.encode())
            self.size = self._file.seek(0, SEEK_END)
        if self.kind != "lines":
            self._end_lines()
        marked = self.kind != "lines" and sample.startswith(b"\xef\xbb\xbf")
        self._first = 3 if marked else 0

    def _end_lines(self) -> None:
        """Replace carriage returns by line feeds in a file whose lines end in carriage returns alone."""
        self._file.seek(0)
        sample = self._file.read(_SAMPLE)
        if b"\r" in sample and b"\n" not in sample:
            with self._file as file:
                self._file = BytesIO((sample + file.read()).replace(b"\r", b"\n"))


def open_table(
    source: bytes | PathLike[str], *, name: str = "", kind: str | None = None, encoding: str = "utf-8"
) -> TableFile:
    """Open a file of texts: its path, or its content.

    The suffix determines the kind: .csv and .tsv, .jsonl and .ndjson, .parquet and .pq; all others are lines. The cells
    of CSV are separated by the most frequent of comma, semicolon and tab in the first line, which names the columns.
    Rows are read one by one; with an `encoding` other than UTF-8 the file is decoded as a whole.

    Raises CorpusError for a file that is unreadable, empty or damaged, ConfigError for another kind, and for an
    encoding unknown to Python.

    >>> with open_table(b'{"text": "low"}\\n{"text": 5}\\n', kind="jsonl") as table:
    ...     list(table.rows(["text"]))
    [(1, ('low',)), SkippedRow(row=2, reason='5 is not a text')]
    """
    name = checks.instance(name, "name", str, message("the name of a file"))
    if not isinstance(source, bytes):
        path = checks.file_path(source, error=CorpusError)
        name = name or path
    check_encoding(encoding)
    found = kind if kind is not None else _SUFFIXES.get(name.rpartition(".")[2].lower(), "lines")
    checks.choice(found, "kind", KINDS)
    try:
        file: IO[bytes] = BytesIO(source) if isinstance(source, bytes) else _seekable(open(path, "rb"))  # noqa: SIM115
        empty = not file.read(1)
    except OSError as error:
        raise unreadable(name, error) from None
    try:
        if empty:
            raise CorpusError(
                message("{file} is empty.", file=quoted(name)),
                limit=message("A file of texts has at least a row."),
                remedy=message("Choose another file."),
            )
        return TableFile(file, name, found, encoding)
    except BaseException:
        file.close()
        raise


def _seekable(file: IO[bytes]) -> IO[bytes]:
    """The file, or the content of a pipe."""
    if file.seekable():
        return file
    with file:
        return BytesIO(file.read())


def foreign_encoding(data: bytes) -> str | None:
    """Name of the encoding that most lines of a file are probably in; None for UTF-8, also if a few lines are not.

    >>> foreign_encoding("日本語の文字です\\n".encode("shift_jis")), foreign_encoding("é\\né\\n".encode() + b"\\xe9\\n")
    ('Shift_JIS', None)
    """
    sample = data[:_SAMPLE]
    if len(sample) == _SAMPLE:  # its last character may be cut
        sample = sample[: sample.rfind(b"\n") + 1] or sample[:-4]
    found = detected(sample)
    zeros = sample.count(0)
    if found in (None, "UTF-16", "UTF-32") or zeros > _MOST_ZEROS * len(sample):
        return found
    if found.startswith("UTF-16") and not zeros:  # the end of a line has one
        return None
    other = [line for line in sample.split(b"\n") if not line.isascii()]
    return found if 2 * sum(_decoded(line) is None for line in other) > len(other) else None


# -- helpers ---------------------------------------------------------------------------------------------------------


def _memory_of(line: bytes) -> int:
    """Estimated bytes that a line takes, whatever its format."""
    return _PER_BYTE * len(line) + _PER_VALUE * sum(map(line.count, (b"{", b"[", b'":')))


def _decoded(data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError:
        return None


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    """Unique names of columns: unnamed columns are numbered, and so are duplicates."""
    found: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        given = name or f"column {number}"
        while given in found:
            given = f"{given} ({number})"
        found[given] = None
    return tuple(found)
