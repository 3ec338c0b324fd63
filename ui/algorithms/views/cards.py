"""Mounts the cards: Python's side of cards.js."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from ui.algorithms.card import ROWS, Card, Part
from ui.token_view import Chip
from ui.token_view.register import register
from ui.token_view.wire import encode_body, frame

_CARDS = register(Path(__file__).parent, "cards", '<div class="cards"></div>')


def cards_view(
    cards: Sequence[Card | tuple[str, Sequence[str]]],
    *,
    step: int,
    last: int,
    key: str,
    on_move: Callable[[int], None],
) -> None:
    """Draw the cards beside each other; of what could not be trained, (its title, why in lines).

    on_move: called with the step, 0 … `last`, that the arrow keys, Home or End ask for, before the page runs again.
    """

    def moved() -> None:
        held: Any = st.session_state.get(key)
        target = held.get("move") if hasattr(held, "get") else None
        if isinstance(target, int) and not isinstance(target, bool) and 0 <= target <= last:
            on_move(target)

    body = encode_body({"cards": [_wire(card) for card in cards], "rows": ROWS})
    _CARDS(key=key, data=frame({"step": step, "last": last}, body), on_move_change=moved)


def _wire(card: Card | tuple[str, Sequence[str]]) -> dict[str, Any]:
    if isinstance(card, tuple):
        title, problem = card
        return {"title": title, "problem": list(problem)}
    return {
        "title": card.title,
        "rule": card.rule,
        "progress": card.progress,
        "finished": card.finished,
        "size": card.size,
        "did": [_part(part) for part in card.did],
        "asks": card.asks,
        "columns": card.columns,
        "rows": [[[chip.wire() for chip in row.chips], row.cells, row.tone, row.says, row.share] for row in card.rows],
        "foot": card.foot,
    }


def _part(part: Part) -> Any:
    if isinstance(part, str):
        return part
    return [chip.wire() for chip in ((part,) if isinstance(part, Chip) else part)]
