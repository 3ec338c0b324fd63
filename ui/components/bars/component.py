"""Mounts the histogram: Python's side of bars.js."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ui.components.exchange import acting, encode_body, frame, is_index
from ui.components.tokens.registration import view_component

_BARS_VIEW = view_component(Path(__file__).parent, '<div class="bars"></div>')


def bars_view(
    counts: Sequence[int],
    first: int,
    *,
    key: str,
    label: str,
    chosen: tuple[int, int] | None,
    more: bool = False,
    on_pick: Callable[[tuple[int, int] | None], None],
) -> None:
    """Draw a bar for each value from `first` on: how many there are of it.

    chosen: the first and the last highlighted value; None: all. more: the last bar is for larger values as well.
    on_pick: called with the values of the bars that were clicked or dragged over (Enter, with Shift for more), or
    with None when the chosen one was clicked again.
    """

    def picked(value: Any) -> None:
        if value == "none":
            on_pick(None)
        elif isinstance(value, list) and len(value) == 2 and all(is_index(v, first, len(counts)) for v in value):
            low, high = value
            if low <= high:
                on_pick((low, high))

    body = encode_body({"first": first, "counts": list(counts), "more": more})
    head = {"name": key, "label": label, "chosen": chosen}
    _BARS_VIEW(key=key, data=frame(head, body), on_acts_change=acting(key, picked=picked))
