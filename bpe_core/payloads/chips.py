"""Tokens outside a text: chips, and tables whose cells may contain them. Pure data, no Streamlit."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from bpe_core.language import translate
from bpe_core.payloads.frames import Body, TranslatedBody, encode_text
from bpe_core.text.utf8 import whole_characters

T = TypeVar("T")

_AT_A_TIME = 256
"""Number of cells that are serialized at a time."""

_COMPACT = json.JSONEncoder(separators=(",", ":")).encode

LONGEST_CHIP = 200
_SHORTEST_CHIP, _MOST_IN_TABLE = 24, 5_500_000
"""Limits in characters, about: of a token in a very large table, and of all tokens of a table."""

_LONGEST_READ = 5 * LONGEST_CHIP
"""Limit of decoded bytes per token: more characters than a chip shows."""


@dataclass(frozen=True)
class Chip:
    """A single token, as pieces of text and pieces of bytes that form no whole character.

    >>> Chip.of_label(7, "<unk>").special, Chip.of_bytes(7, b"\\x93").has_bytes
    (True, True)
    >>> Chip.of_bytes(7, b"low").wire()
    [7, 'low']
    """

    id: int
    pieces: tuple[tuple[str, bool], ...]
    """(shown, is hex) from left to right; a token with only a label is one piece of text."""
    above: str = ""
    """Characters that byte pieces are part of, drawn above them: "こ", or "こんに…" if there are several."""
    special: bool = False

    @classmethod
    def of_bytes(cls, token_id: int, data: bytes, *, above: str = "") -> Chip:
        """Decode the bytes of a token as far as they are UTF-8; other bytes become hex. Long tokens are cut.

        >>> Chip.of_bytes(7, b"\\x93a").pieces
        (('93', True), ('a', False))
        """
        if len(data) > _LONGEST_READ:
            data = data[: whole_characters(data, 0, _LONGEST_READ)[1]]
        try:
            return cls(token_id, ((_shortened(data.decode("utf-8")), False),))
        except UnicodeDecodeError:
            return cls(token_id, tuple((_shortened(text), is_hex) for text, is_hex in _pieces(data)), above)

    @classmethod
    def of_label(cls, token_id: int, label: str) -> Chip:
        """Chip of a token without text: `</w>`, `<unk>`, a special token."""
        return cls(token_id, ((_shortened(label), False),), special=True)

    @property
    def has_bytes(self) -> bool:
        """Whether it contains bytes that form no whole character."""
        return any(is_hex for _, is_hex in self.pieces)

    def wire(self, longest: int = LONGEST_CHIP) -> list[Any]:
        """Compact form for the browser, with at most about `longest` characters."""
        pieces = [[_shortened(text, longest), int(is_hex)] for text, is_hex in self.pieces[:longest]]
        if self.special or self.above or len(pieces) != 1 or pieces[0][1]:
            return [self.id, pieces, self.above, int(self.special)]
        return [self.id, pieces[0][0]]


def _shortened(text: str, longest: int = LONGEST_CHIP) -> str:
    return text if len(text) <= longest else f"{text[:longest].removesuffix('…')}…"


def _pieces(data: bytes) -> list[tuple[str, bool]]:
    """Split bytes into alternating text and hex."""
    pieces: list[tuple[str, bool]] = []
    while data:
        try:
            pieces.append((data.decode("utf-8"), False))
            break
        except UnicodeDecodeError as error:
            if error.start:
                pieces.append((data[: error.start].decode("utf-8"), False))
            broken = data[error.start : error.end].hex(" ").upper()
            if pieces and pieces[-1][1]:
                broken = f"{pieces.pop()[0]} {broken}"
            pieces.append((broken, True))
            data = data[error.end :]
    return pieces


LONGEST_WORD = 60
"""Maximum number of tokens drawn of a word."""


@dataclass(frozen=True)
class Word:
    """A word as its tokens side by side: the first LONGEST_WORD, and the number of the others.

    >>> Word((Chip.of_bytes(7, b"low"),)).wire()
    {'word': [[7, 'low']], 'more': 0}
    """

    tokens: tuple[Chip, ...]
    more: int = 0

    def wire(self) -> dict[str, Any]:
        """Form for the browser."""
        return {"word": [chip.wire() for chip in self.tokens], "more": self.more}


Cell: TypeAlias = "str | int | float | np.generic | Chip | tuple[Chip, ...] | Word | None"
"""Text, a number, a token, a pair (tokens joined by +), or a word."""

ColumnKind: TypeAlias = Literal["text", "number", "chip", "bar", "share"]
Tone: TypeAlias = Literal["", "up", "down", "dim", "strong", "win", "tie"]


@dataclass(frozen=True)
class Column:
    """Column of a table: its cells, and how to draw them.

    kind: "text"; "number" (right-aligned, with thousands separators); "chip" (a Chip, a pair of them, or a Word);
    "bar" (a number with a bar next to it, proportional to the column's largest); "share" (a number from 0 to 1 on a
    background that is stronger towards 1).
    tones: one per cell: "up" and "down" colour it, "dim" and "strong" set its weight, "win" and "tie" colour a bar.

    >>> Column("Count", [7, 5], "number").cells
    [7, 5]
    """

    title: str
    """A message if the table is cached."""
    cells: Sequence[Cell]
    kind: ColumnKind = "text"
    digits: int | None = None
    """Decimal places of numbers; None: as needed."""
    tones: Sequence[Tone] = ()


class Drawn(Sequence[Cell]):
    """Cells that are created on access, so that a table of many rows stores none of them.

    >>> list(Drawn(range(3), str))
    ['0', '1', '2']
    """

    def __init__(self, of: Sequence[T], draw: Callable[[T], Cell]) -> None:
        self._of, self._draw = of, draw

    def __len__(self) -> int:
        return len(self._of)

    def __iter__(self) -> Iterator[Cell]:
        return map(self._draw, self._of)

    def __getitem__(self, at: Any) -> Any:
        return self._draw(self._of[at])


@dataclass(frozen=True, init=False)
class Table:
    """Columns of equal length. Reuse the object: it caches its encoding for the browser.

    >>> table = Table(Column("Count", [7, 5], "number"))
    >>> table.rows, table.encoded().body == table.body
    (2, True)
    """

    columns: tuple[Column, ...]

    def __init__(self, *columns: Column) -> None:
        lengths = {column.title: len(column.cells) for column in columns}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns differ in length: {lengths}; pass one cell per row in each")
        object.__setattr__(self, "columns", columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0].cells) if self.columns else 0

    @TranslatedBody
    def body(self) -> Body:
        """Payload for the browser, with its content hash. Tokens of a table of many rows are cut shorter."""
        cells = self.rows * sum(column.kind == "chip" for column in self.columns)
        longest = max(_SHORTEST_CHIP, min(LONGEST_CHIP, _MOST_IN_TABLE // max(1, cells)))
        columns = ",".join(_column_text(column, longest) for column in self.columns)
        return encode_text(f'{{"rows":{self.rows},"columns":[{columns}]}}')

    def encoded(self) -> EncodedTable:
        """The table in the current language, without its cells."""
        return EncodedTable(self.rows, self.body)


class EncodedTable(NamedTuple):
    """A table as it is sent, to be cached instead of the cells of tens of thousands of rows.

    >>> Table(Column("Count", [7], "number")).encoded().rows
    1
    """

    rows: int
    body: Body


def _column_text(column: Column, longest: int) -> str:
    """Encode a column. `name`: English title, which identifies the column in scripts, if not the shown one.

    Cells become text a few at a time: as objects, those of a large table would take ten times the memory.
    """
    title = translate(column.title)
    head = {
        "title": title,
        **({} if title == column.title else {"name": column.title}),
        "kind": column.kind,
        "digits": column.digits,
        "tones": list(column.tones),
    }
    wires = (_cell_wire(cell, longest) for cell in column.cells)
    cells = ",".join(_COMPACT(some)[1:-1] for some in iter(lambda: list(islice(wires, _AT_A_TIME)), []))
    return f'{_COMPACT(head)[:-1]},"cells":[{cells}]}}'


def _cell_wire(cell: Cell, longest: int) -> Any:
    """Encode a cell: chips are lists, several are lists of lists under a name, non-finite numbers are empty."""
    if isinstance(cell, Chip):
        return cell.wire(longest)
    if isinstance(cell, str):
        return translate(cell)
    if isinstance(cell, tuple):
        return {"pair": [chip.wire(longest) for chip in cell]}
    if isinstance(cell, Word):
        return cell.wire()
    if isinstance(cell, np.generic):
        cell = cell.item()
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell
