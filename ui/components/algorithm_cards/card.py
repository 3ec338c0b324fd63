"""Content of a card: one algorithm at one step, as pure data without Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ui.components.tokens import Chip

CardPart: TypeAlias = str | Chip | tuple[Chip, Chip]
"""Plain text, a piece, or a pair of pieces."""

CardTone = Literal["", "chosen", "tied", "out", "gap"]

CARD_ROWS = 7
"""Rows reserved in every card, so that the layout does not move between steps."""


@dataclass(frozen=True)
class CardRow:
    """Candidate for the next step: a piece or a pair, its numbers and its fate.

    `share`: length of the bar, from 0 to 1; None for no bar. A "gap" has only words.
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
    """Result of this step."""
    asks: str
    """Criterion of the next step."""
    columns: tuple[str, ...] = ()
    rows: tuple[CardRow, ...] = ()
    foot: str = ""
