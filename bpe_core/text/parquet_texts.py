"""Texts of Parquet files, row group by row group; a damaged row group is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from bpe_core.errors import CorpusError, quoted
from bpe_core.language import message
from bpe_core.work import taking

if TYPE_CHECKING:
    import pyarrow as pa

NOT_UTF8 = message("it is not UTF-8")
_ROWS = 1 << 14
"""Number of rows read at once."""
_BYTES = 1 << 24
"""Bytes of texts created from a dictionary at once, unless a single text is longer."""
_TIMES = 3
"""Memory for reading a row group, as a multiple of its bytes."""
_TYPES = ("string", "large_string", "string_view", "null")


def is_text_type(kind: pa.DataType) -> bool:
    """Whether a column of this Arrow type has texts or only nulls; also as a dictionary, a pandas category, or JSON.

    >>> import pyarrow as pa
    >>> is_text_type(pa.string()), is_text_type(pa.dictionary(pa.int8(), pa.string())), is_text_type(pa.int8())
    (True, True, False)
    """
    import pyarrow as pa

    if isinstance(kind, pa.JsonType):
        return True
    return str(kind.value_type if pa.types.is_dictionary(kind) else kind) in _TYPES


def parquet_columns(file: IO[bytes], name: str) -> tuple[str, ...]:
    """Names of the columns of texts. Raises CorpusError for anything but Parquet.

    >>> from io import BytesIO
    >>> parquet_columns(BytesIO(b"low"), "a.parquet")
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: 'a.parquet' cannot be read as Parquet: ...
    """
    schema = _opened(file, name).schema_arrow
    return tuple(dict.fromkeys(field.name for field in schema if is_text_type(field.type)))


def read_texts(
    file: IO[bytes], name: str, columns: Sequence[str]
) -> Iterator[tuple[int, float, tuple[str | None, ...] | str]]:
    """Number of each row from 1, the share of the rows read, and its texts, or the reason why they cannot be read.

    Column metadata is not read: if it is damaged, Arrow ends the process.

    >>> import io, pandas
    >>> data = io.BytesIO(pandas.DataFrame({"text": ["low", None]}).to_parquet())
    >>> list(read_texts(data, "a.parquet", ["text"]))
    [(1, 0.5, ('low',)), (2, 1.0, (None,))]
    """
    whole = _opened(file, name)
    every = max(1, whole.metadata.num_rows)
    before = 0
    for group in range(whole.num_row_groups):
        facts = whole.metadata.row_group(group)
        number = before
        size = max(0, facts.total_byte_size)
        with taking(_TIMES * size):
            try:
                for batch in _batches(file, name, group, columns, size):
                    for texts in _rows(batch, columns):
                        number += 1
                        yield number, number / every, NOT_UTF8 if _UNREAD in texts else texts
            except (MemoryError, GeneratorExit):
                raise
            except Exception as error:  # Arrow raises many kinds of errors for damage
                yield (
                    number + 1,
                    number / every,
                    message("the rest of its row group is damaged: {reason}", reason=_reason(error)),
                )
        before += max(facts.num_rows, number - before)


_UNREAD: Any = object()
"""Cell whose bytes are not UTF-8."""


def _opened(file: IO[bytes], name: str, columns: Sequence[str] = ()) -> Any:
    """Open a Parquet file; texts of these columns stay in dictionaries."""
    import pyarrow.parquet as pq

    try:
        file.seek(0)
        return pq.ParquetFile(file, read_dictionary=[*columns])
    except MemoryError:
        raise
    except Exception as error:
        raise CorpusError(
            message("{file} cannot be read as Parquet: {reason}.", file=quoted(name, 200), reason=_reason(error)),
            limit=message("A Parquet file is whole, and begins and ends with PAR1."),
            remedy=message("Get or save it again."),
        ) from None


def _batches(file: IO[bytes], name: str, group: int, columns: Sequence[str], size: int) -> Iterator[Any]:
    """Batches of a row group of `size` bytes.

    A kilobyte of Parquet can expand to gigabytes if each row has the same text: as an index into a dictionary, or as
    the length of the prefix shared with the previous text. Arrow cannot read the latter into a dictionary; only a few
    rows of such pages are read at once.
    """
    asked = {"row_groups": [group], "columns": list(dict.fromkeys(columns)), "use_threads": False}
    done = 0
    try:
        for batch in _opened(file, name, columns).iter_batches(_ROWS, **asked):
            yield batch
            done += len(batch)
        return
    except OSError as error:
        if "DictAccumulator" not in str(error):
            raise
    rows = min(_ROWS, max(1, 2 * _BYTES // max(1, size)))
    for batch in _opened(file, name).iter_batches(rows, **asked):
        if done < len(batch):
            yield batch.slice(done)
        done = max(0, done - len(batch))


def _rows(batch: Any, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Rows of a batch; only a few at a time are converted to texts."""
    places = {name: place for place, name in reversed([*enumerate(batch.schema.names)])}
    found = [batch.column(places[name]) for name in columns]
    ends = np.cumsum(sum(map(_sizes, found), np.zeros(len(batch), np.int64)))
    edges = [0, *(np.flatnonzero(np.diff(ends // _BYTES)) + 1).tolist(), len(batch)]
    for start, end in pairwise(edges):
        yield from zip(*(_texts(_plain(each.slice(start, end - start))) for each in found), strict=True)


def _sizes(column: Any) -> Any:
    """Bytes that the text of each row will take when created; 0 if the column is not a dictionary."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type):
        return 0
    sizes = pc.binary_length(column.dictionary.cast(pa.large_binary())).take(column.indices)
    return pc.fill_null(sizes, 0).to_numpy(zero_copy_only=False)


def _plain(column: Any) -> Any:
    import pyarrow as pa

    return column.dictionary.take(column.indices) if pa.types.is_dictionary(column.type) else column


def _reason(error: Exception) -> str:
    return str(error).split("\n")[0].rstrip(".") or type(error).__name__


def _texts(column: Any) -> list[str | None]:
    try:
        found: list[str | None] = column.to_pylist()
    except UnicodeDecodeError:
        return [_text(value) for value in column]
    return found


def _text(value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return _UNREAD
