"""Mounts the table: Python's side of token_table.js."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components.exchange import answer, encode_body, frame, is_index
from ui.components.tokens.captions import NO_CAPTIONS, Captions
from ui.components.tokens.chips import Table
from ui.components.tokens.registration import view_component

_TOKEN_TABLE = view_component(Path(__file__).parent, '<div class="table"></div>')


def token_table(
    table: Table,
    *,
    key: str,
    current: int | None = None,
    height: int | None = 360,
    label: str = "Table",
    captions: Captions = NO_CAPTIONS,
    header: bool = True,
    pickable: bool = True,
    moving: bool = False,
    on_pick: Callable[[int], None] | None = None,
) -> int | None:
    """Draw a table; the row that was picked, right after the click (an event: None again in the run after).

    current: the row to highlight and scroll to.
    moving: the current row travels by itself, so that changing it does not send thousands of rows again.
    height: at most this many pixels, scrolling inside; None shows every row (keep it to a few hundred).
    pickable: False for a table that is only read: its rows do not answer to a click.
    on_pick: called with the row before the page runs again.
    """
    rev = table.body.rev

    def picked(value: Any) -> int | None:
        if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
            return None
        row = value[1]
        return row if is_index(row, 0, table.rows) else None

    def changed() -> None:
        row = picked(answer(key, "picked"))
        if on_pick is not None and row is not None:
            on_pick(row)

    row = None if current is None else int(current)
    head = {
        **asdict(captions),
        "kind": "table",
        "name": key,
        "label": label,
        "height": height,
        "header": header,
        "pickable": pickable,
        "moving": moving,
        "current": None if moving else row,
    }
    if not moving:
        return picked(_TOKEN_TABLE(key=key, data=frame(head, table.body), on_picked_change=changed).get("picked"))
    with st.container(gap=None):
        result = _TOKEN_TABLE(key=key, data=frame(head, table.body), on_picked_change=changed)
        cursor = {"kind": "cursor", "name": key, "of": rev, "current": row}
        _TOKEN_TABLE(key=f"{key}: current row", data=frame(cursor, encode_body({})))
    return picked(result.get("picked"))
