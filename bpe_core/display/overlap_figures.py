"""Figure of vocabulary overlap (an UpSet plot): a bar for each group of vocabularies, and its members below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from bpe_core.display.figures import HoverLine, empty_figure, hover_template, titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal, literal_token
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _, term, translate

MOST_GROUPS = 16
"""Maximum number of groups drawn, largest first."""

Group: TypeAlias = tuple[Sequence[str], int, Sequence[bytes]]
"""A Shared: names of the vocabularies that share tokens, the number of tokens, and examples."""


def overlap_figure(names: Sequence[str], groups: Sequence[Group], theme: str) -> Figure:
    """Number of tokens that exactly these vocabularies have, as bars over a table of dots, in the order of `groups`.

    `names`: all vocabularies, from top to bottom.

    >>> groups = [(("a", "b"), 3, (b" low",)), (("a",), 1, (b"x",))]
    >>> bars, absent, present = overlap_figure(["a", "b"], groups, "light").data
    >>> bars.x, bars.y, bars.customdata[0], (present.x, present.y)
    ((0, 1), (3, 1), ['a + b', 3, 0.75, '·low'], ((0, 0, 1), (0, 1, 0)))
    """
    title, y = _("Tokens that vocabularies share"), translate(term("number", "tokens"))
    total = sum(count for _names, count, _examples in groups)
    if not total:
        reason = _("No tokenizer is compared.") if not names else _("These vocabularies have no tokens.")
        return empty_figure(theme, title, reason, "", y)
    everywhere = next((count for having, count, _examples in groups if len(having) == len(names)), 0)
    figure = titled_figure(theme, title, _subtitle(total, everywhere, len(groups)), "", y)
    shown = groups[:MOST_GROUPS]
    shown_names = [literal(name) for name in names]
    rows = {name: row for row, name in enumerate(names)}
    figure.add_bar(
        x=list(range(len(shown))),
        y=[count for _names, count, _examples in shown],
        marker_color=line_colours(theme)[0],
        text=[f"{count:,}" for _names, count, _examples in shown],
        textposition="outside",
        constraintext="none",
        textangle=0,
        cliponaxis=False,
        customdata=[
            [
                " + ".join(map(literal, having)),
                count,
                count / total,
                " ".join(literal_token(token, 20) for token in examples),
            ]
            for having, count, examples in shown
        ],
        hovertemplate=hover_template(
            HoverLine(""),
            HoverLine(translate(term("number", "Tokens")), ",d"),
            HoverLine(_("Share"), ".2%"),
            HoverLine(_("For example")),
        ),
    )
    present = [(column, rows[name]) for column, (having, *_rest) in enumerate(shown) for name in having]
    absent = [(x, row) for x in range(len(shown)) for row in range(len(names)) if (x, row) not in set(present)]
    for places, colour in ((absent, THEMES[theme].pale), (present, line_colours(theme)[0])):
        figure.add_scatter(
            x=[x for x, _row in places],
            y=[row for _x, row in places],
            yaxis="y2",
            mode="markers",
            hoverinfo="skip",
            marker={"size": 12, "color": colour, "opacity": 0.25 if places is absent else 1},
        )
    _lay_out(figure, shown_names, len(shown), max(count for _names, count, _examples in shown))
    return figure


def _subtitle(total: int, everywhere: int, groups: int) -> str:
    parts = [_("{tokens:,} different tokens, {shared:,} of them in all", tokens=total, shared=everywhere)]
    if groups > MOST_GROUPS:
        parts.append(_("the {shown} largest of {groups} groups", shown=MOST_GROUPS, groups=groups))
    return " · ".join(parts)


def _lay_out(figure: Figure, names: Sequence[str], groups: int, highest: int) -> None:
    table = min(0.6, 0.09 * len(names))
    axis = {"type": "linear", "showgrid": False, "ticks": "", "showline": False}
    figure.update_layout(
        height=400 + 34 * len(names),
        bargap=0.35,
        xaxis=axis | {"anchor": "y2", "range": [-0.6, groups - 0.4], "showticklabels": False},
        yaxis={"domain": [table + 0.04, 1], "tickformat": ",~r", "range": [0, 1.12 * highest]},
        yaxis2=axis
        | {
            "domain": [0, table],
            "tickvals": list(range(len(names))),
            "ticktext": list(names),
            "range": [len(names) - 0.5, -0.5],
        },
    )
