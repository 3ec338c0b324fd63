"""Page frame: its title and the style of headings."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

LOGO = Path(__file__).parent / "logo.svg"

_STYLE = Path(__file__).parent / "shell.css"


def show_shell(title: str) -> None:
    """Set the page's title, in the tab and as an h1; once per run, in app.py. `title` must not be user text."""
    st.set_page_config(page_title=f"{title} · BPE Lab")
    st.html(_STYLE)
    st.html(f'<h1 class="page-name">{escape(title)}</h1>')
