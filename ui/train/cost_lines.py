"""Cost of a vocabulary as a curve, a table and sentences. Pure data.

Curve and table are cached for all sessions, so their texts are messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import NamedTuple

import numpy as np

from bpe_core import Tokenizer, Training, VocabularyCost
from bpe_core.bpe.costs import LITTLE, buys_little, halvings
from bpe_core.bpe.curve_texts import AXES
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import escaped, literal
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import TranslatableMessage, _, joined, message, term, translate
from bpe_core.payloads.chips import Column, Table
from ui.train.curve_lines import step_figure
from ui.views.plot_steps import StepFigures, StepWords
from ui.widgets.display import bytes_words

MOST_POINTS = 400
"""Maximum points: more than one per two pixels of the training's part of the axis."""

_HEIGHT = 226

_BROKEN = (0.5, 0.6)
"""Position of the gap in a broken axis; the training keeps half of the axis even if it has few ids."""

_APART = 0.075
"""Minimum distance between axis labels, as a share of the axis."""

_WIDTH_OF_DIGIT = 0.032
"""Width per digit of an axis label on a phone, its part of the gap included, as a share of the axis."""


@dataclass(frozen=True)
class PublishedCost:
    """Token count of a text under a published vocabulary."""

    name: str
    ids: int
    tokens: int

    @classmethod
    def of(cls, name: str, tokenizer: Tokenizer, text: str) -> PublishedCost:
        """Count the tokens of a text; `name`: title of the tokenizer."""
        return cls(name, tokenizer.vocab_size, len(tokenizer.encode(text)))

    def saved(self, symbols: int) -> float:
        """Share of the training's initial symbols that is saved; it always grows as the number of tokens falls."""
        return 1 - self.tokens / symbols if symbols else 0.0


class MarkedPoint(NamedTuple):
    """Point beside the curve: its share of the width, value, name, line, and tooltip."""

    share: float
    value: float
    name: str
    line: str
    words: str


@dataclass(frozen=True)
class CostCurve:
    """Saved tokens, in percent, over an axis of vocabulary sizes.

    ids: vocabulary size of each step with a point. shares: its position, as a share of the width, ascending. ticks:
    labels of the axis: a share, the ids, the parameters. is_broken: whether the axis is broken. points: points beside
    the curve.
    """

    words: StepWords
    ids: Sequence[int]
    shares: Sequence[float]
    values: Sequence[float]
    ticks: tuple[tuple[float, str, str], ...]
    is_broken: bool
    points: tuple[MarkedPoint, ...]

    def figure(self) -> Figure:
        """Figure of the curve, the points, and the two lines of axis labels."""
        values = [round(value, 3) for value in self.values]
        unit = translate(AXES[self.words.unit])
        figure = step_figure([round(share, 5) for share in self.shares], values, 100, (_("Ids"), unit))
        figure.update_traces(ids=[f"{size:,}" for size in self.ids])
        pale, ink = THEMES["light"].pale, THEMES["light"].ink
        figure.add_scatter(
            x=[round(point.share, 5) for point in self.points],
            y=[point.value for point in self.points],
            ids=[point.name for point in self.points],
            meta=(_("Vocabulary"), unit),
            mode="markers+text",
            marker={"symbol": "diamond", "size": 11, "color": line_colours("light")[4]},
            text=[f"<b>{literal(point.name)}</b><br>{literal(translate(point.line))}" for point in self.points],
            textposition=["bottom center" if point.value > 40 else "top center" for point in self.points],
            textfont_color=ink,
            cliponaxis=False,
            customdata=[escaped(translate(point.words)) for point in self.points],
            hovertemplate="%{customdata}<extra></extra>",
            hoverinfo="y",
        )
        figure.update_xaxes(
            range=[0, 1],
            tickvals=[share for share, _first, _second in self.ticks],
            ticktext=[f"{first}<br>{second}" for _share, first, second in self.ticks],
            fixedrange=True,
        )
        look = {"xref": "paper", "yref": "paper", "showarrow": False}
        ids, parameters = _("ids"), _("parameters")
        lines = {"text": f"{ids}<br>{parameters}", "x": 0, "xanchor": "right", "xshift": -22, "align": "right"}
        figure.add_annotation(**lines, y=0, yanchor="top", yshift=-7, font_color=pale, **look)
        if self.is_broken:
            ground = {"bgcolor": THEMES["light"].ground, "font_color": pale}
            figure.add_annotation(text="<b>//</b>", x=sum(_BROKEN) / 2, y=0, yanchor="middle", **ground, **look)
        figure.update_layout(height=_HEIGHT, margin={"l": 116, "r": 44, "b": 44})
        return figure.update_layout(meta={"narrow": self._narrow(figure)})

    def _narrow(self, figure: Figure) -> dict[str, object]:
        """Replacements on a phone: names only, alternately above and below the points, and the ids that fit."""
        names = [f"<b>{literal(point.name)}</b>" for point in self.points]
        sides = [("bottom center", "top center")[number % 2] for number in range(len(names))]
        ticks: list[tuple[float, str, str]] = []
        for tick in reversed(self.ticks):
            if not ticks or ticks[-1][0] - tick[0] >= _WIDTH_OF_DIGIT * (len(ticks[-1][1]) + len(tick[1])) / 2:
                ticks.append(tick)
        axis = figure.layout.xaxis.to_plotly_json()
        axis |= {"tickvals": [each[0] for each in ticks], "ticktext": [each[1] for each in ticks], "tickangle": 0}
        lines, *signs = (each.to_plotly_json() for each in figure.layout.annotations)
        lines |= {"text": _("ids"), "x": 0.5, "xanchor": "center", "xshift": 0, "yshift": -26}
        return {
            "layout": {
                "margin": {"l": 34, "r": 30, "t": 20, "b": 52},
                "xaxis": axis,
                "annotations": [lines, *(sign | {"yshift": 5} for sign in signs)],
            },
            "data": [{}, {"text": names, "textposition": sides}],
        }


def cost_curve(training: Training, published: Sequence[PublishedCost], width: int) -> StepFigures:
    """Share of tokens saved, over ids and embedding parameters."""
    last, base = len(training.merges), training.first_id
    sizes = np.geomspace(base, base + last, MOST_POINTS).round().astype(int)
    steps: list[int] = np.union1d(sizes - base, [0, last]).tolist()
    place = _Places(base, base + last, [each.ids for each in published])
    symbols = training.token_count(0)
    values = [100 * (1 - training.token_count(step) / symbols) if symbols else 0.0 for step in steps]
    points = tuple(
        MarkedPoint(
            place(each.ids),
            max(0.0, 100 * each.saved(symbols)),
            each.name,
            message("{tokens:,} tokens", tokens=each.tokens),
            _words_of(each, symbols, width),
        )
        for each in published
    )
    caption = (
        message("Each doubling of the vocabulary is equally wide; the axis is broken at //.")
        if place.is_broken
        else message("Each doubling of the vocabulary is equally wide.")
    )
    title = message("Tokens saved by the size of the vocabulary")
    curve = CostCurve(
        StepWords(title, caption, "saved", 1, ids=(base, width)),
        ids=[base + step for step in steps],
        shares=[place(base + step) for step in steps],
        values=values,
        ticks=_names(place, base, base + last, [each.ids for each in published], width),
        is_broken=place.is_broken,
        points=points,
    )
    return StepFigures(steps, (curve,))


def _words_of(cost: PublishedCost, symbols: int, width: int) -> TranslatableMessage:
    """Tooltip of a published vocabulary on the curve."""
    saved = cost.saved(symbols)
    words = {
        "name": cost.name,
        "parameters": parameters_of(cost.ids, width),
        "tokens": cost.tokens,
        "share": abs(saved),
    }
    if saved >= 0:
        return message("{name}: {parameters}: {tokens:,} tokens, {share:.1%} saved", **words)
    return message("{name}: {parameters}: {tokens:,} tokens, {share:.1%} longer than the text in symbols", **words)


def sizes_table(training: Training, width: int) -> Table:
    """Cost and saving of a training's vocabulary at each doubling of its merges."""
    costs = training.sweep()
    per_token = message("Bytes/token") if training.config.unit == "byte" else message("Characters/token")
    return Table(
        Column(message("Merges"), [cost.step for cost in costs], "number"),
        Column(message("Ids"), [cost.vocab_size for cost in costs], "number"),
        Column(message("Parameters"), [cost.vocab_size * width for cost in costs], "number"),
        Column(term("number", "Tokens"), [cost.tokens for cost in costs], "number"),
        Column(message("Saved, %"), [100 * cost.saved for cost in costs], "number", digits=1),
        Column(per_token, [cost.per_token for cost in costs], "number", digits=2),
        Column(message("Used once"), [cost.single_use for cost in costs], "number"),
        Column(message("Unused"), [cost.unused for cost in costs], "number"),
    )


def what_doubling_buys(training: Training, width: int) -> str:
    """Benefit and cost of the last doubling of the vocabulary, and the size at which doublings stop paying off."""
    base = training.first_id
    costs = training.sweep([size - base for size in halvings(training.vocab_size, base)])
    full, half = costs[-1], costs[-2] if len(costs) > 1 else training.sweep([0])[0]
    gain = 1 - full.tokens / half.tokens if half.tokens else 0.0
    more = (full.vocab_size - half.vocab_size) * width
    bought = message(
        "From {half:,} to {full:,} ids the text gets {share:.1%} shorter, for {parameters:,} parameters more ({size} "
        "at 2 bytes each).",
        half=half.vocab_size,
        full=full.vocab_size,
        share=gain,
        parameters=more,
        size=bytes_words(2 * more),
    )
    return translate(joined(bought, _where_little(costs, base)))


def _where_little(costs: Sequence[VocabularyCost], base: int) -> str:
    little = buys_little(costs, base=base)
    if not little:
        return ""
    return message(
        "From {ids:,} ids on, each doubling saves less than {share:.0%}: it buys little.", ids=little, share=LITTLE
    )


def what_published_ones_take(published: Sequence[PublishedCost]) -> str:
    """Difference between the largest and the smallest published vocabulary on this text; "" for fewer than two."""
    if len(published) < 2:
        return ""
    few, many = min(published, key=lambda each: each.ids), max(published, key=lambda each: each.ids)
    if not few.tokens:
        return ""
    share = 1 - many.tokens / few.tokens
    words = {"larger": many.name, "factor": many.ids / few.ids, "smaller": few.name, "share": abs(share)}
    if not share:
        return _(
            "Published: {larger} has {factor:.1f} times the ids of {smaller} and takes as many tokens here.", **words
        )
    if share > 0:
        return _(
            "Published: {larger} has {factor:.1f} times the ids of {smaller} and takes {share:.1%} fewer tokens here.",
            **words,
        )
    return _(
        "Published: {larger} has {factor:.1f} times the ids of {smaller} and takes {share:.1%} more tokens here.",
        **words,
    )


def parameters_of(ids: int, width: int) -> TranslatableMessage:
    """Size of the embeddings as a formula.

    >>> parameters_of(50_257, 768)
    '50,257 ids × 768 = 38,597,376 parameters'
    """
    return message("{ids:,} ids × {width:,} = {parameters:,} parameters", ids=ids, width=width, parameters=ids * width)


def short(number: int) -> str:
    """Abbreviate a large number to about three digits.

    >>> short(999), short(196_608), short(38_597_376), short(13_107_200_000)
    ('999', '197 K', '38.6 M', '13.1 B')
    """
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if number >= size:
            return f"{number / size:.0f} {letter}" if letter == "K" else f"{number / size:.1f} {letter}"
    return str(number)


class _Places:
    """Positions of id counts on the axis, as shares: logarithmic on each side of a gap."""

    def __init__(self, first: int, last: int, published: Sequence[int]) -> None:
        self.is_broken = bool(published) and 4 * last < min(published)
        largest = max(last, *published) * 1.12 if published else last
        self._parts: list[tuple[float, float, float, float]] = [(first, largest, 0.0, 1.0)]
        if self.is_broken:
            self._parts = [(first, last, 0.0, _BROKEN[0]), (min(published) / 1.5, largest, _BROKEN[1], 1.0)]

    def __call__(self, ids: int) -> float:
        first, last, begin, end = next((part for part in self._parts if ids <= part[1]), self._parts[-1])
        return begin + (end - begin) * (log2(ids / first) / log2(last / first) if last > first else 0.0)


def _names(
    place: _Places, first: int, last: int, published: Sequence[int], width: int
) -> tuple[tuple[float, str, str], ...]:
    """Axis labels, added in order of importance as long as they fit."""
    doubled = [1 << power for power in range(last.bit_length(), 0, -1) if first < 1 << power < last]
    kept: list[int] = []
    for size in (*published, last, first, *doubled):
        if all(abs(place(size) - place(other)) >= _APART for other in kept):
            kept.append(size)
    return tuple((round(place(size), 5), f"{size:,}", short(size * width)) for size in sorted(kept))
