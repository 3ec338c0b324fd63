"""Table export: CSV safe from formula injection in spreadsheets, lossless Parquet, and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bpe_core import checks
from bpe_core.language import message
from bpe_core.text.marks import on_one_line

if TYPE_CHECKING:
    import pandas as pd

# Characters that start a formula in spreadsheets, in half and full width, or may hide one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|", "%")


def to_csv(frame: pd.DataFrame) -> bytes:
    """A table as CSV; named index levels come first.

    UTF-8 with a byte-order mark, without which Excel reads Japanese as Latin-1 (in Python: encoding="utf-8-sig"); lines
    end in CRLF, as in RFC 4180. Bytes are in hex, list items are separated by spaces, and missing values are empty. A
    text that a spreadsheet would run as a formula is prefixed by an apostrophe.

    >>> from bpe_core import load_pretrained
    >>> table = load_pretrained("gpt2").encode("=こ").table()
    >>> print(to_csv(table[["id", "bytes", "text"]]).decode("utf-8-sig"))
    token,id,bytes,text
    0,28,3D,'=
    1,46036,E38193,こ
    """
    whole = _with_index(frame)
    lines = io.StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow([_safe(str(name)) for name in whole.columns])
    writer.writerows(zip(*(_cells(whole[name]) for name in whole.columns), strict=True))
    return lines.getvalue().encode("utf-8-sig", "replace")


def to_parquet(frame: pd.DataFrame) -> bytes:
    """A table as Parquet with its column types: bytes as binary, lists of ids as lists of int32.

    `pandas.read_parquet` returns an identical table. Object columns hold bytes, or lists if their name ends in "ids",
    so the types are the same for a table without rows. Other readers see a named index as a column.

    >>> import io, pandas
    >>> from bpe_core import load_pretrained
    >>> table = load_pretrained("gpt2").encode("こ").table()
    >>> pandas.read_parquet(io.BytesIO(to_parquet(table))).equals(table)
    True
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    index = True if _is_named(frame) else None
    schema = pa.Schema.from_pandas(frame, preserve_index=index)
    for name in frame.columns[frame.dtypes.map(str) == "object"]:
        kind = pa.list_(pa.int32()) if name.endswith("ids") else pa.binary()
        schema = schema.set(schema.get_field_index(name), pa.field(name, kind))
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, schema=schema, preserve_index=index), file)
    return file.getvalue()


_LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        '"': r"\textquotedbl{}",
    }
)


def to_latex(frame: pd.DataFrame) -> bytes:
    r"""A table as a tabular of LaTeX with the rules of its package booktabs; named index levels come first.

    Numbers are aligned right, those that are not whole have three decimals, and missing values are empty. Text is
    escaped. The file is UTF-8: characters beyond ASCII need XeLaTeX or LuaLaTeX, and a font that has them.

    >>> import pandas
    >>> print(to_latex(pandas.DataFrame({"token": ["50 %"], "share": [0.25]})).decode(), end="")
    \begin{tabular}{lr}
    \toprule
    token & share \\
    \midrule
    50 \% & 0.250 \\
    \bottomrule
    \end{tabular}
    """
    whole = _with_index(frame)
    sides = "".join("l" if str(kind) in ("str", "object") else "r" for kind in whole.dtypes)
    columns = (_latex_cells(whole[name]) for name in whole.columns)
    lines = [
        f"\\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        _latex_row(_latex_text(str(name)) for name in whole.columns),
        r"\midrule",
        *map(_latex_row, zip(*columns, strict=True)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _latex_cells(column: pd.Series[Any]) -> Iterator[str]:
    for value, missing in zip(column.tolist(), column.isna(), strict=True):
        if missing:
            yield ""
        elif isinstance(value, float):
            yield f"{value:.3f}"
        else:
            yield _latex_text(_object(value) if isinstance(value, bytes | list) else str(value))


def _latex_text(text: str) -> str:
    return on_one_line(text).translate(_LATEX)


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.reset_index() if _is_named(frame) else frame


def _is_named(frame: pd.DataFrame) -> bool:
    import pandas as pd  # which made the table

    checks.instance(frame, "frame", pd.DataFrame, message("a DataFrame"))
    return all(name is not None for name in frame.index.names)


def _cells(column: pd.Series[Any]) -> Iterable[Any]:
    """Cells of a column in written form; each distinct text is escaped once."""
    values: Sequence[Any] = column.tolist()
    if column.dtype == object:
        return ["" if value is None else _object(value) for value in values]
    if column.dtype == "str":
        safe = {value: _safe(value) for value in set(values) if isinstance(value, str)}
        return [safe.get(value, "") for value in values]
    if column.hasnans:
        return ["" if missing else value for value, missing in zip(values, column.isna(), strict=True)]
    return values


def _object(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex().upper()
    return " ".join(map(str, value))


def _safe(text: str) -> str:
    """Escape a text for spreadsheets.

    >>> _safe("=1+1"), _safe(" the"), _safe(" =1")
    ("'=1+1", ' the', "' =1")
    """
    return f"'{text}" if text.startswith(_FORMULA) or text.strip().startswith(_FORMULA) else text
