"""Figure of context windows: how much of each a text fills under several tokenizers."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.display.figures import HoverLine, hover_template, titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal
from bpe_core.display.template import line_colours
from bpe_core.language import _, term, translate

_ROW, _FRAME = 15, 110
"""Heights in px: a bar, and everything around the bars."""


def windows_figure(names: Sequence[str], tokens: Sequence[int], windows: Sequence[int], theme: str) -> Figure:
    """Bars of the share of each context window that a text fills, one per tokenizer; striped if it does not fit.

    `tokens`: token counts of the text under the tokenizers of these names. `windows`: sizes in tokens.

    >>> figure = windows_figure(["a"], [300], [200, 600], "light")
    >>> figure.data[0].x, figure.data[0].y, figure.data[0].customdata[1][3]
    ((50.0, 100.0), ('600', '200'), 'does not fit: 100 too many')
    """
    figure = titled_figure(theme, _("Context windows"), "", _("filled, in percent"), _("tokens in the window"))
    colours = line_colours(theme)
    largest_first = sorted(windows, reverse=True)  # the legend is drawn as the first bar, which should not be striped
    for number, (name, count) in enumerate(zip(names, tokens, strict=True)):
        figure.add_bar(
            orientation="h",
            name=literal(name),
            x=[min(100 * count / window, 100.0) for window in largest_first],
            y=[f"{window:,}" for window in largest_first],
            marker={
                "color": colours[number % len(colours)],
                "pattern": {"shape": ["/" if count > window else "" for window in largest_first]},
            },
            customdata=[[literal(name), count, 100 * count / window, _fit(count, window)] for window in largest_first],
            hovertemplate=hover_template(
                HoverLine(""),
                HoverLine(translate(term("number", "Tokens")), ",d"),
                HoverLine(_("Percent"), ".1f"),
                HoverLine(_("Window")),
            ),
        )
    figure.update_xaxes(range=[0, 101])
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=[f"{window:,}" for window in sorted(windows)],
        autorange="reversed",
    )
    height = _FRAME + len(windows) * (_ROW * max(len(names), 2) + 12)
    figure.update_layout(barmode="group", height=height, showlegend=len(names) > 1)
    return figure


def _fit(count: int, window: int) -> str:
    if count <= window:
        return _("{count:,} tokens left", count=window - count)
    return _("does not fit: {count:,} too many", count=count - window)
