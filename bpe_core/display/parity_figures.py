"""Figure of a parity-aware training: tokens of each language over the merges, compared with the standard training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.arrays import Int64s
from bpe_core.display.figures import evenly, titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _, term, translate

_WIDE, _NARROW = 4, 3
"""Panels in a row, and in a row of a narrow card."""

_PANEL, _AROUND = 156, 96
"""Heights in px: of a row of panels, and of everything around them."""

_MOST_POINTS = 64
_GAP_X, _GAP_Y = 0.035, 0.3
"""Space between panels, of the whole width; and above each for its title, of its height."""


def parity_figure(languages: Sequence[str], tokens: Mapping[str, Int64s], step: int, theme: str) -> Figure:
    """A small panel for each language: its tokens over the merges of every training, and a line at `step`.

    tokens: by the name of a training, int64[merges + 1, languages]; the first one is dashed. A panel's title has the
    last counts of all trainings, except in a narrow card.

    >>> import numpy as np
    >>> counts = {"usual": np.array([[9, 9], [6, 9]]), "fair": np.array([[9, 9], [9, 6]])}
    >>> figure = parity_figure(["en", "el"], counts, 1, "light")
    >>> [trace.y for trace in figure.data], figure.layout.annotations[1].text
    ([(9, 6), (9, 9), (9, 9), (9, 6)], '<b>el</b>  9 → 6')
    """
    figure = titled_figure(theme, "", "", "", "")
    most = max(int(counts.max(initial=0)) for counts in tokens.values())
    last = max(len(counts) - 1 for counts in tokens.values())
    colours = line_colours(theme)
    hover = f"{_('Merges')}: %{{x:,d}}<br>{translate(term('number', 'Tokens'))}: %{{y:,d}}"
    for number, (name, counts) in enumerate(tokens.items()):
        shown = evenly(len(counts), _MOST_POINTS)
        for panel, language in enumerate(languages):
            values = counts[shown, panel].tolist()
            figure.add_scatter(
                x=shown.tolist(),
                y=values,
                xaxis=f"x{panel + 1}",
                yaxis=f"y{panel + 1}",
                name=literal(name),
                legendgroup=name,
                showlegend=panel == 0,
                mode="lines",
                line={"color": colours[1 - number], "width": 2.5, "dash": "dot" if number == 0 else "solid"},
                meta=[_("merges"), f"{literal(language)}: {translate(term('number', 'tokens'))}"],
                hovertemplate=f"<b>{literal(language)}</b><br>{literal(name)}<br>{hover}<extra></extra>",
            )
    wide, narrow = (_layout(languages, tokens, step, last, most, theme, columns) for columns in (_WIDE, _NARROW))
    figure.update_layout(**wide, showlegend=True, meta={"narrow": {"layout": narrow}})
    return figure


def _layout(
    languages: Sequence[str], tokens: Mapping[str, Int64s], step: int, last: int, most: int, theme: str, columns: int
) -> dict[str, Any]:
    """Axes, titles and the line at the step, in rows of `columns` panels."""
    rows = -(-len(languages) // columns)
    width, height = (1 - _GAP_X * (columns - 1)) / columns, 1 / (rows * (1 + _GAP_Y))
    layout: dict[str, Any] = {"height": _AROUND + _PANEL * rows, "annotations": [], "shapes": []}
    for panel, language in enumerate(languages):
        row, column = divmod(panel, columns)
        left, top = column * (width + _GAP_X), 1 - (row * (1 + _GAP_Y) + _GAP_Y) * height
        below = panel + columns >= len(languages)
        number = panel + 1 if panel else ""
        layout[f"xaxis{number}"] = {
            "domain": [left, left + width],
            "anchor": f"y{number}",
            "range": [0, last],
            "nticks": 4,
            "tickformat": ",d",
            "showticklabels": below,
            "title": {"text": _("merges") if below and column == 0 else ""},
        }
        layout[f"yaxis{number}"] = {
            "domain": [max(0.0, top - height), top],
            "anchor": f"x{number}",
            "range": [0, 1.04 * most],
            "nticks": 4,
            "tickformat": ",d",
            "showticklabels": column == 0,
            "title": {"text": translate(term("number", "tokens")) if column == 0 and row == 0 else ""},
        }
        ends = "  " + " → ".join(f"{int(counts[-1, panel]):,}" for counts in tokens.values())
        layout["annotations"].append(
            {
                "text": f"<b>{literal(language)}</b>{ends if columns == _WIDE else ''}",
                "x": left,
                "y": top,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
            }
        )
        layout["shapes"].append(
            {
                "type": "line",
                "x0": step,
                "x1": step,
                "y0": 0,
                "y1": 1.04 * most,
                "xref": f"x{number}",
                "yref": f"y{number}",
                "line": {"color": THEMES[theme].pale, "width": 1.5},
            }
        )
    return layout
