"""Writes a query into the address bar, without a rerun and without a history entry for each change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import streamlit as st

from ui.components.defined import Component
from ui.components.exchange import EMPTY_BODY, acting, frame, recall, relayed, remember, taken

_HERE = Path(__file__).parent
_ADDRESS = Component("bpe_lab_address", _HERE / "address.js")


Others = Mapping[str, str]
"""The queries of pages, by their names."""

_MOST_PAGES = 20

_ORDER = "order of addresses"


def address_bar(
    data: Mapping[str, Any],
    *,
    key: str,
    others: Others | None = None,
    on_resume: Callable[[Others], None] | None = None,
    on_choice: Callable[[object], None] = lambda choice: None,
) -> None:
    """Let the address bar say this: query, whether it is whole, path and place; see address.js.

    others: what the pages show that are not in the address bar. on_resume: called with them when this page was loaded
    again, before it runs the next time. on_choice: called with each choice in Streamlit's own widgets, which may have
    arrived by itself before: see choices.js.
    """

    def resumed(value: Any) -> None:
        if on_resume is not None and are_queries(value):
            on_resume(value)

    _mount(
        address_frame(data, name=key, others=others), key, acting(f"address: {key}", resume=resumed, chose=on_choice)
    )


def relayed_address(key: str) -> None:
    """Let the address bar say what a relay brings: `address_frame` under this key."""
    _mount(relayed(key), key)


def are_queries(value: object) -> bool:
    """Whether a value is what a browser sends for `others`.

    >>> are_queries({"encode": "text=a"}), are_queries({"encode": 1}), are_queries([])
    (True, False, False)
    """
    return (
        isinstance(value, dict)
        and len(value) <= _MOST_PAGES
        and all(isinstance(part, str) for item in value.items() for part in item)
    )


def address_frame(data: Mapping[str, Any], **more: Any) -> bytes:
    """What `address_bar` hands to the browser; more: what only the whole page has.

    It says as well which actions were taken: what the address holds need not be sent again after a reload. And it
    counts what a session said: parts of a page can be shown in another order.
    """
    said = {**data, "done": taken()}
    series, number, before = recall(_ORDER) or (token_hex(4), 0, None)
    if said != before:
        number += 1
        remember(_ORDER, (series, number, said))
    return frame({**said, **more, "order": (series, number)}, EMPTY_BODY)


def _mount(data: bytes, key: str, on_acts: Callable[[], None] | None = None) -> None:
    with st.container(key=f"address of {key}"):
        _ADDRESS(key=f"address: {key}", data=data, on_acts_change=on_acts or (lambda: None))
