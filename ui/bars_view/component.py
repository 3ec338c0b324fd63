"""Mounts the histogram: Python's side of bars_view.js."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from ui.token_view.register import register
from ui.token_view.wire import encode_body, frame

_BARS_VIEW = register(Path(__file__).parent, "bars_view", '<div class="bars"></div>')


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

    chosen: the first and the last value that stand out; None: all. more: the last bar is for larger values as well.
    on_pick: called with the values of the bars that were clicked or dragged over (Enter, with Shift for more), or
    with None when the chosen one was clicked again.
    """
    last = first + len(counts) - 1

    def picked() -> None:
        state: Any = st.session_state.get(key)
        answer = state.get("picked") if hasattr(state, "get") else None
        if answer == "none":
            on_pick(None)
        elif isinstance(answer, list) and len(answer) == 2 and all(type(value) is int for value in answer):
            low, high = answer
            if first <= low <= high <= last:
                on_pick((low, high))

    body = encode_body({"first": first, "counts": list(counts), "more": more})
    _BARS_VIEW(key=key, data=frame({"label": label, "chosen": chosen}, body), on_picked_change=picked)
