"""Writes a query into the address bar, without a rerun and without a history entry for each change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components.exchange import taken
from ui.components.scripts import joined_script

_HERE = Path(__file__).parent
_ADDRESS = st.components.v2.component("bpe_lab_address", html="<i hidden></i>", js=joined_script(_HERE / "address.js"))


def address_bar(data: Mapping[str, Any], *, key: str) -> None:
    """Let the address bar say this: query, whether it is whole, path and place; see address.js.

    It says with it which actions were taken: what the address holds need not be sent again after a reload.
    """
    with st.container(key=f"address of {key}"):
        _ADDRESS(key=f"address: {key}", data={**data, "done": taken()})
