"""The sentence at the top of the page: which tokenizer has more tokens, and why."""

from __future__ import annotations

import streamlit as st

from bpe_core.comparison.count_sentence import headline
from bpe_core.comparison.totals import MOST_LISTED, difference
from ui.compare.chosen import Chosen
from ui.widgets.display import title_of

_STYLE = "<style>.st-key-headline [data-testid=stText] { font-size: 1.15rem; font-weight: 600 }</style>"


def show_headline(chosen: Chosen, pair: tuple[str, str]) -> None:
    """Draw the sentence at the top of the page."""
    left, right = (title_of(name) for name in pair)
    found = difference(chosen.comparison(), left, right, chosen.groups(pair))
    is_whole = len(chosen.disagreements(pair)) < MOST_LISTED
    with st.container(key="headline"):
        st.html(_STYLE)
        st.text(headline(left, right, found, len(chosen.comparison().encoding(right)), is_whole=is_whole))
