"""The chart of fertility: one paragraph in many languages, and what each tokenizer needs for it."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from ui import cache, state
from ui.compare.chosen import Chosen
from ui.compare.counts import vocabularies
from ui.compare.parallel import Parallel
from ui.display import NAMES
from ui.layout import heading

_LOOKS = {
    "Trained": ("#3b82f6", "circle"),
    "GPT-2": ("#e69f00", "square"),
    "cl100k": ("#009e73", "diamond"),
    "o200k": ("#cc79a7", "triangle-up"),
}
"""Colour and shape of each tokenizer's mark, so that neither says it alone."""

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
        rows = cache.fertility(chosen.names, chosen.source, chosen.config, chosen.forks)
        st.plotly_chart(_figure(rows, [NAMES[name] for name in chosen.names], by), config={"displayModeBar": False})
        st.caption(f"{vocabularies(chosen)} Special tokens as plain text.")


def _figure(rows: Sequence[Parallel], names: Sequence[str], by: str) -> go.Figure:
    """A row a language, a mark a tokenizer; languages with the fewest tokens on top."""
    values = {(row.language, row.tokenizer): row.value(by) for row in rows}
    languages = sorted({row.language for row in rows}, key=lambda each: _mean(values, each, names))
    figure = go.Figure()
    for language in languages:
        reached = [value for name in names if (value := values[language, name]) is not None]
        if reached:
            figure.add_scatter(
                x=[min(reached), max(reached)],
                y=[language, language],
                mode="lines",
                line={"color": "rgba(128,128,128,0.35)", "width": 2},
                hoverinfo="skip",
                showlegend=False,
            )
    for name in names:
        colour, symbol = _LOOKS[name]
        figure.add_scatter(
            x=[values[language, name] for language in languages],
            y=languages,
            mode="markers",
            name=name,
            marker={"color": colour, "symbol": symbol, "size": 12, "line": {"width": 1, "color": "rgba(0,0,0,0.4)"}},
            hovertemplate=f"%{{y}}, {name}: %{{x:{',d' if by == 'tokens' else '.2f'}}}<extra></extra>",
        )
    figure.update_layout(
        height=34 * len(languages) + 90,
        margin={"l": 0, "r": 10, "t": 36, "b": 0},
        dragmode=False,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 14}},
    )
    figure.update_xaxes(title=_WAYS[by], rangemode="tozero", fixedrange=True, side="bottom")
    figure.update_yaxes(
        categoryorder="array",
        categoryarray=list(languages),
        autorange="reversed",
        fixedrange=True,
        tickfont={"size": 14},
        automargin=True,
    )
    return figure


def _mean(values: dict[tuple[str, str], float | None], language: str, names: Sequence[str]) -> float:
    """For the order: what the tokenizers need on average; what is not shown stands last."""
    known = [value for name in names if (value := values[language, name]) is not None]
    return sum(known) / len(known) if known else float("inf")
