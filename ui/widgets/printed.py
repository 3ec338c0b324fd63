"""Printed results beside this app's results."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from bpe_core.language import _, gettext
from ui.views.verbatim import verbatim_view
from ui.widgets.textbooks import PrintedResult


def show_printed(held: Sequence[PrintedResult]) -> None:
    """Draw a card for each result."""
    with st.container(key="printed and here"):
        for number, each in enumerate(held):
            _show(each, key=f"printed {number}")


def _show(held: PrintedResult, *, key: str) -> None:
    """Draw a printed result, this app's result below it, and the rule that makes the difference."""
    printed = held.printed
    is_text = printed.asks == "text"  # translatable text from the file; computed results need no translation
    with st.container(border=True, gap="xsmall"):
        st.text(gettext(printed.what))
        by = gettext(printed.by)
        st.caption(_("{by} · the same here", by=by) if held.equal else _("{by} · not the same here", by=by))
        both = _(
            "printed  {printed}\nhere     {here}",
            printed=gettext(printed.printed) if is_text else printed.printed,
            here=gettext(held.here) if is_text else held.here,
        )
        verbatim_view(both, label=gettext(printed.what), key=key)
        if printed.because:
            st.text(gettext(printed.because))
