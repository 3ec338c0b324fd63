"""Button that copies the URL of the page in its current state."""

from __future__ import annotations

from ui.views.component import View
from ui.views.protocol import acting

_KEY = "copy link"
_COPY = View("copy_link")


def copy_link_button() -> None:
    """Draw the button, in a fragment that keeps the URL: a click reruns it, then copies the URL."""
    _COPY(key=_KEY, data={"name": _KEY}, width="content", on_acts_change=acting(_KEY))
