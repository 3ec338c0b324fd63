"""Button that begins the tour, without a rerun."""

from __future__ import annotations

from ui.views.component import View

_TOUR = View("tour")


def tour_button() -> None:
    """Draw the button."""
    _TOUR(key="tour", width="content")
