"""Printed results next to this app's results."""

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
    what, by, both, because = printed_words(held)
    with st.container(border=True, gap="xsmall"):
        st.text(what)
        st.caption(by)
        verbatim_view(both, label=what, key=key)
        if because:
            st.text(because)


def printed_words(held: PrintedResult) -> tuple[str, str, str, str]:
    """Subject, source, the printed result with this app's below it, and the rule that explains the difference."""
    printed = held.printed
    is_text = printed.asks == "text"  # translatable text from the file; computed results need no translation
    by = gettext(printed.by)
    both = _(
        "printed  {printed}\nhere     {here}",
        printed=gettext(printed.printed) if is_text else printed.printed,
        here=gettext(held.here) if is_text else held.here,
    )
    same = _("{by} · the same here", by=by) if held.equal else _("{by} · not the same here", by=by)
    return gettext(printed.what), same, both, gettext(printed.because) if printed.because else ""
