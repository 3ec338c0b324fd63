"""The keys and the clock of the player: arrow keys and playing, one step at a time and never more than can be drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_KEYS = st.components.v2.component(
    "bpe_lab_keys", html='<span class="keys" hidden></span>', js=(_HERE / "keys.js").read_text("utf-8")
)


def keys(step: int, last: int, *, key: str, pause: float | None, on_move: Callable[[int, bool], None]) -> None:
    """Listen to ← → Home End on the whole page, and while `pause` (seconds) is given move on by itself.

    on_move: called with the step to go to and whether the clock asked, before the fragment runs again. The next
    move is only sent when this one has been drawn.
    """

    def moved() -> None:
        state: Any = st.session_state.get(key)
        move = state.get("move") if hasattr(state, "get") else None
        if not (isinstance(move, list) and len(move) == 2 and isinstance(move[1], bool)):
            return
        target = move[0]
        if isinstance(target, int) and not isinstance(target, bool) and 0 <= target <= last:
            on_move(target, move[1])

    _KEYS(key=key, data={"step": step, "last": last, "pause": pause}, on_move_change=moved)
