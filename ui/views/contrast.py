"""Button for strong token colours, which the browser remembers."""

from __future__ import annotations

from ui.views.component import View

_CONTRAST = View("contrast")


def contrast_button() -> None:
    """Draw the button. A click changes the colours in the browser, without a rerun."""
    _CONTRAST(key="contrast", width="content")
