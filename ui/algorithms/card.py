"""What a card of the page shows of one algorithm at one step: pure data, no Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ui.token_view import Chip

Part: TypeAlias = str | Chip | tuple[Chip, Chip]
"""Plain text, a piece, or a pair of pieces."""

Tone = Literal["", "chosen", "tied", "out", "gap"]

ROWS = 7
"""Rows that every card has, so that the page stays where it is while it is stepped through."""


@dataclass(frozen=True)
class Row:
    """What the next step looks at: one piece or a pair, its numbers, and what becomes of it.

    `share`: the length of its bar, from 0 to 1; None where there is none. A "gap" has words alone.
    """

    chips: tuple[Chip, ...]
    cells: tuple[str, ...]
    tone: Tone = ""
    says: str = ""
    share: float | None = None


@dataclass(frozen=True)
class Card:
    """One algorithm at one step."""

    title: str
    rule: str
    progress: str
    finished: bool
    size: str
    did: tuple[Part, ...]
    """What this step did."""
    asks: str
    """What the next one looks at."""
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    foot: str = ""


@dataclass(frozen=True)
class Entry:
    """One piece of a vocabulary: its bare text, how it is written with its marks, and its id or score."""

    text: str
    form: str
    detail: str


@dataclass(frozen=True)
class Cut:
    """A word in pieces: as chips, and as bare text, without marks, to compare."""

    chips: tuple[Chip, ...]
    bare: tuple[str, ...]
