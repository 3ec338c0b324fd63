"""The Train page: the strip of text and settings, then one step of the training and everything that shows it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui import controls, state
from ui.corpus import corpus_facts, corpus_picker
from ui.settings import settings
from ui.train.curves import show_curves
from ui.train.here import here_now
from ui.train.steps import show_details, show_steps
from ui.train.text import show_notes

_STYLE = Path(__file__).parent / "train" / "train.css"


def show_train() -> None:
    """The whole page. The strip stands first, but what it says is known when the training is made."""
    st.html(_STYLE)
    strip = st.container(horizontal=True, vertical_alignment="center", key="strip")
    training = controls.trained()
    with strip:
        corpus_picker()
        corpus_facts(training)
        st.space("stretch")
        settings()
    show_notes(here_now())
    state.CURVES_DRAWN.set(None)  # they are drawn below, after the steps
    show_steps()
    show_details()
    show_curves()
