"""Figures of a training: tokens saved by its merges, pair counts, the cost of each vocabulary size, and candidates for
the next merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int64s
from bpe_core.display.figures import (
    HoverLine,
    empty_figure,
    evenly,
    evenly_in_log,
    hover_template,
    log_axis,
    titled_figure,
)
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal, literal_token
from bpe_core.display.template import line_colours, quiet_colour
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _, term, translate


class MergeData(NamedTuple):
    """Merges of a training.

    rows          left id, right id and count of each merge, by rank
    tokens        bytes of every id, those of merges last
    token_counts  tokens of the training text before any merge, and after each
    units         bytes of the training text; characters, for a character vocabulary
    by_bytes      whether the base symbols are bytes

    >>> data = MergeData(np.array([[0, 1, 4]]), [b"a", b"b", b"ab"], np.array([9, 5]), 9, True)
    >>> data.first_id, data.names([0])
    (2, [['ab', 'a', 'b']])
    """

    rows: npt.NDArray[np.integer[Any]]
    tokens: Sequence[bytes]
    token_counts: Int64s
    units: int
    by_bytes: bool

    @property
    def first_id(self) -> int:
        """Id made by the first merge."""
        return len(self.tokens) - len(self.rows)

    def names(self, ranks: Sequence[int]) -> list[list[str]]:
        """For each of these merges, the new token and its two parts as labels."""
        found = []
        for rank in ranks:
            left, right = self.rows[rank, :2].tolist()
            ids = (self.first_id + rank, left, right)
            found.append([literal_token(self.tokens[token_id]) for token_id in ids])
        return found


def merges_figure(data: MergeData, theme: str) -> Figure:
    """Tokens of the training text after each merge, and below it bytes or characters per token.

    >>> data = MergeData(np.array([[0, 1, 4]]), [b"a", b"b", b"ab"], np.array([9, 5]), 9, True)
    >>> tokens, per_token = merges_figure(data, "light").data
    >>> tokens.x, tokens.y, per_token.y
    ((0, 1), (9, 5), (1.0, 1.8))
    """
    title, x, y = _("Tokens of the training text over the merges"), _("merges"), translate(term("number", "tokens"))
    if not data.token_counts[0]:
        return empty_figure(theme, title, _("The training text is empty."), x, y)
    if not len(data.rows):
        return empty_figure(theme, title, _("This training has no merges."), x, y)
    steps = evenly(len(data.token_counts))
    counts = data.token_counts[steps]
    per_token = (data.units / counts).tolist()
    merged = [["", "", ""], *data.names((steps[1:] - 1).tolist())]
    after = [f"{left} + {right} → {token}" if token else _("before any merge") for token, left, right in merged]
    unit = _("bytes per token") if data.by_bytes else _("characters per token")
    ratio = _("Bytes/token") if data.by_bytes else _("Characters/token")
    custom = [list(row) for row in zip(after, steps.tolist(), counts.tolist(), per_token, strict=True)]
    template = hover_template(
        HoverLine(""),
        HoverLine(_("Merges"), ",d"),
        HoverLine(translate(term("number", "Tokens")), ",d"),
        HoverLine(ratio, ".3f"),
    )
    figure = titled_figure(theme, title, _saving(data), x, y)
    dots = "lines+markers" if len(steps) <= 60 else "lines"
    for name, values, axis, colour in ((y, counts.tolist(), "y", 0), (unit, per_token, "y2", 4)):
        figure.add_scatter(
            x=steps.tolist(),
            y=values,
            yaxis=axis,
            name=name,
            mode=dots,
            customdata=custom,
            hovertemplate=template,
            line_color=line_colours(theme)[colour],
        )
    figure.update_layout(
        height=560,
        xaxis={"anchor": "y2", "tickformat": ",d", "rangemode": "tozero"},
        yaxis={"domain": [0.54, 1], "tickformat": ",~r", "rangemode": "tozero"},
        yaxis2={"domain": [0, 0.46], "tickformat": ",~r", "rangemode": "tozero", "title": {"text": unit}},
    )
    return figure


def counts_figure(data: MergeData, theme: str) -> Figure:
    """Count of each merge's pair, on log axes; merges with the same count as a neighbour are open circles.

    Counts of 0, which forced merges may have, are not drawn.

    >>> rows = np.array([[0, 1, 4], [2, 0, 4], [3, 1, 2]])
    >>> data = MergeData(rows, [b"a", b"b", b"ab", b"aba", b"abab"], np.array([20, 16, 12, 10]), 20, True)
    >>> alone, tied = counts_figure(data, "light").data
    >>> alone.x, alone.y, tied.x, tied.y
    ((3,), (2,), (1, 2), (4, 4))
    """
    title, x, y = _("Count of each merge"), _("merge"), _("occurrences of the pair")
    counts = data.rows[:, 2].astype(np.int64) if len(data.rows) else np.empty(0, np.int64)
    if not len(counts):
        return empty_figure(theme, title, _("This training has no merges."), x, y)
    if not counts.any():
        return empty_figure(theme, title, _("No merge of this training occurs in its text."), x, y)
    same = counts[1:] == counts[:-1]
    tied = np.append(same, False) | np.append(False, same)
    subtitle = _(
        "{tied:,} of {merges:,} have the count of the merge before or after", tied=tied.sum(), merges=len(tied)
    )
    figure = titled_figure(theme, title, subtitle, x, y)
    shown = evenly_in_log(len(counts))
    shown = shown[counts[shown] > 0]
    template = hover_template(
        HoverLine(""), HoverLine(_("Merge"), ",d"), HoverLine(_("Occurrences"), ",d"), HoverLine(_("Id"), "d")
    )
    colours = line_colours(theme)
    markers = (
        (False, _("count of its own"), {"color": colours[0]}),
        (True, _("same count as a neighbour"), {"color": colours[4], "symbol": "circle-open"}),
    )
    for is_tied, name, marker in markers:
        ranks = shown[tied[shown] == is_tied].tolist()
        rows = zip(ranks, data.names(ranks), counts[ranks].tolist(), strict=True)
        figure.add_scatter(
            x=[rank + 1 for rank in ranks],
            y=counts[ranks].tolist(),
            name=name,
            mode="markers",
            marker=marker,
            customdata=[[f"{a} + {b} → {made}", rank + 1, n, data.first_id + rank] for rank, (made, a, b), n in rows],
            hovertemplate=template,
        )
    figure.update_layout(
        showlegend=True,
        xaxis=log_axis(1, len(counts)),
        yaxis=log_axis(int(counts[counts > 0].min()), int(counts.max())),
    )
    return figure


class NextPair(NamedTuple):
    """Candidate pair for the next merge: its two tokens, its count, and whether it wins ("win") or ties ("tie").

    >>> NextPair(b"a", b"b", 4).tone
    ''
    """

    left: bytes
    right: bytes
    times: int
    tone: str = ""

    @property
    def name(self) -> str:
        """The pair as a label.

        >>> NextPair(b" ", b"b", 4).name
        '· + b'
        """
        return f"{literal_token(self.left)} + {literal_token(self.right)}"


def next_pairs_figure(pairs: Sequence[NextPair], places: int, theme: str) -> Figure:
    """Counts of the candidate pairs for the next merge, as bars in the rule's order.

    `places`: number of bars to reserve space for, so that bars have the same width at every step.

    >>> [bars] = next_pairs_figure([NextPair(b"a", b"b", 4, "win"), NextPair(b"b", b"c", 2)], 40, "light").data
    >>> bars.x, bars.y, bars.customdata[0]
    ((1, 2), (4, 2), ['a + b', 4, 'the next merge'])
    """
    title, x, y = _("Pairs that the next merge can take"), "", _("occurrences of the pair")
    figure = titled_figure(theme, title, "", x, y)
    figure.update_xaxes(range=[0.4, places + 0.6], fixedrange=True, tickvals=[1, *range(10, places + 1, 10)])
    figure.update_yaxes(rangemode="tozero", fixedrange=True, tickformat=",d", nticks=5)
    figure.update_layout(bargap=0.25, hovermode="x")
    return figure.add_trace(next_pairs_trace(pairs, theme))


def next_pairs_trace(pairs: Sequence[NextPair], theme: str) -> dict[str, Any]:
    """Bars of `next_pairs_figure` as a Plotly trace, for pages that redraw only the bars at every step.

    >>> next_pairs_trace([NextPair(b"a", b"b", 4)], "light")["y"]
    [4]
    """
    win, tie = line_colours(theme)[:2]
    colours = {"win": win, "tie": tie, "": quiet_colour(theme)}
    meanings = {"win": _("the next merge"), "tie": _("tied with the next"), "": ""}
    return {
        "type": "bar",
        "x": list(range(1, len(pairs) + 1)),
        "y": [pair.times for pair in pairs],
        "marker": {"color": [colours[pair.tone] for pair in pairs], "line": {"width": 0}},
        "customdata": [[pair.name, pair.times, meanings[pair.tone]] for pair in pairs],
        "hovertemplate": hover_template(HoverLine(""), HoverLine(_("Occurrences"), ",d"), HoverLine("")),
    }


class OtherCost(NamedTuple):
    """Cost of the training text under another vocabulary: its name, its number of ids, and the tokens.

    >>> OtherCost("gpt2", 50_257, 1_200).tokens
    1200
    """

    name: str
    ids: int
    tokens: int


def cost_figure(
    sizes: Sequence[Mapping[str, Any]], symbols: int, by_bytes: bool, others: Sequence[OtherCost], theme: str
) -> Figure:
    """Share of the base symbols saved by each vocabulary size, on a log axis of ids.

    `sizes`: fields of a VocabularyCost each, smallest first. `symbols`: tokens before any merge. `others`:
    vocabularies drawn as points, apart from the curve.

    >>> size = {"step": 0, "vocab_size": 256, "tokens": 9, "saved": 0.0, "per_token": 1.0}
    >>> sizes = [size | {"single_use": 3, "unused": 250}]
    >>> cost_figure(sizes, 9, True, [OtherCost("gpt2", 50_257, 6)], "light").data[1].y
    (33.333333333333336,)
    """
    title, x, y = _("Tokens saved by the size of the vocabulary"), _("ids"), _("tokens saved, %")
    if not symbols:
        return empty_figure(theme, title, _("The training text is empty."), x, y)
    figure = titled_figure(theme, title, _("Each doubling of the merges is a point."), x, y)
    names = ("vocab_size", "step", "tokens", "saved", "per_token", "single_use", "unused")
    colours = line_colours(theme)
    figure.add_scatter(
        x=[size["vocab_size"] for size in sizes],
        y=[100 * size["saved"] for size in sizes],
        name=_("this training"),
        mode="lines+markers",
        line_color=colours[0],
        customdata=[[size[name] for name in names] for size in sizes],
        hovertemplate=hover_template(
            HoverLine(_("Ids"), ",d"),
            HoverLine(_("Merges"), ",d"),
            HoverLine(translate(term("number", "Tokens")), ",d"),
            HoverLine(_("Saved"), ".1%"),
            HoverLine(_("Bytes/token") if by_bytes else _("Characters/token"), ".3f"),
            HoverLine(_("Used once"), ",d"),
            HoverLine(_("Unused"), ",d"),
        ),
    )
    if others:
        _add_others(figure, others, symbols, theme)
    ids = [*(size["vocab_size"] for size in sizes), *(other.ids for other in others)]
    doublings = 1 << np.arange(64)
    ticks = [tick for tick in doublings.tolist() if min(ids) <= tick <= max(ids)]
    axis = log_axis(min(ids), max(ids)) | {"tickvals": ticks[:: 1 + len(ticks) // 10] or [min(ids)]}
    figure.update_layout(showlegend=bool(others), xaxis=axis, yaxis={"ticksuffix": " %", "rangemode": "tozero"})
    figure.update_layout(legend={"y": 0, "yanchor": "bottom"})
    return figure


def _add_others(figure: Figure, others: Sequence[OtherCost], symbols: int, theme: str) -> None:
    saved = [1 - other.tokens / symbols for other in others]
    names = [literal(other.name) for other in others]
    rows = zip(names, others, saved, strict=True)
    figure.add_scatter(
        x=[other.ids for other in others],
        y=[100 * share for share in saved],
        name=_("other vocabularies"),
        mode="markers+text",
        text=names,
        textposition="bottom center",
        cliponaxis=False,
        marker={"symbol": "diamond", "size": 10, "color": line_colours(theme)[4]},
        textfont_color=THEMES[theme].pale,
        customdata=[[name, other.ids, other.tokens, share] for name, other, share in rows],
        hovertemplate=hover_template(
            HoverLine(""),
            HoverLine(_("Ids"), ",d"),
            HoverLine(translate(term("number", "Tokens")), ",d"),
            HoverLine(_("Saved"), ".1%"),
        ),
    )


def _saving(data: MergeData) -> str:
    first, last = int(data.token_counts[0]), int(data.token_counts[-1])
    return _(
        "{first:,} tokens before the first merge, {last:,} after the last: {share:.1%} saved",
        first=first,
        last=last,
        share=1 - last / first,
    )
