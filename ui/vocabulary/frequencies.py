"""Token frequency by rank in the training text, on log axes, with Zipf's law."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from bpe_core.display.vocabulary_figures import ranks_figure
from bpe_core.language import _
from ui.session import vocabulary as state
from ui.views.plot import plot_view
from ui.vocabulary.vocabulary import Vocabulary
from ui.widgets.figures import token_chips
from ui.widgets.panels import show_panel

if TYPE_CHECKING:
    import plotly.graph_objects as go


def show_frequencies(vocabulary: Vocabulary) -> None:
    """Draw the expander with the chart, computed only when open. A click on a point opens its token."""
    title = _("How often tokens are used, by rank")
    show_panel(title, "show_chart", state.FREQUENCIES_OPEN, partial(_show_ranks, vocabulary), card="frequencies")


def _show_ranks(vocabulary: Vocabulary) -> None:
    figure = ranks_figure(vocabulary.facts.ids, vocabulary.uses, vocabulary.tokenizer.token_bytes, "light")
    plot_view(
        figure,
        key="frequencies chart",
        label=_("Tokens of the text by frequency"),
        chips=token_chips(figure, vocabulary.tokenizer),
        on_pick=partial(_open, figure),
    )
    st.caption(_("Click a point to open its token. Zipf's law: half as often at twice the rank."))


def _open(figure: go.Figure, trace: int, point: int) -> None:
    """Open the token of a point; no-op for points of Zipf's law."""
    if figure.data[trace].customdata is not None:
        _token, token_id, *_figures = figure.data[trace].customdata[point]
        state.TOKEN.set(token_id)
