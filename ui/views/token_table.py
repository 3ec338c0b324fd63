"""Table of tokens and numbers, drawn by frontend/src/views/token_table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, Unpack

import streamlit as st

from bpe_core.payloads.chips import EncodedTable, Table
from bpe_core.payloads.frames import relayed
from bpe_core.payloads.tables import TableOptions, current_row, current_row_frame, table_frame
from ui.views.component import View
from ui.views.protocol import acting, index_in, is_index

_MOST_ROWS = _MOST_STEPS = 2**31
_TOKEN_TABLE = View("token_table")


def token_table_view(
    table: Table | EncodedTable,
    *,
    key: str,
    moving: bool | Literal["by a relay"] = False,
    on_pick: Callable[[int], None] | None = None,
    **options: Unpack[TableOptions],
) -> None:
    """Draw a table.

    moving: send the current row separately, so that changing it does not resend thousands of rows; "by a relay": send
    it only as `current_row_frame` under the key `current_row(key)`.
    on_pick: called before the rerun with the row that was clicked or chosen with Enter.
    """
    rev = table.body.rev

    def picked(value: Any) -> None:
        row = index_in(value, rev, table.rows)
        if on_pick is not None and row is not None:
            on_pick(row)

    data = table_frame(table, key=key, moving=bool(moving), tells=on_pick is not None, **options)
    on_acts = acting(key, picked=picked)
    if not moving:
        _TOKEN_TABLE(key=key, data=data, on_acts_change=on_acts)
        return
    row = current_row(key)
    moved = (
        relayed(row) if moving == "by a relay" else current_row_frame(table, key=key, current=options.get("current"))
    )
    with st.container(gap=None):
        _TOKEN_TABLE(key=key, data=data, on_acts_change=on_acts)
        _TOKEN_TABLE(key=row, data=moved)


def relayed_table(key: str, on_pick: PickedSeen | None = None) -> None:
    """Draw a table whose frames a relay publishes: `table_frame` under its key."""

    def picked(value: Any) -> None:
        choice = _checked_choice(value)
        if on_pick is not None and choice is not None:
            on_pick(*choice)

    _TOKEN_TABLE(key=key, data=relayed(key), on_acts_change=acting(key, picked=picked))


class PickedSeen(Protocol):
    """Callback before the rerun: a row, and the `rev` and `seen_at` of its table.

    During playback the table may be older than the newest one.
    """

    def __call__(self, row: int, rev: str, seen_at: int) -> None: ...


def _checked_choice(value: Any) -> tuple[int, str, int] | None:
    """Parse [rev, row, seen at] from the browser."""
    if not (isinstance(value, list) and len(value) == 3 and isinstance(value[0], str)):
        return None
    rev, row, seen_at = value
    return (row, rev, seen_at) if is_index(row, 0, _MOST_ROWS) and is_index(seen_at, 0, _MOST_STEPS) else None
