"""Buttons that move or delete a row of a list in the lesson editor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from bpe_core.language import _


def show_row_actions(
    at: int,
    count: int,
    *,
    key: str,
    titles: tuple[str, str, str],
    move: Callable[[int, int], None],
    delete: Callable[[int], None],
) -> None:
    """Draw the buttons of the row `at` of `count`. key: prefix of theirs. titles: tooltips of up, down, delete."""
    act = partial(st.button, type="tertiary")
    up, down, away = titles
    act(
        _("Move up"),
        key=f"{key}up {at}",
        icon=":material/arrow_upward:",
        help=up,
        disabled=at == 0,
        on_click=move,
        args=(at, -1),
    )
    act(
        _("Move down"),
        key=f"{key}down {at}",
        icon=":material/arrow_downward:",
        help=down,
        disabled=at == count - 1,
        on_click=move,
        args=(at, 1),
    )
    act(_("Delete"), key=f"{key}delete {at}", icon=":material/delete:", help=away, on_click=delete, args=(at,))
