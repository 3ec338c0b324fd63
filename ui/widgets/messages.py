"""Messages that may contain user input: shown as text, never as markdown."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import translate


def problem(error: BpeError, *, unchanged: str = "", key: str = "problem") -> None:
    """Show a problem, its limit and remedy; `unchanged` is a sentence about what stays as it was."""
    with st.container(border=True, horizontal=True, gap="small", key=key):
        st.markdown(":material/error:", width="content")
        with st.container(gap=None):
            st.text(translate(error.problem))
            for part in (error.limit, error.remedy, unchanged):
                if part:
                    st.text(translate(part))


def note(text: str) -> None:
    """Show a low-key line of plain text, translated if it is a message."""
    with st.container(horizontal=True, gap="small"):
        st.markdown(":gray[:material/info:]", width="content")
        with st.container(gap=None):  # keeps a long line beside the icon
            st.text(translate(text))
