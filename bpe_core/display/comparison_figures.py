"""Figures of a comparison: token counts, and pairwise agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from bpe_core.display.figures import HoverLine, empty_figure, finite, hover_template, titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal
from bpe_core.display.template import is_strong, line_colours, sequential
from bpe_core.language import _, term, translate

_BAR, _STRONG_BAR, _FRAME = 36, 48, 170
"""Heights in px: a bar, a bar on a projector, and everything around the bars."""
_MOST_WRITTEN = 12
"""Maximum number of tokenizers for which cells show their value."""


Counts: TypeAlias = tuple[str, int, float, float, float]
"""A Row of a comparison: the tokenizer's name, tokens, bytes and characters per token, and tokens per word."""
Shared: TypeAlias = tuple[float, float, float, int, int, int]
"""An Agreement: precision, recall, F1, and the numbers of boundaries: shared, only left, only right."""


def tokens_figure(rows: Sequence[Counts], theme: str) -> Figure:
    """Token counts as bars, in the order of the rows.

    >>> figure = tokens_figure([("a", 4, 1.25, 1.25, 4.0), ("b", 2, 2.5, 2.5, 2.0)], "light")
    >>> figure.data[0].x, figure.layout.yaxis.ticktext
    ((4, 2), ('a', 'b'))
    """
    title, x = _("Tokens of each tokenizer"), translate(term("number", "tokens"))
    if not rows:
        return empty_figure(theme, title, _("No tokenizer is compared."), x, "")
    tokens = [row[1] for row in rows]
    if not any(tokens):
        return empty_figure(theme, title, _("The text has no tokens."), x, "")
    figure = titled_figure(theme, title, "", x, "")
    names = [literal(row[0]) for row in rows]
    figure.add_bar(
        x=tokens,
        y=list(range(len(names))),
        orientation="h",
        width=0.7,
        marker_color=line_colours(theme)[0],
        text=[f"{count:,}" for count in tokens],
        textposition="outside",
        cliponaxis=False,
        customdata=[[name, row[1], *finite(row[2:])] for name, row in zip(names, rows, strict=True)],
        hovertemplate=hover_template(
            HoverLine(""),
            HoverLine(translate(term("number", "Tokens")), ",d"),
            HoverLine(_("Bytes/token"), ".3f"),
            HoverLine(_("Characters/token"), ".3f"),
            HoverLine(_("Tokens/word"), ".3f"),
        ),
    )
    bar = _STRONG_BAR if is_strong(theme) else _BAR
    figure.update_layout(
        height=_FRAME + bar * len(names),
        xaxis={"tickformat": ",~r", "range": [0, 1.12 * max(tokens)]},
        yaxis={**_named(names), "showgrid": False, "ticks": "", "range": [len(names) - 0.5, -0.5]},
    )
    return figure


def agreement_figure(names: Sequence[str], agreements: Mapping[tuple[str, str], Shared], theme: str) -> Figure:
    """Pairwise boundary F1 as a heat map. `agreements`: by (left name, right name).

    >>> shared = {("a", "b"): (1.0, 0.33, 0.5, 1, 2, 0), ("b", "a"): (0.33, 1.0, 0.5, 1, 0, 2)}
    >>> agreement_figure(["a", "b"], shared, "light").data[0].z
    ([None, 0.5], [0.5, None])
    """
    title = _("Pairwise agreement of the tokenizers")
    if len(names) < 2:
        return empty_figure(theme, title, _("An agreement takes two tokenizers."), "", "")
    subtitle = _("F1 of the token boundaries: 1 where all are shared")
    figure = titled_figure(theme, title, subtitle, _("compared"), _("reference"))
    places = {name: place for place, name in enumerate(names)}
    shown = [literal(name) for name in names]
    scores: list[list[float | None]] = [[None] * len(names) for _name in names]
    custom: list[list[list[Any]]] = [[[left, right, *[None] * 6] for right in shown] for left in shown]
    for (left, right), (precision, recall, f1, *counts) in agreements.items():
        row, column = places[left], places[right]
        shares = finite([f1, precision, recall])
        scores[row][column] = shares[0]
        custom[row][column][2:] = [*shares, *counts]
    figure.add_heatmap(
        z=scores,
        colorscale=sequential(theme),
        zmin=0,
        zmax=1,
        xgap=2,
        ygap=2,
        hoverongaps=False,
        customdata=custom,
        texttemplate="%{z:.2f}" if len(names) <= _MOST_WRITTEN else "",
        colorbar={"title": {"text": "F1"}, "tickformat": ".1f"},
        hovertemplate=hover_template(
            HoverLine(_("Reference")),
            HoverLine(_("Compared")),
            HoverLine("F1", ".3f"),
            HoverLine(_("Precision"), ".3f"),
            HoverLine(_("Recall"), ".3f"),
            HoverLine(_("Shared boundaries"), ",d"),
            HoverLine(_("Only of the reference"), ",d"),
            HoverLine(_("Only of the compared one"), ",d"),
        ),
    )
    figure.update_layout(
        height=_FRAME + 120 + _BAR * len(names),
        xaxis=_named(shown) | {"showgrid": False},
        yaxis=_named(shown) | {"showgrid": False, "autorange": "reversed"},
    )
    return figure


def _named(names: list[str]) -> dict[str, object]:
    """Axis of names, placed at numbers because Plotly would read names such as "1" or "2026-01-01" as values."""
    return {"type": "linear", "tickvals": list(range(len(names))), "ticktext": names}
