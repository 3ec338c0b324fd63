"""Mounts the cards: Python's side of algorithm_cards.js."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ui.components.algorithm_cards.card import CARD_ROWS, Card, CardPart
from ui.components.exchange import encode_body, frame
from ui.components.tokens import Chip
from ui.components.tokens.registration import view_component

_CARDS = view_component(Path(__file__).parent, '<div class="cards"></div>')


def cards_view(cards: Sequence[Card | tuple[str, Sequence[str]]], *, step: int, key: str) -> None:
    """Draw the cards of a step beside each other; of what could not be trained, (its title, why in lines)."""
    body = encode_body({"cards": [_wire(card) for card in cards], "rows": CARD_ROWS})
    _CARDS(key=key, data=frame({"step": step}, body))


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


def _part(part: CardPart) -> Any:
    if isinstance(part, str):
        return part
    return [chip.wire() for chip in ((part,) if isinstance(part, Chip) else part)]
