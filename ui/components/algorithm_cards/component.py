"""Mount the cards: Python's side of algorithm_cards.js."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from bpe_core.language import said
from ui.components.algorithm_cards.card import CARD_ROWS, Card, CardPart, CardRow
from ui.components.exchange import acting, encode_body, frame, is_index
from ui.components.tokens import Chip
from ui.components.tokens.registration import view_component

_CARDS = view_component(Path(__file__).parent, '<div class="cards"></div>')


def cards_view(
    cards: Sequence[Card | tuple[str, Sequence[str]]],
    *,
    step: int,
    key: str,
    places: Sequence[str] = (),
    usable: Collection[int] = (),
    on_use: Callable[[int, int], None] | None = None,
) -> None:
    """Draw the cards of a step side by side; failed trainings as (title, reason in lines).

    places: where the tokenizers of `usable` cards can be opened, as a menu on each card. on_use: called with card and
    place before the page runs again.
    """

    def used(value: Any) -> None:
        if on_use is None or not isinstance(value, list) or len(value) != 2:
            return
        card, place = value
        if is_index(card, 0, len(cards)) and card in usable and is_index(place, 0, len(places)):
            on_use(card, place)

    wires = [_wire(card) | {"usable": at in usable} for at, card in enumerate(cards)]
    body = encode_body({"cards": wires, "rows": CARD_ROWS, "places": list(places)})
    _CARDS(key=key, data=frame({"name": key, "step": step}, body), on_acts_change=acting(key, used=used))


def _wire(card: Card | tuple[str, Sequence[str]]) -> dict[str, Any]:
    if isinstance(card, tuple):
        title, problem = card
        return {"title": said(title), "problem": [said(line) for line in problem]}
    return {
        "title": said(card.title),
        "rule": said(card.rule),
        "progress": said(card.progress),
        "finished": card.finished,
        "size": said(card.size),
        "did": [_part(part) for part in card.did],
        "asks": said(card.asks),
        "columns": [said(column) for column in card.columns],
        "rows": [_row(row) for row in card.rows],
        "foot": said(card.foot),
    }


def _row(row: CardRow) -> list[Any]:
    cells = [said(cell) for cell in row.cells]
    return [[chip.wire() for chip in row.chips], cells, row.tone, said(row.says), row.share]


def _part(part: CardPart) -> Any:
    if isinstance(part, str):
        return said(part)
    return [chip.wire() for chip in ((part,) if isinstance(part, Chip) else part)]
