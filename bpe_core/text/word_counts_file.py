"""Word counts as a Parquet file: one row per distinct word, and their settings in the schema's metadata."""

from __future__ import annotations

import json
from os import SEEK_END
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bpe_core.checks import file_path
from bpe_core.errors import FormatError, quoted, reason_of
from bpe_core.language import message
from bpe_core.text.utf8 import begins_character
from bpe_core.text.word_rows import COLUMNS, Rows, table_of

if TYPE_CHECKING:
    from os import PathLike

    import pyarrow as pa

VERSION = 1
MOST_BYTES = 1 << 34
"""Limit on the bytes of all words, counts and places of one file."""

_KEY = b"bpe_lab.word_counts"
_ROWS = 1 << 20
_AGAIN = message("Count the words again, or get the file again from its source.")


def write_rows(path: str | PathLike[str], rows: Rows, facts: dict[str, Any]) -> None:
    """Write a file; `facts`: its metadata, without the version. Raises FormatError if that fails.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     rows = Rows(b"low", np.array([0, 3]), np.array([2]), np.array([0]))
    ...     write_rows(f"{folder}/counts.parquet", rows, {"split": "gpt2"})
    ...     read_rows(f"{folder}/counts.parquet")[1]
    {'split': 'gpt2'}
    """
    import pyarrow.parquet as pq

    target = file_path(path, use="written")
    facts = json.dumps({"version": VERSION, **facts})  # type: ignore[assignment]
    table = table_of(rows).replace_schema_metadata({_KEY: facts})
    try:
        with open(target, "wb") as file:
            pq.write_table(table, file, row_group_size=_ROWS, compression="zstd", use_dictionary=False)
    except OSError as error:
        raise FormatError(
            message("{path} cannot be written: {reason}.", path=quoted(target), reason=reason_of(error)),
            limit=message("A file is written there, into a folder that exists."),
            remedy=message("Choose another path."),
        ) from None


def read_rows(path: str | PathLike[str]) -> tuple[Rows, dict[str, Any]]:
    """Read the rows of a file and its metadata. Raises FormatError for anything that `write_rows` did not write.

    >>> read_rows("no such file.parquet")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: 'no such file.parquet' cannot be read: No such file or directory. Word counts are a \
Parquet file that exists and may be read. Check the path.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = file_path(path)
    try:
        with open(source, "rb") as file:
            # Column metadata is not read: if it is damaged, Arrow ends the process.
            whole = pq.ParquetFile(file, read_dictionary=["word"])
            facts = _facts(source, whole)
            _check_size(source, whole.metadata, file.seek(0, SEEK_END))
            table = whole.read(columns=list(COLUMNS))
            rows = Rows.of(_checked_columns(source, table).sort_by("place"))
    except KeyError:  # no column of that name to read as a dictionary
        _refuse(
            source, message("it has no column 'word'"), message("Its columns are {names}.", names=", ".join(COLUMNS))
        )
    except MemoryError:  # also Arrow's own
        raise
    except (pa.ArrowException, ValueError, OverflowError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        _refuse(
            source,
            message("it is not a Parquet file that can be read: {reason}", reason=reason),
            message("Word counts are a Parquet file."),
        )
    except OSError as error:
        if error.errno is None:  # Arrow's own error, for damaged pages
            reason = str(error).splitlines()[0]
            _refuse(
                source, message("it is damaged: {reason}", reason=reason), message("Word counts are a Parquet file.")
            )
        raise FormatError(
            message("{source} cannot be read: {reason}.", source=quoted(source), reason=reason_of(error)),
            limit=message("Word counts are a Parquet file that exists and may be read."),
            remedy=message("Check the path."),
        ) from None
    _check_rows(source, rows)
    return rows, facts


def _facts(source: str, whole: Any) -> dict[str, Any]:
    """Parse the metadata. Raises FormatError if it is missing, and for columns that take too much memory."""
    text = (whole.schema_arrow.metadata or {}).get(_KEY)
    if text is None:
        _refuse(
            source,
            message("it is a Parquet file, but not one of word counts"),
            message("Its schema says {key}.", key=_KEY.decode()),
        )
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict) or "version" not in facts:
        _refuse(
            source,
            message("its metadata is {text}", text=quoted(text)),
            message("It is a JSON object with a version."),
        )
    if facts.pop("version") != VERSION:
        _refuse(
            source,
            message("it has another version of the format"),
            message("This version of BPE Lab reads up to version {version}.", version=VERSION),
        )
    return facts


def _check_size(source: str, metadata: Any, size: int) -> None:
    """Raise FormatError for a file that claims to hold far more than its `size` in bytes permits."""
    held = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    if not 0 <= held <= MOST_BYTES:
        _refuse(
            source,
            message("its columns take {bytes:,} bytes", bytes=held),
            message("The most allowed is {most:,}.", most=MOST_BYTES),
        )
    if not 0 <= metadata.num_rows <= size:
        _refuse(
            source,
            message("it claims {rows:,} rows", rows=metadata.num_rows),
            message("One of {bytes:,} bytes has fewer.", bytes=size),
        )


def _checked_columns(source: str, table: pa.Table) -> pa.Table:
    """Convert the columns to the types of `table_of`. Raises FormatError for other types and missing values."""
    import pyarrow as pa

    for name, kind in zip(COLUMNS, (pa.large_binary(), pa.int64(), pa.int64()), strict=True):
        if name not in table.schema.names:
            _refuse(
                source,
                message("it has no column {name}", name=quoted(name)),
                message("Its columns are {names}.", names=", ".join(COLUMNS)),
            )
        found = table.schema.field(name).type
        if name == "word" and pa.types.is_dictionary(found):  # as read: repeated values take no memory
            found = found.value_type
        if found != kind and not (name == "word" and pa.types.is_binary(found)):
            _refuse(
                source,
                message("the column {name} holds {found}", name=quoted(name), found=str(found)),
                message("It holds {kind}.", kind=str(kind)),
            )
        if table[name].null_count:
            _refuse(
                source,
                message("the column {name} has rows without a value", name=quoted(name)),
                message("Every row has a value."),
            )
    table.validate(full=True)
    twice = sum(len(chunk) - len(chunk.dictionary) for chunk in table["word"].chunks)
    if twice > 0:
        _refuse(source, message("{words:,} words are in it twice", words=twice), message("Every word has one row."))
    return table.set_column(0, "word", table["word"].cast(pa.large_binary()))


def _check_rows(source: str, rows: Rows) -> None:
    """Raise FormatError for counts, places and words that counting cannot give."""
    if len(rows.counts) and int(rows.counts.min()) < 1:
        _refuse(
            source,
            message("a word has the count {count:,}", count=int(rows.counts.min())),
            message("A word occurs at least once."),
        )
    if len(rows.places) and int(rows.places[0]) < 0:
        _refuse(
            source,
            message("a word has the place {place:,}", place=int(rows.places[0])),
            message("Places are 0 or more."),
        )
    same = np.flatnonzero(rows.places[1:] == rows.places[:-1])
    if same.size:
        _refuse(
            source,
            message("two words have the place {place:,}", place=int(rows.places[same[0]])),
            message("Every word has its own place."),
        )
    sizes = np.diff(rows.offsets)
    if sizes.size and int(sizes.min()) < 1:
        _refuse(source, message("a word is empty"), message("A word has at least one byte."))
    try:
        rows.text.decode()
    except UnicodeDecodeError as error:
        _refuse(
            source,
            message("its words are not UTF-8 at byte {position:,}", position=error.start),
            message("Words are UTF-8."),
        )
    if not begins_character(rows.text)[rows.offsets[:-1]].all():
        _refuse(source, message("a word begins inside of a character"), message("Words are UTF-8."))


def _refuse(source: str, problem: str, limit: str) -> NoReturn:
    raise FormatError(
        message("{source} cannot be read: {problem}.", source=quoted(source), problem=problem),
        limit=limit,
        remedy=_AGAIN,
    ) from None
