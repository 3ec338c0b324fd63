"""Figure of many texts: how many of them have how many tokens."""

from __future__ import annotations

from typing import Literal

import numpy as np

from bpe_core.arrays import Int32s
from bpe_core.display.figures import HoverLine, empty_figure, hover_template, titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _

MARKED = (5, 50, 95, 99)
"""Percentiles drawn as lines."""

_MOST_BARS = 60
_TAIL = 99.5
"""Percentile above which all texts share the last bar, if the longest is far from it."""
_FAR = 1.5
_FEW = 8
"""Limit below which each whole number has a tick, with none between them."""


def text_counts_figure(tokens: Int32s, limit: int | None, theme: str) -> Figure:
    """Number of texts by their tokens as bars of one width, with percentiles and a limit as lines.

    The last bar has all longer texts if few are much longer than the others. The last two customdata of a bar are the
    fewest and most tokens of its texts.

    >>> figure = text_counts_figure(np.array([1, 2, 2, 4], np.int32), 3, "light")
    >>> figure.data[0].x, figure.data[0].y, figure.layout.title.subtitle.text
    ((1.0, 2.0, 3.0, 4.0), (1, 2, 0, 1), '4 texts, 2.2 tokens on average · 25.0% have more than 3')
    """
    title, x, y = _("Texts by number of tokens"), _("tokens of a text"), _("number of texts")
    if not len(tokens):
        return empty_figure(theme, title, _("There are no texts."), x, y)
    first, step, counts = text_bars(tokens)
    starts = first + step * np.arange(len(counts))
    ends = np.append(starts[1:] - 1, tokens.max())
    figure = titled_figure(theme, title, _subtitle(tokens, limit), x, y)
    figure.add_bar(
        x=(starts + (step - 1) / 2).tolist(),
        y=counts.tolist(),
        width=0.85 * step,
        marker_color=line_colours(theme)[0],
        customdata=[
            [f"{low:,}" if low == high else f"{low:,}–{high:,}", count, share, low, high]
            for low, high, count, share in zip(
                starts.tolist(), ends.tolist(), counts.tolist(), (counts / len(tokens)).tolist(), strict=True
            )
        ],
        hovertemplate=hover_template(HoverLine(""), HoverLine(_("Texts"), ",d"), HoverLine(_("Share"), ".2%")),
    )
    last = float(starts[-1] + step)
    places: dict[float, list[int]] = {}  # percentiles of equal value share a label
    for percent in MARKED:
        places.setdefault(float(np.percentile(tokens, percent)), []).append(percent)
    for number, (at, percents) in enumerate(places.items()):
        label = _("{percent}%: {tokens:,.0f}", percent=", ".join(map(str, percents)), tokens=at)
        _mark(figure, min(at, last), label, THEMES[theme].pale, low=number % 2 == 1)
    if limit is not None and limit < last:  # beyond the axis the line would be at a wrong number
        side: Literal["left", "right"] = "right" if limit < (first + last) / 2 else "left"
        words = _("{limit:,} tokens", limit=limit)
        _mark(figure, limit + 0.5, words, line_colours(theme)[1], "solid", side=side)
    figure.update_layout(
        xaxis={
            "tickformat": ",~r",
            "range": [float(starts[0]) - step / 2 - 0.5, last],
            "dtick": 1 if last - first < _FEW else None,
        },
        yaxis={
            "tickformat": ",~r",
            "range": [0, 1.3 * float(counts.max())],
            "dtick": 1 if counts.max() < _FEW else None,
        },
    )
    return figure


def text_bars(tokens: Int32s) -> tuple[int, int, Int32s]:
    """First number of tokens, width of a bar, and the number of texts in each; the last bar has all longer texts.

    >>> text_bars(np.array([0, 3, 3], np.int32))[2].tolist()
    [1, 0, 0, 2]
    """
    first, most = int(tokens.min()), int(tokens.max())
    tail = float(np.percentile(tokens, _TAIL))
    shown = most if most <= first + _FAR * (tail - first) else int(tail)
    step = _round_up((shown - first + 1) / _MOST_BARS)
    first = first // step * step
    bars = (shown - first) // step + 1
    counts = np.bincount(np.minimum((tokens - first) // step, bars - 1), minlength=bars)
    return first, step, counts.astype(np.int32)


def _round_up(least: float) -> int:
    """Smallest of 1, 2, 5, 10, 20, 50 … that is not below `least`."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= least:
                return digit * power
        power *= 10


def _mark(
    figure: Figure,
    x: float,
    label: str,
    colour: str,
    dash: str = "dot",
    *,
    low: bool = False,
    side: Literal["left", "right"] = "left",
) -> None:
    """Draw a vertical line with a label next to it, read upwards; `low`: below those of its neighbours."""
    figure.add_vline(x=x, line={"color": colour, "dash": dash, "width": 1.5})
    figure.add_annotation(
        x=x,
        y=0.78 if low else 1,
        yref="paper",
        yanchor="top",
        xanchor="right" if side == "left" else "left",
        text=label,
        textangle=-90,
        showarrow=False,
    )


def _subtitle(tokens: Int32s, limit: int | None) -> str:
    average = _("{texts:,} texts, {mean:,.1f} tokens on average", texts=len(tokens), mean=float(tokens.mean()))
    if limit is None:
        return average
    over = float((tokens > limit).mean())
    return f"{average} · " + _("{share:.1%} have more than {limit:,}", share=over, limit=limit)
