"""The cards: one step of each training."""

from __future__ import annotations

from bpe_core.language import translate
from ui.algorithms.shown_step import ShownStep
from ui.algorithms.use import PLACES, is_usable, use_in
from ui.runs.of_step import cards_at, notes_of
from ui.views.algorithm_cards import cards_view
from ui.widgets.messages import note


def show_cards(shown: ShownStep) -> None:
    """Draw each step's result and the next candidates, or the error of a failed training."""
    names = list(shown.found)
    usable = [at for at, name in enumerate(names) if name in shown.runs and is_usable(name)]
    cards_view(
        cards_at(shown.found, shown.step),
        step=shown.step,
        key="algorithms cards",
        places=[translate(place) for place in PLACES],
        usable=usable,
        on_use=lambda card, place: use_in(names[card], shown.runs[names[card]], list(PLACES)[place]),
    )


def show_notes(shown: ShownStep) -> None:
    """Draw notes about differences from the request."""
    for each in notes_of(shown.runs):
        note(each)
