"""Write the query into the address bar, without a rerun or a history entry per change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import Any

import streamlit as st

from bpe_core.payloads.frames import EMPTY_BODY, frame, relayed
from ui.views.component import View
from ui.views.protocol import acting, recall, remember, taken

_ADDRESS = View("address")


Others = Mapping[str, str]
"""URL queries by page name."""

_MOST_PAGES = 20

_ORDER = "order of addresses"
_UNDONE = "actions undone by a URL"


def address_bar(
    data: Mapping[str, Any],
    *,
    key: str,
    others: Others | None = None,
    on_resume: Callable[[Others], None] | None = None,
    on_choice: Callable[[object], None] = lambda choice: None,
) -> None:
    """Set the URL: query, whether it is complete, path and place; see address.ts.

    others: state of the other pages, which the URL does not contain. on_resume: called with them after a reload of this
    page, before its next run. on_choice: called with each choice in Streamlit's own widgets, which may already have
    arrived separately: see choices.ts.
    """

    def resumed(value: Any) -> None:
        if on_resume is not None and are_queries(value):
            on_resume(value)

    _mount(
        address_frame(data, name=key, others=others, undone=recall(_UNDONE)),
        key,
        acting(f"address: {key}", resume=resumed, chose=on_choice),
    )


def note_undone() -> None:
    """Tell the browser that a URL replaces the effect of acknowledged actions; it resends those of its entry."""
    remember(_UNDONE, taken())


def relayed_address(key: str) -> None:
    """Set the URL from a relayed message: `address_frame` under this key."""
    _mount(relayed(key), key)


def are_queries(value: object) -> bool:
    """Whether a value from the browser is valid for `others`.

    >>> are_queries({"encode": "text=a"}), are_queries({"encode": 1}), are_queries([])
    (True, False, False)
    """
    return (
        isinstance(value, dict)
        and len(value) <= _MOST_PAGES
        and all(isinstance(part, str) for item in value.items() for part in item)
    )


def address_frame(data: Mapping[str, Any], **more: Any) -> bytes:
    """Message of `address_bar` to the browser; more: fields sent only by a run of the whole page.

    Includes the acknowledgements: actions contained in the URL need not be resent after a reload. Messages of a
    session are numbered, because fragments can be drawn out of order.
    """
    fields = {**data, "done": taken()}
    series, number, before = recall(_ORDER) or (token_hex(4), 0, None)
    if fields != before:
        number += 1
        remember(_ORDER, (series, number, fields))
    return frame({**fields, **more, "order": (series, number)}, EMPTY_BODY)


def _mount(data: bytes, key: str, on_acts: Callable[[], None] | None = None) -> None:
    with st.container(key=f"address of {key}"):
        _ADDRESS(key=f"address: {key}", data=data, on_acts_change=on_acts or (lambda: None))
