"""Plotly figures from the core's data. No widgets; a user's text goes in escaped, since plotly reads tags in labels."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from bpe_core import Candidate
from ui.compare.parallel import Parallel
from ui.train.lines import Line

# Each at least 3 to 1 against the cards of both themes, and apart for colour-blind eyes. Text and grid are the theme's.
ACCENT = "#5b74f5"
TIED = "#c9760f"
REST = "#8b949d"

CURVE_HEIGHT = 180
CURVE_MARGIN = {"l": 62, "r": 14, "t": 10, "b": 26}
COUNTS_HEIGHT = 300
COUNTS_SHOWN = 40
_COUNTS_MARGIN = {"l": 48, "r": 10, "t": 6, "b": 24}

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


def curve(line: Line) -> go.Figure:
    """A line over the steps, and a dashed one for the training by the rule.

    The line's points can be selected, from anywhere above or below them. Its margins and ranges are fixed, so that
    `curve_place` knows where a step stands.
    """
    fmt = f",.{line.digits}f"
    unseen = {"marker": {"opacity": 0}}
    rule = {
        "type": "scatter",
        "x": line.other_steps,
        "y": line.other,
        "mode": "lines",
        "line": {"color": REST, "width": 2, "dash": "5px 4px"},
        "hoverinfo": "skip",
    }
    here = {
        "type": "scatter",
        "x": line.steps,
        "y": line.values,
        "mode": "lines+markers",  # plotly selects markers only
        "line": {"color": ACCENT, "width": 2.5},
        "marker": {"color": ACCENT, "size": 8, "opacity": 0},
        "selected": unseen,
        "unselected": unseen,
        "cliponaxis": False,
        "hovertemplate": f"Merge %{{x:,d}}: %{{y:{fmt}}} {line.unit}<extra></extra>",
    }
    steps = {"range": [0, line.last], "nticks": 6, "dtick": 1 if line.last <= 5 else None}
    ones = line.digits == 0 and line.most < 5
    values = {"range": [0, _top(line.most)], "tickformat": fmt, "nticks": 4, "dtick": 1 if ones else None}
    return _figure([rule, here], CURVE_HEIGHT, CURVE_MARGIN, steps, values)


def curve_place(line: Line, step: int, value: float) -> tuple[float, float]:
    """Where a step stands in its curve: shares of the plot's width and height, from its left and its top edge."""
    return step / max(1, line.last), 1 - value / _top(line.most)


def curve_plot() -> tuple[float, float, float, float]:
    """A curve's plot in its chart: the margins on the left, the right and the top, and its height; pixels."""
    left, right, top, bottom = (CURVE_MARGIN[side] for side in "lrtb")
    return left, right, top, CURVE_HEIGHT - top - bottom


def counts(candidates: Sequence[Candidate], names: Sequence[tuple[str, str]], *, decided: bool) -> go.Figure:
    """Bars of the counts of the first candidates, in the rule's order; names: what each pair's tokens are called.

    decided: whether the rule takes one of them, so that there is a next one and pairs that are tied with it.
    """
    shown = candidates[:COUNTS_SHOWN]
    looks = [_look(candidate, decided) for candidate in shown]
    bars = {
        "type": "bar",
        "x": list(range(1, len(shown) + 1)),
        "y": [candidate.count for candidate in shown],
        "marker": {"color": [colour for colour, _ in looks], "line": {"width": 0}},
        "customdata": [
            f"{html.escape(left, quote=False)} + {html.escape(right, quote=False)}: {candidate.count:,}{words}"
            for candidate, (left, right), (_, words) in zip(shown, names, looks, strict=False)
        ],
        "hovertemplate": "%{customdata}<extra></extra>",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    most = max((candidate.count for candidate in shown), default=1)
    places = {"range": [0.4, COUNTS_SHOWN + 0.6], "tickvals": [1, 10, 20, 30, 40], "showgrid": False}
    heights = {"range": [0, _top(most)], "tickformat": ",d", "nticks": 3, "dtick": 1 if most < 3 else None}
    return _figure([bars], COUNTS_HEIGHT, _COUNTS_MARGIN, places, heights)


def fertility(rows: Sequence[Parallel], by: str, title: str) -> go.Figure:
    """A row a language, a mark a tokenizer; languages with the fewest tokens on top. `by`: see Parallel.value.

    A mark is hollow where some of the text became unknown tokens.
    """
    names = list(dict.fromkeys(row.tokenizer for row in rows))
    values = {(row.language, row.tokenizer): row.value(by) for row in rows}
    unknown = {(row.language, row.tokenizer) for row in rows if row.unknown}
    known = {
        language: [value for name in names if (value := values[language, name]) is not None]
        for language in dict.fromkeys(row.language for row in rows)
    }
    # what is not shown stands last
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
        "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 14}},
        "xaxis": {"title": {"text": title}, "rangemode": "tozero", "fixedrange": True, "side": "bottom"},
        "yaxis": {
            "categoryorder": "array",
            "categoryarray": languages,
            "autorange": "reversed",
            "fixedrange": True,
            "tickfont": {"size": 14},
            "automargin": True,
        },
    }
    return go.Figure({"data": ranges + marks, "layout": layout})


def _edge(hollow: bool, colour: str) -> str:
    return colour if hollow else "rgba(0,0,0,0.4)"


def _look(candidate: Candidate, decided: bool) -> tuple[str, str]:
    """A bar's colour, and the words that say the same."""
    if decided and candidate.chosen:
        return ACCENT, ", the next merge"
    if decided and candidate.tied:
        return TIED, ", tied with the next"
    return REST, ""


def _top(most: float) -> float:
    return 1.04 * max(most, 1e-9)


def _figure(
    traces: list[dict[str, Any]], height: int, margin: dict[str, int], x: dict[str, Any], y: dict[str, Any]
) -> go.Figure:
    """What both have in common: nothing moves, zooms or changes its size, and a click anywhere finds the nearest x.

    Made of dicts in one go and without a template (the page's theme is Streamlit's), which takes a quarter of the time.
    """
    axis = {"fixedrange": True, "automargin": False, "tickfont": {"size": 12}, "tickangle": 0, "zeroline": False}
    layout = {
        "template": {},
        "height": height,
        "margin": margin,
        "showlegend": False,
        "bargap": 0.2,
        "dragmode": False,
        "hovermode": "x",
        "hoverdistance": -1,
        "hoverlabel": {"font": {"size": 14}, "align": "left"},
        "uirevision": "constant",
        "xaxis": {**axis, "tickformat": ",d", "showspikes": False, **x},
        "yaxis": {**axis, **y},
    }
    return go.Figure({"data": traces, "layout": layout})
