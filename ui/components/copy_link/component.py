"""Mounts the button: Python's side of copy_link.js."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.components.exchange import acting
from ui.components.scripts import joined_script

_KEY = "copy link"
_HERE = Path(__file__).parent
_COPY = st.components.v2.component(
    "bpe_lab_copy_link",
    html=(_HERE / "copy_link.html").read_text("utf-8"),
    css=(_HERE / "copy_link.css").read_text("utf-8"),
    js=joined_script(_HERE / "copy_link.js"),
)


def copy_link() -> None:
    """Draw the button, in a fragment that keeps the address: a click runs it, and then copies the address."""
    _COPY(key=_KEY, data={"name": _KEY}, width="content", on_acts_change=acting(_KEY))
