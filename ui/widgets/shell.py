"""Page frame: start and end of a run, title, style of headings."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from ui.memory.cache import visitor
from ui.memory.visitors import VISITORS
from ui.serving.startup import have_imported, prepare
from ui.session.items import all_is_sent
from ui.widgets.address import keep_address, open_language

LOGO = Path(__file__).parent / "logo.svg"

_STYLE = Path(__file__).parent / "shell.css"


def begin_run() -> None:
    """Begin a run of app.py; the first one starts the preparation, unless the server did."""
    VISITORS.run_begins(visitor())
    prepare()
    have_imported()
    open_language()


def end_run() -> None:
    """End a run of app.py: the URL matches the view, and every value has been sent to the browser."""
    keep_address()
    all_is_sent()


def show_shell(title: str) -> None:
    """Set the page's title, in the tab and as an h1; once per run, in app.py. `title` must not be user text."""
    st.set_page_config(page_title=f"{title} · BPE Lab")
    st.html(_STYLE)
    st.html(f'<h1 class="page-name">{escape(title)}</h1>')
