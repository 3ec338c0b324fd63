"""The four cards: one step of each training."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core import BpeError
from bpe_core.language import _, translate
from ui.algorithms.shown_step import ShownStep
from ui.algorithms.use import PLACES, use_in
from ui.runs.algorithm_run import TITLES, FailedRun
from ui.views.algorithm_cards import Card, cards_view
from ui.widgets.messages import note


def show_cards(shown: ShownStep) -> None:
    """Draw each step's result and the next candidates, or the error of a failed training."""
    cards: list[Card | tuple[str, Sequence[str]]] = [
        (TITLES[name], _lines(each.error)) if isinstance(each, FailedRun) else each.card(min(shown.step, each.steps))
        for name, each in shown.found.items()
    ]
    names = list(shown.found)
    usable = [at for at, name in enumerate(names) if name in shown.runs]
    cards_view(
        cards,
        step=shown.step,
        key="algorithms cards",
        places=[translate(place) for place in PLACES],
        usable=usable,
        on_use=lambda card, place: use_in(names[card], shown.runs[names[card]], list(PLACES)[place]),
    )


def show_notes(shown: ShownStep) -> None:
    """Draw notes about differences from the request."""
    for name, run in shown.runs.items():
        if run.note:
            note(_("{algorithm}: {note}", algorithm=TITLES[name], note=run.note))


def _lines(error: BpeError) -> list[str]:
    return [translate(part) for part in (error.problem, error.limit, error.remedy) if part]
