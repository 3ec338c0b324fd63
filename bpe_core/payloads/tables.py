"""Frames of tables: the rows, and a frame that moves the current row alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import TypedDict, Unpack

from bpe_core.language import _
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.chips import EncodedTable, Table
from bpe_core.payloads.frames import EMPTY_BODY, frame


class TableOptions(TypedDict, total=False):
    """Display options of a table.

    current: the row to highlight and scroll to.
    height: maximum in pixels, scrolling inside; None shows every row (keep it to a few hundred).
    pickable: False for a read-only table, whose rows ignore clicks.
    of: name of a training whose steps are in the first column: a click on a row requests its step from the page's
    player, and the current row follows the player's step, ahead of the page.
    none: text for a table without rows.

    >>> TableOptions(height=200)
    {'height': 200}
    """

    current: int | None
    height: int | None
    label: str
    captions: Captions
    header: bool
    pickable: bool
    of: str | None
    none: str


def table_frame(
    table: Table | EncodedTable,
    *,
    key: str,
    moving: bool = False,
    tells: bool = False,
    seen_at: int | None = None,
    **options: Unpack[TableOptions],
) -> bytes:
    """Frame of `token_table` for the browser.

    tells: whether picks are reported to Python, with `seen_at`.

    >>> from bpe_core.payloads.chips import Column
    >>> table_frame(Table(Column("Count", [7], "number")), key="counts").endswith(b'"cells":[7]}]}')
    True
    """
    current = options.get("current")
    head = {
        **asdict(options.get("captions", NO_CAPTIONS)),
        "kind": "table",
        "name": key,
        "label": options.get("label") or _("Table"),
        "height": options.get("height", 360),
        "header": options.get("header", True),
        "pickable": options.get("pickable", True),
        "moving": moving,
        "of": options.get("of"),
        "tells": tells,
        "current": None if moving or current is None else int(current),
        "seenAt": seen_at,
        "none": options.get("none") or _("None."),
    }
    return frame(head, table.body)


def current_row(key: str) -> str:
    """Key of the frame that moves the current row of a table.

    >>> current_row("merges")
    'merges: current row'
    """
    return f"{key}: current row"


def current_row_frame(table: Table | EncodedTable, *, key: str, current: int | None) -> bytes:
    """Frame with the current row of the table `key`, valid only for these rows.

    >>> from bpe_core.payloads.chips import Column
    >>> table = Table(Column("Count", [7], "number"))
    >>> b'"current":0' in current_row_frame(table, key="counts", current=0)
    True
    """
    row = None if current is None else int(current)
    return frame({"kind": "cursor", "name": key, "of": table.body.rev, "current": row}, EMPTY_BODY)
