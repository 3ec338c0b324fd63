"""The text that is compared: typed, pasted, a sample, or a file."""

from __future__ import annotations

import streamlit as st

from bpe_core import CorpusError
from ui import state
from ui.controls import check_length, sample_choice
from ui.corpus import decoded
from ui.live_text import live_text
from ui.samples import sample


def compared_text() -> str:
    """The text area; returns the text that the page shows."""
    live_text(
        "Text to compare",
        state.COMPARE_TEXT.get(),
        key="compare text area",
        on_change=state.COMPARE_TEXT.set,
        height=110,
        placeholder="Type or paste any text, in any language.",
    )
    return state.COMPARE_TEXT.get()


def text_sources() -> None:
    """Two more ways to a text: one that comes with the app, and a file."""
    with st.popover("Sample", icon=":material/menu_book:"):
        chosen = sample_choice(state.COMPARE_SAMPLE_NAME, _use_sample)
        if state.COMPARE_TEXT.get() != chosen.text:
            st.button("Compare on this text", on_click=_use_sample, type="primary")
    with st.popover("Open file", icon=":material/upload_file:"):
        st.file_uploader("A text file in UTF-8, at most 10 MB", key="compare upload", on_change=_use_file)


def _use_sample() -> None:
    state.COMPARE_TEXT.set(sample(state.COMPARE_SAMPLE_NAME.get()).text)
    state.COMPARE_AT.set(0)


def _use_file() -> None:
    uploaded = st.session_state.get("compare upload")
    if uploaded is None:
        return
    try:
        text = decoded(uploaded.getvalue())
        check_length(text)
    except CorpusError as error:
        state.PROBLEM.set(error)
    else:
        state.COMPARE_TEXT.set(text)
        state.COMPARE_AT.set(0)
