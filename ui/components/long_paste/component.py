"""Speed up long pastes in every text area of the app: Python's side of long_paste.js."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.components.defined import Component

_LONG_PASTE = Component("bpe_lab_long_paste", Path(__file__).parent / "long_paste.js")


def quick_pastes() -> None:
    """Insert long pastes into text areas in one step from now on. Called once per run, in app.py."""
    with st.container(key="long paste"):
        _LONG_PASTE(key="quick pastes")
