"""Template of all figures: backgrounds, inks, fonts, grid and margins, for the themes of pictures."""

from __future__ import annotations

from functools import cache
from typing import Any

from bpe_core.display.library import graph_objects
from bpe_core.drawing.spans import MONO, SANS
from bpe_core.drawing.themes import CHART, THEMES, Theme, legible, mixed

_CONTRAST, _STRONG_CONTRAST = 3.0, 4.5
"""Minimum contrast of lines and markers with the background; the second is for projectors and printers."""
_SIZE, _STRONG_SIZE = 14, 18
"""Font sizes in px; the second is for projectors."""


@cache
def line_colours(theme: str) -> tuple[str, ...]:
    """Colours of lines and markers on the background of a theme.

    >>> line_colours("light")[:2], line_colours("dark")[:2]
    (('#3b82f6', '#bc8406'), ('#3b82f6', '#e69f00'))
    """
    least = _STRONG_CONTRAST if is_strong(theme) or theme == "print" else _CONTRAST
    return tuple(legible(colour, THEMES[theme], least) for colour in CHART)


@cache
def quiet_colour(theme: str) -> str:
    """Colour of secondary bars.

    >>> quiet_colour("light")
    '#8c9398'
    """
    colours = THEMES[theme]
    return legible(mixed(colours.pale, colours.ground, 0.7), colours, _CONTRAST)


def is_strong(theme: str) -> bool:
    """Whether a theme is for projectors: larger type, thicker lines.

    >>> is_strong("dark-strong"), is_strong("print")
    (True, False)
    """
    return theme.endswith("-strong")


def chart_template(theme: str) -> Any:
    """Plotly's layout.Template for a theme.

    >>> chart_template("print").layout.paper_bgcolor
    '#ffffff'
    """
    colours = THEMES[theme]
    size = _STRONG_SIZE if is_strong(theme) else _SIZE
    lines = line_colours(theme)
    axis = _axis(colours, size)
    quiet = {"color": colours.pale, "size": size}
    layout = {
        "paper_bgcolor": colours.ground,
        "plot_bgcolor": colours.ground,
        "colorway": lines,
        "font": {"family": SANS, "size": size, "color": colours.ink},
        "title": {
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "pad": {"l": 24, "t": 8},
            "font": {"size": round(1.3 * size), "color": colours.ink},
            "subtitle": {"font": quiet},
        },
        "margin": {"l": 24, "r": 24, "t": 5 * size + 24, "b": 24},
        "separators": ".,",
        "xaxis": axis,
        "yaxis": axis,
        "hovermode": "closest",
        "hoverlabel": {
            "align": "left",
            "bgcolor": colours.ground,
            "bordercolor": colours.pale,
            "font": {"family": MONO, "size": size, "color": colours.ink},
            "namelength": -1,
        },
        "legend": {"x": 1, "xanchor": "right", "y": 1, "yanchor": "top", "bgcolor": colours.ground},
        "annotationdefaults": {"font": quiet, "showarrow": False},
        "colorscale": {"sequential": sequential(theme)},
    }
    width = 3 if is_strong(theme) else 2
    traces = {"scatter": [{"line": {"width": width}, "marker": {"size": 4 + width}}]}
    return graph_objects().layout.Template(layout=layout, data=traces)


def sequential(theme: str) -> list[list[Any]]:
    """Colour scale of a theme, from near its background to its first line colour.

    >>> sequential("print")[1]
    [1.0, '#3572d5']
    """
    accent = line_colours(theme)[0]
    return [[0.0, mixed(accent, THEMES[theme].ground, 0.08)], [1.0, accent]]


def soft_sequential(theme: str) -> list[list[Any]]:
    """Colour scale for areas with text: the theme's ink is legible on all of it.

    >>> soft_sequential("print")[1]
    [1.0, '#729ce2']
    """
    (low, pale), (high, full) = sequential(theme)
    return [[low, pale], [high, mixed(full, THEMES[theme].ground, 0.7)]]


def figure_colours(theme: str) -> list[str]:
    """Every colour that a figure of a theme can contain, in the same order for all themes.

    Used to recolour a figure: each colour is replaced by the other theme's colour at the same index.

    >>> figure_colours("light")[:2], len(figure_colours("light")) == len(figure_colours("dark-strong"))
    (['#16191d', '#5d666e'], True)
    """
    colours = THEMES[theme]
    axis = _axis(colours, _SIZE)
    return [
        colours.ink,
        colours.pale,
        axis["gridcolor"],
        axis["linecolor"],
        sequential(theme)[0][1],
        soft_sequential(theme)[1][1],
        *line_colours(theme),
        quiet_colour(theme),
        colours.ground,
    ]


def _axis(colours: Theme, size: int) -> dict[str, Any]:
    return {
        "automargin": True,
        "gridcolor": mixed(colours.ink, colours.ground, 0.12),
        "linecolor": mixed(colours.ink, colours.ground, 0.45),
        "showline": True,
        "ticks": "outside",
        "tickcolor": mixed(colours.ink, colours.ground, 0.45),
        "tickfont": {"color": colours.pale, "size": size},
        "title": {"font": {"color": colours.pale, "size": size}, "standoff": 12},
        "zeroline": False,
    }
