"""Texts of Parquet files, row group by row group; a damaged row group is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

from bpe_core.errors import CorpusError, quoted
from bpe_core.language import message
from bpe_core.work import taking

if TYPE_CHECKING:
    import pyarrow as pa

NOT_UTF8 = message("it is not UTF-8")
_ROWS = 256
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
    """Number of each row from 1, the share of the rows read, and its texts, or why they cannot be read.

    Column metadata stays unread: where damaged, it makes Arrow end the process.

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
        with taking(max(0, facts.total_byte_size)):
            batches = whole.iter_batches(
                _ROWS, row_groups=[group], columns=list(dict.fromkeys(columns)), use_threads=False
            )
            try:
                for batch in batches:
                    for texts in zip(
                        *(_texts(batch.column(batch.schema.names.index(c))) for c in columns), strict=True
                    ):
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


def _opened(file: IO[bytes], name: str) -> Any:
    import pyarrow.parquet as pq

    try:
        file.seek(0)
        return pq.ParquetFile(file)
    except MemoryError:
        raise
    except Exception as error:
        raise CorpusError(
            message("{file} cannot be read as Parquet: {reason}.", file=quoted(name, 200), reason=_reason(error)),
            limit=message("A Parquet file is whole, and begins and ends with PAR1."),
            remedy=message("Get or save it again."),
        ) from None


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
