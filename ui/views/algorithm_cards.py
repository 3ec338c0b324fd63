"""Cards that show one step of several algorithms, each with its candidates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bpe_core.language import translate
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import encode_body, frame
from ui.views.component import View
from ui.views.protocol import acting, is_index

_CARDS = View("algorithm_cards")

CardPart: TypeAlias = str | Chip | tuple[Chip, Chip]
"""Plain text, a piece, or a pair of pieces."""

CardTone = Literal["", "chosen", "tied", "out", "gap"]

CARD_ROWS = 6
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
    """Result of this step; its tone is `did_tone`."""
    asks: str
    """Criterion of the next step."""
    columns: tuple[str, ...] = ()
    rows: tuple[CardRow, ...] = ()
    foot: str = ""
    did_tone: CardTone = ""


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

    places: where the tokenizers of `usable` cards can be opened, as a menu on each card. on_use: called before the
    rerun with card and place.
    """

    def used(value: Any) -> None:
        if on_use is None or not isinstance(value, list) or len(value) != 2:
            return
        card, place = value
        if is_index(card, 0, len(cards)) and card in usable and is_index(place, 0, len(places)):
            on_use(card, place)

    data = cards_frame(cards, step=step, key=key, places=places, usable=usable)
    _CARDS(key=key, data=data, on_acts_change=acting(key, open=used))


def cards_frame(
    cards: Sequence[Card | tuple[str, Sequence[str]]],
    *,
    step: int,
    key: str,
    places: Sequence[str] = (),
    usable: Collection[int] = (),
) -> bytes:
    """Frame of the cards for the view `key`; the parameters are those of `cards_view`."""
    wires = [_wire(card) | {"usable": at in usable} for at, card in enumerate(cards)]
    body = encode_body({"cards": wires, "rows": CARD_ROWS, "places": list(places)})
    return frame({"name": key, "step": step}, body)


def _wire(card: Card | tuple[str, Sequence[str]]) -> dict[str, Any]:
    if isinstance(card, tuple):
        title, problem = card
        return {"title": translate(title), "problem": [translate(line) for line in problem]}
    return {
        "title": translate(card.title),
        "rule": translate(card.rule),
        "progress": translate(card.progress),
        "finished": card.finished,
        "size": translate(card.size),
        "did": [_part(part) for part in card.did],
        "tone": card.did_tone,
        "asks": translate(card.asks),
        "columns": [translate(column) for column in card.columns],
        "rows": [_row(row) for row in card.rows],
        "foot": translate(card.foot),
    }


def _row(row: CardRow) -> list[Any]:
    cells = [translate(cell) for cell in row.cells]
    return [[chip.wire() for chip in row.chips], cells, row.tone, translate(row.says), row.share]


def _part(part: CardPart) -> Any:
    if isinstance(part, str):
        return translate(part)
    return [chip.wire() for chip in ((part,) if isinstance(part, Chip) else part)]
