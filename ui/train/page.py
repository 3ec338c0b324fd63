"""The Train page: text and settings at the top, then one step of the training with all its views."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.train.as_page import show_training_as_page
from ui.train.costs import show_costs
from ui.train.curves import show_curves
from ui.train.notes import show_notes
from ui.train.settings import show_settings
from ui.train.step import step_now
from ui.train.steps import show_steps
from ui.train.textbooks import show_textbooks
from ui.train.welcome import show_welcome
from ui.widgets import controls
from ui.widgets.corpus import corpus_facts, corpus_picker

_STYLE = Path(__file__).parent / "train.css"


def show_train() -> None:
    """Draw the page. The top strip is filled after the steps: a new text is seen before the menus are drawn anew."""
    st.html(_STYLE)
    show_welcome()
    strip = st.container(horizontal=True, vertical_alignment="center", key="strip")
    training = controls.trained()
    step = step_now()
    show_notes(step)
    show_steps(step)
    with strip:
        corpus_picker()
        corpus_facts(training)
        st.space("stretch")
        show_settings()
        show_training_as_page(step)
    show_curves(step)
    show_costs(step)
    show_textbooks()
