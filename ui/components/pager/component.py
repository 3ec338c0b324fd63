"""Mounts the pager: Python's side of pager.js."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ui.components.defined import Component
from ui.components.exchange import acting, is_index, taken_of

_HERE = Path(__file__).parent
_PAGER = Component(
    "bpe_lab_pager",
    _HERE / "pager.js",
    html=(_HERE / "pager.html").read_text("utf-8"),
    css=(_HERE / "pager.css").read_text("utf-8"),
)


def pager(
    at: int,
    count: int,
    *,
    key: str,
    what: str,
    on_go: Callable[[int], None],
    back: Sequence[str] = (),
    forward: Sequence[str] = (),
    small: str = "",
) -> None:
    """Draw the buttons at the place `at` of 0 … count - 1.

    what: what there are several of, for screen readers. back, forward: the keys that do what the buttons do, as a
    browser names them; the first one is shown on the button. Without any, the page's keys are left to others.
    small: what each of them is called; then the buttons show only their arrows.
    on_go: called with the new place before the page runs again. Presses that follow each other quickly are all counted.
    """

    def went(value: Any) -> None:
        if is_index(value, 0, count):
            on_go(value)

    data = {
        "at": at,
        "count": count,
        "what": what,
        "back": list(back),
        "forward": list(forward),
        "small": small,
        "name": key,
    }
    _PAGER(key=key, data={**data, "done": taken_of(key)}, width="content", on_acts_change=acting(key, go=went))
