"""Mounts the view: Python's side of verbatim.js.

Streamlit's own, `st.code`, reads the grammars of some 300 programming languages before it shows a line.
"""

from __future__ import annotations

from pathlib import Path

from bpe_core.language import said
from ui.components.defined import QUIET_BUTTON, Component

_HERE = Path(__file__).parent
_VERBATIM = Component(
    "bpe_lab_verbatim",
    _HERE / "verbatim.js",
    html=(_HERE / "verbatim.html").read_text("utf-8"),
    css=QUIET_BUTTON + (_HERE / "verbatim.css").read_text("utf-8"),
)


def verbatim(text: str, *, label: str, key: str, height: int | None = None, wraps: bool = True) -> None:
    """Draw a text and the button.

    label: what it is, for screen readers. height: pixels, beyond which it scrolls. wraps: whether long lines go on in
    the next one; else they scroll.
    """
    _VERBATIM(key=key, data={"text": text, "label": said(label), "height": height, "wraps": wraps})
