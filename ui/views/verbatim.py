"""Verbatim text with a button that copies it.

An alternative to `st.code`, which loads the grammars of some 300 programming languages before it shows a line.
"""

from __future__ import annotations

from bpe_core.language import translate
from ui.views.component import View

_VERBATIM = View("verbatim")


def verbatim_view(text: str, *, label: str, key: str, height: int | None = None, wraps: bool = True) -> None:
    """Draw a text with a copy button.

    label: description of the text, for screen readers. height: pixels, beyond which it scrolls. wraps: whether long
    lines wrap instead of scrolling.
    """
    _VERBATIM(key=key, data={"text": text, "label": translate(label), "height": height, "wraps": wraps})
