"""Shared code of all figures: template, titles, axes, hover text, selection of points, and the empty state."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, isfinite
from typing import Any, NamedTuple

import numpy as np

from bpe_core.arrays import Int64s
from bpe_core.display.library import Figure, graph_objects
from bpe_core.display.template import chart_template

MOST_POINTS = 2_000
"""Maximum points of a curve: more than one per pixel."""


class HoverLine(NamedTuple):
    """Line of a hover text: the label of a value in customdata, and its d3 format ("" for text).

    >>> HoverLine("Count", ",d").form
    ',d'
    """

    label: str
    form: str = ""


def hover_template(*lines: HoverLine) -> str:
    """Hover template for points whose customdata has one value per line; a line without a label is bold.

    Labels come from the catalogues, never from users: user text belongs in customdata, escaped.

    >>> hover_template(HoverLine(""), HoverLine("Count", ",d"))
    '<b>%{customdata[0]}</b><br>Count: %{customdata[1]:,d}<extra></extra>'
    """
    written = []
    for at, (label, form) in enumerate(lines):
        value = f"%{{customdata[{at}]{form and ':'}{form}}}"
        written.append(f"{label}: {value}" if label else f"<b>{value}</b>")
    return "<br>".join(written) + "<extra></extra>"


def titled_figure(theme: str, title: str, subtitle: str, x: str, y: str) -> Figure:
    """Figure without traces, in the template of a theme. `x`, `y`: titles of its axes.

    >>> titled_figure("dark", "Tokens", "", "merges", "tokens").layout.yaxis.title.text
    'tokens'
    """
    figure = graph_objects().Figure(layout={"template": chart_template(theme)})
    figure.update_layout(title_text=title, xaxis_title_text=x, yaxis_title_text=y, showlegend=False)
    if subtitle:
        figure.update_layout(title_subtitle_text=subtitle)
    return figure


def empty_figure(theme: str, title: str, reason: str, x: str, y: str) -> Figure:
    """Empty figure: axes, and the reason why nothing is drawn.

    >>> empty_figure("light", "Merges", "There are no merges.", "merges", "count").layout.annotations[0].text
    'There are no merges.'
    """
    figure = titled_figure(theme, title, "", x, y)
    figure.update_xaxes(range=[0, 1], showticklabels=False, showgrid=False, ticks="")
    figure.update_yaxes(range=[0, 1], showticklabels=False, showgrid=False, ticks="")
    figure.add_annotation(text=reason, x=0.5, y=0.5, xref="paper", yref="paper")
    return figure


def evenly(count: int, most: int = MOST_POINTS) -> Int64s:
    """Indices of at most `most` of `count` points, evenly spaced, including the first and the last.

    >>> evenly(5).tolist(), evenly(1_001, 3).tolist(), evenly(0).tolist()
    ([0, 1, 2, 3, 4], [0, 500, 1000], [])
    """
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))


def evenly_in_log(count: int, most: int = MOST_POINTS) -> Int64s:
    """As `evenly`, but evenly spaced on a log axis with the first point at 1.

    >>> evenly_in_log(5).tolist(), evenly_in_log(1_000, 4).tolist()
    ([0, 1, 2, 3, 4], [0, 9, 99, 999])
    """
    if count <= most:
        return np.arange(count)
    return np.unique(np.geomspace(1, count, most).round().astype(np.int64)) - 1


def log_axis(lowest: float, highest: float) -> dict[str, Any]:
    """Log axis between two positive values, with ticks at powers of ten; over a short range, at more digits.

    >>> log_axis(1, 1000)["tickvals"], log_axis(2, 50)["tickvals"], log_axis(37, 37)["tickvals"]
    ([1.0, 10.0, 100.0, 1000.0], [2.0, 5.0, 10.0, 20.0, 50.0], [37])
    """
    low, high = float(np.log10(lowest)), float(np.log10(highest))
    margin = 0.05 * max(high - low, 1)
    digits = (1,) if high - low >= 2 else (1, 2, 5) if high - low >= 1 else range(1, 10)
    powers = range(floor(low), ceil(high) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in digits if lowest <= digit * 10.0**power <= highest]
    return {
        "type": "log",
        "range": [low - margin, high + margin],
        "tickvals": ticks or [lowest],
        "tickformat": ",~r",
    }


def finite(values: Iterable[float]) -> list[float | None]:
    """Numbers for a trace, with None (not drawn) for NaN and infinities.

    >>> finite([1.5, float("nan"), float("inf")])
    [1.5, None, None]
    """
    return [value if isfinite(value) else None for value in map(float, values)]
