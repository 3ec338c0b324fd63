"""Mounts the button: Python's side of contrast.js."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.components.scripts import joined_script

_HERE = Path(__file__).parent
_CONTRAST = st.components.v2.component(
    "bpe_lab_contrast",
    html=(_HERE / "contrast.html").read_text("utf-8"),
    css=(_HERE / "contrast.css").read_text("utf-8"),
    js=joined_script(_HERE / "contrast.js"),
)


def contrast_button() -> None:
    """Draw the button. A click changes the colours in the browser, and runs nothing."""
    _CONTRAST(key="contrast", width="content")
