"""Figure of a tokenizer's first merges: token count of a text by number of merges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bpe_core.arrays import Int64s
from bpe_core.display.figures import (
    HoverLine,
    empty_figure,
    evenly_in_log,
    hover_template,
    log_axis,
    titled_figure,
)
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal
from bpe_core.display.template import line_colours
from bpe_core.language import _, term, translate


class Curve(NamedTuple):
    """Token counts of a text under none of a tokenizer's merges, under the first, …, under all.

    >>> import numpy as np
    >>> Curve("mine", np.array([12, 9, 6])).name
    'mine'
    """

    name: str
    counts: Int64s


def first_merges_figure(curves: Sequence[Curve], size: int, theme: str) -> Figure:
    """Token count of a text over the number of merges, on a log axis, one curve per tokenizer.

    `size`: bytes of the text. A tokenizer without merges is not drawn.

    >>> import numpy as np
    >>> figure = first_merges_figure([Curve("mine", np.array([12, 9, 6]))], 12, "light")
    >>> figure.data[0].x, figure.data[0].y, figure.data[0].customdata[1]
    ((1, 2), (9, 6), ['mine', 2, 6, 2.0, 0.5, 0.0])
    """
    title, x, y = _("Tokens of the text with the first merges only"), _("merges"), translate(term("number", "tokens"))
    drawn = [curve for curve in curves if len(curve.counts) > 1]
    if not drawn:
        return empty_figure(theme, title, _("This vocabulary has no merges."), x, y)
    if not any(curve.counts[0] for curve in drawn):
        return empty_figure(theme, title, _("The text has no tokens."), x, y)
    figure = titled_figure(theme, title, " · ".join(map(_ends, drawn)), x, y)
    colours = line_colours(theme)
    for at, curve in enumerate(drawn):
        numbers = evenly_in_log(len(curve.counts) - 1) + 1
        counts: list[int] = curve.counts[numbers].tolist()
        first, last = int(curve.counts[0]), int(curve.counts[-1])
        saved = max(first - last, 1)
        name = literal(curve.name)
        figure.add_scatter(
            x=numbers.tolist(),
            y=counts,
            name=name,
            mode="lines" if len(numbers) > 60 else "lines+markers",
            line_color=colours[at % len(colours)],
            customdata=[
                [name, number, count, size / count if count else 0.0, 1 - count / first, (count - last) / saved]
                for number, count in zip(numbers.tolist(), counts, strict=True)
            ],
            hovertemplate=hover_template(
                HoverLine(""),
                HoverLine(_("Merges"), ",d"),
                HoverLine(translate(term("number", "Tokens")), ",d"),
                HoverLine(_("Bytes/token"), ".3f"),
                HoverLine(_("Saved"), ".1%"),
                HoverLine(_("Share of all savings still to come"), ".1%"),
            ),
        )
    most = max(len(curve.counts) - 1 for curve in drawn)
    figure.update_layout(
        showlegend=len(drawn) > 1,
        xaxis=log_axis(1, most),
        yaxis={"tickformat": ",~r", "rangemode": "tozero"},
        hovermode="closest",
    )
    return figure


def _ends(curve: Curve) -> str:
    return _(
        "{name}: {first:,} tokens before the first merge, {last:,} after all {merges:,}",
        name=literal(curve.name),
        first=int(curve.counts[0]),
        last=int(curve.counts[-1]),
        merges=len(curve.counts) - 1,
    )
