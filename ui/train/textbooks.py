"""Printed results for the sample of the training, with this app's results, in an expander."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core.language import _, n_
from ui.session import training as state
from ui.session.samples import sample
from ui.train import cache
from ui.widgets.panels import show_panel
from ui.widgets.printed import show_printed


def show_textbooks() -> None:
    """Draw the expander; no-op for a text without printed results."""
    source = state.source()
    number = len(sample(source.label).printed) if source.kind == "sample" else 0
    if not number:
        return
    count = n_("{count} printed result", "{count} printed results", number)
    title = _("What textbooks print for this sample: {results}", results=count)
    show_panel(title, "menu_book", state.TEXTBOOKS_OPEN, partial(_show_printed, source.label), card="printed results")


def _show_printed(label: str) -> None:
    st.caption(_("With the settings of the sample, whatever is set above."))
    with st.spinner(_("Computing this now")):
        held = cache.printed_of_sample(label)
    show_printed(held)
