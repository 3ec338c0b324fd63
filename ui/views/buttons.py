"""Buttons of the header and of lessons that act in the browser, without a rerun."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ui.views.component import View
from ui.views.protocol import acting

_TOUR, _LESSON = View("tour"), View("lesson_steps")
TOUR = "tour"
"""Name of the tour, among those of lessons."""


def tour_button(
    of: str, steps: Sequence[dict[str, Any]], *, key: str, label: str, title: str, ends: str, counted: int
) -> None:
    """Draw the button.

    of: name under which the browser remembers that it was finished. steps: for the browser, in the visitor's language.
    label: of the button and the card. title: tooltip of the button. ends: label of the button that ends the steps.
    counted: number of steps shown in the count.
    """
    data = {"of": of, "steps": list(steps), "label": label, "title": title, "ends": ends, "counted": counted}
    (_TOUR if of == TOUR else _LESSON)(key=key, data=data, width="content")


_CONTRAST = View("contrast")


def contrast_button() -> None:
    """Draw the button. A click changes the colours in the browser, without a rerun."""
    _CONTRAST(key="contrast", width="content")


_HANDOUT = View("handout")


def print_button(*, of: str, title: str, query: str) -> None:
    """Draw the button, and fit printing to one page, whether by the button or by the browser's menu.

    of: key of the container to print. title: line above it, app text. query: of the link below it, or, if others cannot
    open links, of the instructions for opening the lesson on their own machine; empty for neither. A click causes no
    rerun.
    """
    _HANDOUT(key="handout", data={"of": f".st-key-{of}", "title": title, "query": query}, width="content")


_KEY = "copy link"
_COPY = View("copy_link")


def copy_link_buttons(reach: dict[str, str], qr: dict[str, Any] | None, on_show: Callable[[Any], None]) -> None:
    """Draw the buttons, in a fragment that keeps the URL: a click reruns it, then copies or shows the URL.

    reach: who can open the URL, and the setting that pages need to frame it. qr: QR code of the URL shown, if any.
    on_show: called with the URL to show, or "" to hide it; the value is unchecked.
    """
    _COPY(
        key=_KEY,
        data={"name": _KEY, **reach, "qr": qr},
        width="content",
        on_acts_change=acting(_KEY, show=on_show),
    )
