"""Figure of two tokenizers line by line: token counts of each line of a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core.arrays import Int64s
from bpe_core.display.figures import (
    MOST_POINTS,
    HoverLine,
    empty_figure,
    hover_template,
    titled_figure,
)
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _

_LONGEST_LINE = 60


def lines_figure(names: Sequence[str], counts: Sequence[Int64s], lines: Sequence[str], theme: str) -> Figure:
    """Token counts of each line under two tokenizers as points; equal counts lie on the dashed diagonal.

    `names`, `counts`: of the two tokenizers, the first one along x. If there are more than 2,000 lines, those whose
    counts differ most are drawn. The first customdata of each point of the last trace is its line number, from 1.

    >>> import numpy as np
    >>> figure = lines_figure(["a", "b"], [np.array([2, 5]), np.array([2, 3])], ["low", "lower"], "light")
    >>> figure.data[1].x, figure.data[1].y, figure.data[1].customdata[0]
    ((5, 2), (3, 2), [2, 5, 3, -2, 'lower'])
    """
    title = _("Tokens of each line")
    x, y = (_("tokens of {name}", name=literal(name)) for name in names)
    filled = np.flatnonzero((counts[0] > 0) | (counts[1] > 0))
    if not len(filled):
        return empty_figure(theme, title, _("The text has no tokens."), x, y)
    first, second = (each[filled] for each in counts)
    order = np.argsort(-np.abs(second - first), kind="stable")[:MOST_POINTS]
    shown = filled[order].tolist()
    above, below = int((second > first).sum()), int((second < first).sum())
    figure = titled_figure(theme, title, _subtitle(names, above, below, len(shown), len(filled)), x, y)
    most = int(max(first.max(), second.max()))
    figure.add_scatter(
        x=[0, most],
        y=[0, most],
        mode="lines",
        line={"dash": "dash", "color": THEMES[theme].pale},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=counts[0][shown].tolist(),
        y=counts[1][shown].tolist(),
        mode="markers",
        marker={"color": line_colours(theme)[0], "opacity": 0.6},
        customdata=[
            [at + 1, int(counts[0][at]), int(counts[1][at]), int(counts[1][at] - counts[0][at]), _shown(lines[at])]
            for at in shown
        ],
        hovertemplate=hover_template(
            HoverLine(_("Line"), ",d"),
            HoverLine(_("Tokens along the x axis"), ",d"),
            HoverLine(_("Tokens along the y axis"), ",d"),
            HoverLine(_("Difference"), "+,d"),
            HoverLine(""),
        ),
    )
    axis = {"tickformat": ",~r", "rangemode": "tozero"}
    figure.update_layout(height=480, xaxis=axis, yaxis=axis)
    return figure


def _subtitle(names: Sequence[str], above: int, below: int, shown: int, lines: int) -> str:
    first, second = map(literal, names)
    more = _(
        "Lines with more tokens: {first} {below:,}, {second} {above:,}",
        first=first,
        second=second,
        below=below,
        above=above,
    )
    if shown == lines:
        return more
    return f"{more} · " + _(
        "{shown:,} of {lines:,} lines, those with the largest differences", shown=shown, lines=lines
    )


def _shown(line: str) -> str:
    return literal(line.strip(), _LONGEST_LINE)
