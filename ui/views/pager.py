"""Buttons and keys for the previous and next item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ui.views.component import View
from ui.views.protocol import acting, is_index, taken_of

_PAGER = View("pager")


def pager_view(
    at: int,
    count: int,
    *,
    key: str,
    what: str,
    on_go: Callable[[int], None],
    back: Sequence[str] = (),
    forward: Sequence[str] = (),
    small: str = "",
    opens: bool = False,
) -> None:
    """Draw the buttons at position `at` of 0 … count - 1.

    what: name of the items, for screen readers. back, forward: keys that act like the buttons, by their browser
    names; the first is shown on the button. Without any, no keys are handled.
    small: name of one item; the buttons then show only their arrows.
    opens: whether each item is an entry of the browser's history, so that Back undoes a press.
    on_go: called with the new position before the rerun. Quick successive presses are all counted.
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
        "act": "open" if opens else "go",
    }
    _PAGER(
        key=key, data={**data, "done": taken_of(key)}, width="content", on_acts_change=acting(key, go=went, open=went)
    )
