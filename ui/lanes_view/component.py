"""Mounts the lanes: Python's side of lanes_view.js."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from ui.token_view import TokenSpans
from ui.token_view.register import register
from ui.token_view.wire import frame

_LANES_VIEW = register(
    Path(__file__).parent, "lanes_view", '<div class="lanes" role="listbox" tabindex="0"></div><p class="more"></p>'
)


def lanes_view(
    spans: TokenSpans,
    *,
    key: str,
    selected: int | None = None,
    height: int | None = None,
    label: str = "Characters, bytes and tokens",
    on_select: Callable[[int | None], None] | None = None,
) -> None:
    """Draw a window of tokens as three lanes, each byte a column; keep it to a few hundred tokens.

    selected: the number of a token in the whole text, outlined.
    on_select: called with the number of the token that was chosen, None when it is taken back.
    """
    rev = spans.body.rev

    def changed() -> None:
        answer = _answer(st.session_state.get(key), rev, spans)
        if on_select is not None and answer is not None:
            on_select(answer[0])

    position = None if selected is None else selected - spans.first
    head = {
        "label": label,
        "height": height,
        "selected": position if position is not None and 0 <= position < len(spans.ids) else None,
    }
    _LANES_VIEW(key=key, data=frame(head, spans.body), on_picked_change=changed)


def _answer(state: Any, rev: str, spans: TokenSpans) -> tuple[int | None] | None:
    """The browser's answer [rev, number or None] if it is about these spans. Values from the browser can be forged."""
    answer = state.get("picked") if hasattr(state, "get") else None
    if not (isinstance(answer, list) and len(answer) == 2 and answer[0] == rev):
        return None
    index = answer[1]
    if index is None:
        return (None,)
    known = isinstance(index, int) and not isinstance(index, bool) and 0 <= index - spans.first < len(spans.ids)
    return (index,) if known else None
