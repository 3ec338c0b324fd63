"""Button that begins the tour, or the steps of a lesson, without a rerun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.views.component import View

_TOUR, _LESSON = View("tour"), View("lesson_steps")
TOUR = "tour"
"""Name of the tour; others are names of lessons."""


def tour_button(
    of: str, steps: Sequence[dict[str, Any]], *, key: str, label: str, title: str, ends: str, counted: int
) -> None:
    """Draw the button.

    of: name under which the browser remembers that it was taken. steps: for the browser, in the visitor's language.
    label: of the button and the card. title: the button's tooltip. ends: words of the button that ends it.
    counted: number of steps that count.
    """
    data = {"of": of, "steps": list(steps), "label": label, "title": title, "ends": ends, "counted": counted}
    (_TOUR if of == TOUR else _LESSON)(key=key, data=data, width="content")
