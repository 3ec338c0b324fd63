"""Mount the button: Python's side of contrast.js."""

from __future__ import annotations

from pathlib import Path

from ui.components.defined import QUIET_BUTTON, Component

_HERE = Path(__file__).parent
_CONTRAST = Component(
    "bpe_lab_contrast",
    _HERE / "contrast.js",
    html=(_HERE / "contrast.html").read_text("utf-8"),
    css=QUIET_BUTTON + (_HERE / "contrast.css").read_text("utf-8"),
)


def contrast_button() -> None:
    """Draw the button. A click changes the colours in the browser, without a rerun."""
    _CONTRAST(key="contrast", width="content")
