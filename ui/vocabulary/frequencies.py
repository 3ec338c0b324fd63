"""How often the tokens occur in the training text, by rank: a chart on log axes, beside Zipf's law."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core.display.vocabulary_figures import ranks_figure
from bpe_core.language import _
from ui.session import state
from ui.session.items import sent
from ui.vocabulary.vocabulary import Vocabulary

_CHART = "frequencies chart"
_HEIGHT = 400
_LOOK = {
    "margin": {"t": 56},
    "legend": {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.02,
        "yanchor": "bottom",
        "bgcolor": "rgba(0, 0, 0, 0)",
    },
    "hoverlabel": {"bgcolor": "#1f2430", "bordercolor": "#1f2430", "font": {"color": "#ffffff"}},
}
"""What fits both themes: Streamlit gives the rest the colours of the page."""
_CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"filename": "frequencies"},
}


def show_frequencies(vocabulary: Vocabulary) -> None:
    """The expander with the chart, which is drawn when it is open. A click on a point opens its token."""
    title = _("How often tokens are used, by rank")
    with st.expander(title, icon=":material/show_chart:", key=state.FREQUENCIES_OPEN.key, on_change="rerun") as panel:
        if not panel.open:
            return
        figure = ranks_figure(vocabulary.facts.ids, vocabulary.uses, vocabulary.tokenizer.token_bytes, "light")
        figure.update_layout(title=None, height=_HEIGHT, dragmode="zoom", **_LOOK)
        ids: list[int] = []
        if figure.data:
            points = figure.data[-1]
            points.update(selected_marker_size=12, unselected_marker_opacity=1)
            ids = [token_id for _token, token_id, *_figures in points.customdata]
        st.plotly_chart(
            figure, key=_CHART, config=_CONFIG, selection_mode="points", on_select=partial(_open_token, ids)
        )
        st.caption(_("Click a point to open its token. Zipf's law: half as often at twice the rank."))


def _open_token(ids: list[int]) -> None:
    """Open the token of the point that was clicked; a browser can send anything else."""
    match sent(_CHART):
        case {"selection": {"points": [{"point_index": int(at)}, *_]}} if 0 <= at < len(ids):
            state.TOKEN.set(ids[at])
