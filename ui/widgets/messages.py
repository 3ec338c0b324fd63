"""Messages that may contain user input: shown as text, never as markdown."""

from __future__ import annotations

from time import monotonic

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import translate
from ui.session.items import Item

READING_SECONDS = 10

Told = tuple[BpeError, float]
"""A problem, and the `monotonic` time at which it occurred."""


def problem(error: BpeError, *, unchanged: str = "", key: str = "problem") -> None:
    """Show a problem, its limit and remedy; `unchanged` is a sentence about what stays as it was."""
    with st.container(border=True, horizontal=True, gap="small", key=key):
        st.markdown(":material/error:", width="content")
        with st.container(gap=None):
            st.text(translate(error.problem))
            for part in (error.limit, error.remedy, unchanged):
                if part:
                    st.text(translate(part))


def problem_told(told: Item[Told | None], *, unchanged: str = "", key: str = "problem") -> None:
    """Show a problem for as long as it takes to read, even if reruns follow that the visitor did not request.

    Its place is drawn in every run, so that elements below keep their position.
    """
    with st.empty():
        now = told.get()
        if now is not None and monotonic() - now[1] < READING_SECONDS:
            problem(now[0], unchanged=unchanged, key=key)


def note(text: str) -> None:
    """Show a low-key line of plain text, translated if it is a message."""
    with st.container(horizontal=True, gap="small"):
        st.markdown(":gray[:material/info:]", width="content")
        with st.container(gap=None):  # keeps a long line beside the icon
            st.text(translate(text))
