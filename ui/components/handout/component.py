"""Mounts the button: Python's side of handout.js."""

from __future__ import annotations

from pathlib import Path

from ui.components.defined import QUIET_BUTTON, Component

_HERE = Path(__file__).parent
_HANDOUT = Component(
    "bpe_lab_handout",
    _HERE / "handout.js",
    html=(_HERE / "handout.html").read_text("utf-8"),
    css=QUIET_BUTTON + (_HERE / "handout.css").read_text("utf-8"),
)


def print_button(*, of: str, title: str, query: str) -> None:
    """Draw the button, and have the browser print one page, whether it or the browser's own menu is asked to.

    of: the key of the container that is printed. title: the line above it, ours. query: of the link below it; none
    where it is empty. A click runs nothing.
    """
    _HANDOUT(key="handout", data={"of": f".st-key-{of}", "title": title, "query": query}, width="content")
