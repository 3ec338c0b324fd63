"""Mounts the table: Python's side of token_table.js."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components.exchange import acting, encode_body, frame, is_index
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
    steps: bool = False,
    on_pick: Callable[[int], None] | None = None,
) -> None:
    """Draw a table.

    current: the row to highlight and scroll to.
    moving: the current row travels by itself, so that changing it does not send thousands of rows again.
    height: at most this many pixels, scrolling inside; None shows every row (keep it to a few hundred).
    pickable: False for a table that is only read: its rows do not answer to a click.
    steps: the first column has steps, and a click on a row asks the page's player for its own.
    on_pick: called with the row that was clicked (or chosen with Enter) before the page runs again.
    """
    rev = table.body.rev

    def picked(value: Any) -> None:
        row = _checked_row(value, rev, table.rows)
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
        "steps": steps,
        "tells": on_pick is not None,
        "current": None if moving else row,
    }
    on_acts = acting(key, picked=picked)
    if not moving:
        _TOKEN_TABLE(key=key, data=frame(head, table.body), on_acts_change=on_acts)
        return
    with st.container(gap=None):
        _TOKEN_TABLE(key=key, data=frame(head, table.body), on_acts_change=on_acts)
        cursor = {"kind": "cursor", "name": key, "of": rev, "current": row}
        _TOKEN_TABLE(key=f"{key}: current row", data=frame(cursor, encode_body({})))


def _checked_row(value: Any, rev: str, rows: int) -> int | None:
    """The browser's answer [rev, row] if it is about this table. Values from the browser can be forged."""
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
        return None
    row = value[1]
    return row if is_index(row, 0, rows) else None
