"""Writes a query into the address bar, without a rerun and without a history entry for each change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components.exchange import EMPTY_BODY, frame, relayed, taken
from ui.components.scripts import joined_script

_HERE = Path(__file__).parent
_ADDRESS = st.components.v2.component("bpe_lab_address", html="<i hidden></i>", js=joined_script(_HERE / "address.js"))


def address_bar(data: Mapping[str, Any], *, key: str) -> None:
    """Let the address bar say this: query, whether it is whole, path and place; see address.js."""
    _mount(address_frame(data), key)


def relayed_address(key: str) -> None:
    """Let the address bar say what a relay brings: `address_frame` under this key."""
    _mount(relayed(key), key)


def address_frame(data: Mapping[str, Any]) -> bytes:
    """What `address_bar` hands to the browser.

    It says as well which actions were taken: what the address holds need not be sent again after a reload.
    """
    return frame({**data, "done": taken()}, EMPTY_BODY)


def _mount(data: bytes, key: str) -> None:
    with st.container(key=f"address of {key}"):
        _ADDRESS(key=f"address: {key}", data=data)
