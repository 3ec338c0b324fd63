"""The four cards: one step of each training."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core import BpeError
from ui.algorithms.card import Card
from ui.algorithms.here import Here
from ui.algorithms.member import TITLES, Failed
from ui.algorithms.views import cards_view
from ui.messages import note


def show_cards(here: Here) -> None:
    """What each step did and what the next one looks at; of what could not be trained, why."""
    cards: list[Card | tuple[str, Sequence[str]]] = [
        (TITLES[name], _lines(each.error)) if isinstance(each, Failed) else each.card(min(here.step, each.steps))
        for name, each in here.found.items()
    ]
    cards_view(cards, step=here.step, key="family cards")


def show_notes(here: Here) -> None:
    """What was done otherwise than asked."""
    for name, member in here.members.items():
        if member.note:
            note(f"{TITLES[name]}: {member.note}")


def _lines(error: BpeError) -> list[str]:
    return [part for part in (error.problem, error.limit, error.remedy) if part]
