"""Mount the button: Python's side of copy_link.js."""

from __future__ import annotations

from pathlib import Path

from ui.components.defined import QUIET_BUTTON, Component
from ui.components.exchange import acting

_KEY = "copy link"
_HERE = Path(__file__).parent
_COPY = Component(
    "bpe_lab_copy_link",
    _HERE / "copy_link.js",
    html=(_HERE / "copy_link.html").read_text("utf-8"),
    css=QUIET_BUTTON + (_HERE / "copy_link.css").read_text("utf-8"),
)


def copy_link() -> None:
    """Draw the button, in a fragment that keeps the URL: a click reruns it, then copies the URL."""
    _COPY(key=_KEY, data={"name": _KEY}, width="content", on_acts_change=acting(_KEY))
