"""Mount the table: Python's side of token_table.js."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Literal, Protocol

import streamlit as st

from bpe_core.language import _
from ui.views.captions import NO_CAPTIONS, Captions
from ui.views.chips import Table
from ui.views.component import View
from ui.views.protocol import EMPTY_BODY, acting, frame, is_index, relayed

_MOST_ROWS = _MOST_STEPS = 2**31
_TOKEN_TABLE = View("token_table")


def token_table_view(
    table: Table,
    *,
    key: str,
    current: int | None = None,
    height: int | None = 360,
    label: str = "",
    captions: Captions = NO_CAPTIONS,
    header: bool = True,
    pickable: bool = True,
    moving: bool | Literal["by a relay"] = False,
    of: str | None = None,
    on_pick: Callable[[int], None] | None = None,
) -> None:
    """Draw a table.

    current: the row to highlight and scroll to.
    moving: send the current row separately, so that changing it does not resend thousands of rows; "by a relay":
    not with the table at all, but as `current_row_frame` under the key `current_row(key)`.
    height: maximum in pixels, scrolling inside; None shows every row (keep it to a few hundred).
    pickable: False for a read-only table, whose rows ignore clicks.
    of: name of a training whose steps are in the first column: a click on a row requests its step from the page's
    player, and the current row follows the player's step, ahead of the page.
    on_pick: called with the row that was clicked (or chosen with Enter) before the page runs again.
    """
    rev = table.body.rev

    def picked(value: Any) -> None:
        row = _checked_row(value, rev, table.rows)
        if on_pick is not None and row is not None:
            on_pick(row)

    data = table_frame(
        table,
        key=key,
        current=current,
        height=height,
        label=label,
        captions=captions,
        header=header,
        pickable=pickable,
        moving=bool(moving),
        of=of,
        tells=on_pick is not None,
    )
    on_acts = acting(key, picked=picked)
    if not moving:
        _TOKEN_TABLE(key=key, data=data, on_acts_change=on_acts)
        return
    row = current_row(key)
    with st.container(gap=None):
        _TOKEN_TABLE(key=key, data=data, on_acts_change=on_acts)
        by_relay = moving == "by a relay"
        _TOKEN_TABLE(key=row, data=relayed(row) if by_relay else current_row_frame(table, key=key, current=current))


def table_frame(
    table: Table,
    *,
    key: str,
    current: int | None = None,
    height: int | None = 360,
    label: str = "",
    captions: Captions = NO_CAPTIONS,
    header: bool = True,
    pickable: bool = True,
    moving: bool = False,
    of: str | None = None,
    tells: bool = False,
    seen_at: int | None = None,
    none: str = "",
) -> bytes:
    """Frame of `token_table` for the browser.

    tells: whether picks are reported to Python, with `seen_at`. none: text for a table without rows.
    """
    head = {
        **asdict(captions),
        "kind": "table",
        "name": key,
        "label": label or _("Table"),
        "height": height,
        "header": header,
        "pickable": pickable,
        "moving": moving,
        "of": of,
        "tells": tells,
        "current": None if moving or current is None else int(current),
        "seenAt": seen_at,
        "none": none or _("None."),
    }
    return frame(head, table.body)


def current_row(key: str) -> str:
    """Key of the frame that moves the current row of a table."""
    return f"{key}: current row"


def current_row_frame(table: Table, *, key: str, current: int | None) -> bytes:
    """Frame with the current row of the table `key`, valid only for these rows."""
    row = None if current is None else int(current)
    return frame({"kind": "cursor", "name": key, "of": table.body.rev, "current": row}, EMPTY_BODY)


def relayed_table(key: str, on_pick: PickedSeen | None = None) -> None:
    """Mount the table that a relay draws: `table_frame` under its key."""

    def picked(value: Any) -> None:
        choice = _checked_choice(value)
        if on_pick is not None and choice is not None:
            on_pick(*choice)

    _TOKEN_TABLE(key=key, data=relayed(key), on_acts_change=acting(key, picked=picked))


class PickedSeen(Protocol):
    """Callback before the page runs again: a row, the `rev` of its table, and the `seen_at` of that table.

    During playback the table may be older than the newest one.
    """

    def __call__(self, row: int, rev: str, seen_at: int) -> None: ...


def _checked_choice(value: Any) -> tuple[int, str, int] | None:
    """Parse [rev, row, seen at] from the browser."""
    if not (isinstance(value, list) and len(value) == 3 and isinstance(value[0], str)):
        return None
    rev, row, seen_at = value
    return (row, rev, seen_at) if is_index(row, 0, _MOST_ROWS) and is_index(seen_at, 0, _MOST_STEPS) else None


def _checked_row(value: Any, rev: str, rows: int) -> int | None:
    """Row in the browser's [rev, row] if it is about this table. It can be forged."""
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
        return None
    row = value[1]
    return row if is_index(row, 0, rows) else None
