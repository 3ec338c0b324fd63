"""Messages that may hold what a user typed: shown as text, never as markdown."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import said


def problem(error: BpeError, *, kept: str = "", key: str = "problem") -> None:
    """Show what went wrong, the limit and the remedy; `kept` says what stays as it was."""
    with st.container(border=True, horizontal=True, gap="small", key=key):
        st.markdown(":material/error:", width="content")
        with st.container(gap=None):
            st.text(said(error.problem))
            for part in (error.limit, error.remedy, kept):
                if part:
                    st.text(said(part))


def note(text: str) -> None:
    """A quiet line of plain text, said in the visitor's language where it is a message."""
    with st.container(horizontal=True, gap="small"):
        st.markdown(":gray[:material/info:]", width="content")
        with st.container(gap=None):  # keeps a long line beside the icon
            st.text(said(text))
