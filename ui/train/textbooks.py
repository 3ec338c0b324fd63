"""Printed results for the sample of the training, with this app's results, in an expander."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, n_
from ui.session import training as state
from ui.session.samples import sample
from ui.train import cache
from ui.widgets.printed import show_printed


def show_textbooks() -> None:
    """Draw the expander; no-op for a text without printed results."""
    source = state.source()
    number = len(sample(source.label).printed) if source.kind == "sample" else 0
    if not number:
        return
    count = n_("{count} printed result", "{count} printed results", number)
    with st.expander(
        _("What textbooks print for this sample: {results}", results=count),
        icon=":material/menu_book:",
        key=state.TEXTBOOKS_OPEN.key,
        on_change="rerun",
    ) as panel:
        if not panel.open:
            return  # compute results only when shown
        st.caption(_("With the settings of the sample, whatever is set above."))
        with st.spinner(_("Computing this now")):
            held = cache.printed_of_sample(source.label)
        show_printed(held)
