"""What every page has around it that is not seen, or is the same on all of them: its name, and the look of headings."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

LOGO = Path(__file__).parent / "logo.svg"

_STYLE = Path(__file__).parent / "shell.css"


def show_shell(title: str) -> None:
    """Name the page: in the browser's tab, and as its first heading. `title` is ours. Once a run, in app.py."""
    st.set_page_config(page_title=f"{title} · BPE Lab")
    st.html(_STYLE)
    st.html(f'<h1 class="page-name">{escape(title)}</h1>')
