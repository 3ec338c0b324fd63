"""The figure of fertility. No widgets; names go in escaped, since plotly reads tags in labels."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui.compare.parallel_counts import ParallelCount
from ui.shared.plotly_later import load_plotly

_MARKS = (
    ("#3b82f6", "circle"),
    ("#e69f00", "square"),
    ("#009e73", "diamond"),
    ("#cc79a7", "triangle-up"),
    ("#d55e00", "cross"),
    ("#56b4e9", "star"),
    ("#9a8cff", "triangle-down"),
    ("#c9b400", "hexagon"),
)
"""Colour and shape of each tokenizer's mark, so that neither says it alone."""

_TYPE = {"size": 14}
_XAXIS = {"rangemode": "tozero", "fixedrange": True, "side": "bottom"}


def fertility_figure(rows: Sequence[ParallelCount], by: str, title: str) -> go.Figure:
    """A row a language, a mark a tokenizer; languages with the fewest tokens on top. `by`: see ParallelCount.value.

    A mark is hollow where some of the text became unknown tokens.
    """
    load_plotly()
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    values = {(row.language, row.tokenizer): row.value(by) for row in rows}
    unknown = {(row.language, row.tokenizer) for row in rows if row.unknown}
    known = {
        language: [value for name in names if (value := values[language, name]) is not None]
        for language in dict.fromkeys(row.language for row in rows)
    }
    # what is not shown comes last
    languages = sorted(known, key=lambda each: sum(known[each]) / len(known[each]) if known[each] else float("inf"))
    ranges: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": [min(known[language]), max(known[language])],
            "y": [language, language],
            "mode": "lines",
            "line": {"color": "rgba(128,128,128,0.35)", "width": 2},
            "hoverinfo": "skip",
            "showlegend": False,
        }
        for language in languages
        if known[language]
    ]
    marks = []
    for at, name in enumerate(names):
        colour, symbol = _MARKS[at % len(_MARKS)]
        hollow = [(language, name) in unknown for language in languages]
        line = {"width": [2 if each else 1 for each in hollow], "color": [_edge(each, colour) for each in hollow]}
        symbols = [f"{symbol}-open" if each else symbol for each in hollow]
        shown = html.escape(name, quote=False)
        marks.append(
            {
                "type": "scatter",
                "x": [values[language, name] for language in languages],
                "y": languages,
                "mode": "markers",
                "cliponaxis": False,
                "name": shown,
                "marker": {"color": colour, "symbol": symbols, "size": 12, "line": line},
                "customdata": [shown + ", in part unknown tokens" * each for each in hollow],
                "hovertemplate": f"%{{y}}, %{{customdata}}: %{{x:{',d' if by == 'tokens' else '.2f'}}}<extra></extra>",
            }
        )
    layout = {
        "height": 34 * len(languages) + 90,
        "margin": {"l": 0, "r": 10, "t": 36, "b": 0},
        "dragmode": False,
        "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": _TYPE},
        "xaxis": {"title": {"text": title, "font": _TYPE}, "tickfont": _TYPE} | _XAXIS,
        "yaxis": {
            "categoryorder": "array",
            "categoryarray": languages,
            "autorange": "reversed",
            "fixedrange": True,
            "tickfont": _TYPE,
            "automargin": True,
        },
    }
    return go.Figure({"data": ranges + marks, "layout": layout})


def _edge(hollow: bool, colour: str) -> str:
    return colour if hollow else "rgba(0,0,0,0.4)"
