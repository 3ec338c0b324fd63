"""What a card of the page shows of one algorithm at one step: pure data, no Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ui.components.tokens import Chip

CardPart: TypeAlias = str | Chip | tuple[Chip, Chip]
"""Plain text, a piece, or a pair of pieces."""

CardTone = Literal["", "chosen", "tied", "out", "gap"]

CARD_ROWS = 7
"""Rows that every card has, so that the page stays where it is while it is stepped through."""


@dataclass(frozen=True)
class CardRow:
    """What the next step looks at: one piece or a pair, its numbers, and what becomes of it.

    `share`: the length of its bar, from 0 to 1; None where there is none. A "gap" has words alone.
    """

    chips: tuple[Chip, ...]
    cells: tuple[str, ...]
    tone: CardTone = ""
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
    did: tuple[CardPart, ...]
    """What this step did."""
    asks: str
    """What the next one looks at."""
    columns: tuple[str, ...] = ()
    rows: tuple[CardRow, ...] = ()
    foot: str = ""
