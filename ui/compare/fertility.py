"""The chart of fertility: one paragraph in many languages, and what each tokenizer needs for it."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.counts import vocabularies
from ui.compare.fertility_chart import fertility_figure
from ui.session import state
from ui.shared.layout import heading
from ui.shared.messages import problem

_WAYS = {
    "relative": "Relative to English",
    "tokens": "Tokens",
    "per character": "Tokens per character",
    "per word": "Tokens per word",
}
_LINES = {
    "relative": "2.0: twice as many tokens as the same tokenizer needs for the English one",
    "tokens": "how many tokens the paragraph becomes",
    "per character": "scripts of three bytes a character start at 3.0, before any merge",
    "per word": "none for Japanese and Chinese, which put no spaces between words",
}


def show_fertility(chosen: Chosen) -> None:
    """The card with the chart."""
    with st.container(border=True, key="fertility"):
        by = state.FERTILITY_BY.get()
        heading("The same paragraph in twelve languages", _LINES[by])
        st.segmented_control(
            "Fertility",
            list(_WAYS),
            format_func=_WAYS.__getitem__,
            required=True,
            label_visibility="collapsed",
            **state.FERTILITY_BY.widget(),
        )
        try:
            rows = cache.fertility_counts(chosen.names, chosen.source, chosen.config, chosen.forks)
        except BpeError as error:  # a pattern of a visitor's own file may run out of time
            problem(error, key="fertility problem")
            return
        st.plotly_chart(fertility_figure(rows, by, _WAYS[by]), config={"displayModeBar": False})
        hollow = " Hollow: some of the text became unknown tokens." if any(row.unknown for row in rows) else ""
        st.caption(f"{vocabularies(chosen)} Special tokens as plain text.{hollow}")
