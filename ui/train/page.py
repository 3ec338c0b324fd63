"""The Train page: the strip of text and settings, then one step of the training and everything that shows it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.shared import controls
from ui.shared.corpus import corpus_facts, corpus_picker
from ui.train.costs import show_costs
from ui.train.curves import show_curves
from ui.train.notes import show_notes
from ui.train.settings import show_settings
from ui.train.step import step_now
from ui.train.steps import show_steps
from ui.train.textbooks import show_textbooks

_STYLE = Path(__file__).parent / "train.css"


def show_train() -> None:
    """The whole page. The strip comes first on the page, but what it says is known only after the training."""
    st.html(_STYLE)
    strip = st.container(horizontal=True, vertical_alignment="center", key="strip")
    training = controls.trained()
    with strip:
        corpus_picker()
        corpus_facts(training)
        st.space("stretch")
        show_settings()
    step = step_now()
    show_notes(step)
    show_steps(step)
    show_curves(step)
    show_costs(step)
    show_textbooks()
