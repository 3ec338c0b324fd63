"""The compared text: typed, pasted, a sample, or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from bpe_core import CorpusError
from bpe_core.language import _
from ui.session import compare as state
from ui.session import training
from ui.session.elsewhere import training_text
from ui.session.limits import LONGEST_TEXT
from ui.session.samples import sample
from ui.views.live_text import holds, live_text_view
from ui.views.relay import Due, follow_up_frame, follow_up_view, relay_view
from ui.widgets.controls import check_length, sample_choice
from ui.widgets.fragments import fragment_ahead
from ui.widgets.layout import popover_key
from ui.widgets.text_files import text_uploader

AREA = "compare text area"
_LONGEST_IN_AREA = 100_000
"""Maximum characters for the text area; browsers take seconds to lay out more."""


Renew = Callable[[], tuple[Mapping[str, bytes], Due]]
"""Returns the frames for the typed text, and when the rest of the page must run."""

_REST = "rest of compare"


def compared_text(renew: Renew) -> str:
    """Draw the text, with buttons for a sample and a file; return the text that the page shows.

    renew: called after a keystroke, in a run of the text area's fragment alone.
    """
    state.BEHIND.set(False)
    follow_up_view(_REST)
    with st.container(horizontal=True, vertical_alignment="bottom", key="text and its sources"):
        with st.container(width="stretch"):
            text = _text(renew)
        with st.container(width="content", gap="xsmall"):
            _sources()
    state.BEHIND.set(True)  # until the page is drawn: from here on, a keystroke may stop its run
    return text


def _text(renew: Renew) -> str:
    """Draw the text area, or one line for a long text from elsewhere."""
    text = state.TEXT.get()
    name, read = state.FILE.get()
    file = name if read == text else ""
    if len(text) > _LONGEST_IN_AREA and not holds(AREA, text):
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="long text"):
            long = _("A text of {characters:,} characters, too long to be edited here.", characters=len(text))
            st.text(f"{file} · {long}" if file else long, width="stretch")
            st.button(_("Type another text"), on_click=_use, args=("",))
        return text
    _edit_alone(file, renew)
    return state.TEXT.get()


@fragment_ahead
def _edit_alone(file: str, renew: Renew) -> None:
    """Draw the text area, and publish the lines of the typed text: all that a keystroke waits for."""
    live_text_view(
        _("Text to compare: {file}", file=file) if file else _("Text to compare"),
        state.TEXT.get,
        key=AREA,
        on_change=_typed,
        height=110,
        placeholder=_("Type or paste any text, in any language."),
        is_light=True,
    )
    frames, due = renew() if state.BEHIND.get() else ({}, "")
    relay_view({**frames, _REST: follow_up_frame(_REST, due)}, key="relay of typing")


def _typed(text: str) -> None:
    state.BEFORE.set(state.TEXT.get())
    state.TEXT.set(text)
    state.BEHIND.set(True)


def _sources() -> None:
    st.button(
        _("Your training text"),
        icon=":material/menu_book:",
        width="stretch",
        on_click=_use_training_text,
        key="own text",
    )
    with st.popover(_("Sample"), icon=":material/library_books:", width="stretch"):
        chosen = sample_choice(state.SAMPLE_NAME, _use_sample)
        if state.TEXT.get() != chosen.text:
            st.button(_("Compare on this text"), on_click=_use_sample, type="primary")
    with st.popover(_("Open file"), icon=":material/upload_file:", key=popover_key("compare file"), width="stretch"):
        text_uploader(state.UPLOAD, use_file)


def _use(text: str) -> None:
    state.TEXT.set(text)
    state.AT.set(0)


def _use_training_text() -> None:
    _use(training_text(LONGEST_TEXT))


def _use_sample() -> None:
    _use(sample(state.SAMPLE_NAME.get()).text)


def use_file(name: str, text: str) -> None:
    """Compare the text of a file, unless it is too long."""
    try:
        check_length(text)
    except CorpusError as error:
        training.PROBLEM.set(error)
    else:
        _use(text)
        state.FILE.set((name, text))
