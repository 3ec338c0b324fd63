"""Curves over the steps of a training: tokens and compression, thinned out for drawing. Pure data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bpe_core import Training
from bpe_core.bpe.curve_texts import AXES, curve_words, parting_steps
from bpe_core.display.figures import titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _, translate
from ui.views.plot_steps import StepFigures, StepWords

MOST_POINTS = 600
"""More than one point per pixel, finer than a click can resolve."""

_HEIGHT = 180
_THEME = "light"


@dataclass(frozen=True)
class Curve:
    """A number over the steps 0 … last.

    most: its largest value, drawn or not. other_steps, other: the same number in the other training, or empty.
    change: step at which merges begin to cross words, or None.
    """

    words: StepWords
    last: int
    most: float
    steps: Sequence[int]
    values: Sequence[float]
    other_steps: Sequence[int] = ()
    other: Sequence[float] = ()
    change: int | None = None

    def figure(self) -> Figure:
        """Figure of the curve, with that of the other training dashed."""
        names = (_("Merges"), translate(AXES[self.words.unit]))
        figure = step_figure(self.steps, self._short(self.values), self.most, names)
        if self.other:
            figure.add_scatter(
                x=self.other_steps,
                y=self._short(self.other),
                mode="lines",
                hoverinfo="skip",
                line={"dash": "5px,4px", "color": THEMES[_THEME].pale},
            )
        if self.change is not None:
            self._mark(figure, self.change)
        figure.update_xaxes(range=[0, max(self.last, 1)], nticks=7, tickformat=",d")
        figure.update_yaxes(tickformat=",~f")
        figure.update_layout(height=_HEIGHT)
        return figure

    def _mark(self, figure: Figure, change: int) -> None:
        """Mark the step at which merges begin to cross words, with a label where the curve leaves room."""
        falls, side = self.words.saves > 0, "left" if change > self.last / 2 else "right"
        colour = THEMES[_THEME].pale
        figure.add_scatter(
            x=[change],
            y=self._short([self.values[list(self.steps).index(change)]]),
            mode="markers+text",
            text=[_("across words")],
            textposition=f"{'bottom' if falls == (side == 'left') else 'top'} {side}",
            textfont={"color": colour, "size": 12},
            hoverinfo="skip",
            marker={"symbol": "circle-open", "size": 9, "color": colour, "line": {"width": 2}},
        )

    def _short(self, values: Sequence[float]) -> list[float]:
        """Round to two more decimals than shown, which is finer than a pixel."""
        return [round(value, self.words.digits + 2) for value in values]


def step_figure(x: Sequence[float], values: Sequence[float], most: float, names: tuple[str, str]) -> Figure:
    """Figure of one curve, on which hovering selects the point by its x position.

    names: titles of both columns of its table.
    """
    figure = titled_figure(_THEME, "", "", "", "")
    colour = line_colours(_THEME)[0]
    line = {"color": colour, "width": 2.6, "simplify": False}  # the line has no more points than pixels
    figure.add_scatter(x=x, y=values, mode="lines", line=line, fill="tozeroy", fillcolor=colour, meta=names)
    figure.update_xaxes(showgrid=False, ticks="", ticklabelstandoff=6)
    figure.update_yaxes(
        range=[0, 1.04 * max(most, 1e-9)], nticks=5, showline=False, ticks="", ticklabelstandoff=6, fixedrange=True
    )
    figure.update_layout(hovermode="x", hoverdistance=-1, margin={"t": 10})
    return figure


def curves_of(training: Training, rule: Training | None = None, *, until: int | None = None) -> StepFigures:
    """Tokens and compression after every merge, with untranslated messages as texts.

    rule: a training to draw for comparison; until: the last visible step, None for all.
    """
    last = len(training.merges)
    steps = list(sampled_steps(last, until))
    other = parting_steps(training, rule, sampled_steps(len(rule.merges), until)) if rule else []
    rule_change = training.rule_change
    change = rule_change.step if rule_change and (until is None or rule_change.step <= until) else None
    if change is not None:
        steps = sorted({*steps, change})
    of_tokens, of_compression = curve_words(by_bytes=training.config.unit == "byte")
    tokens = Curve(
        StepWords(*of_tokens),
        last,
        training.token_count(0),
        steps,
        [training.token_count(step) for step in steps],
        other,
        [rule.token_count(step) for step in other] if rule else [],
        change,
    )
    compression = Curve(
        StepWords(*of_compression),
        last,
        max(each.compression(len(each.merges)) for each in (training, rule) if each),
        steps,
        [training.compression(step) for step in steps],
        other,
        [rule.compression(step) for step in other] if rule else [],
        change,
    )
    return StepFigures(steps, (tokens, compression))


def sampled_steps(last: int, until: int | None = None) -> tuple[int, ...]:
    """Ascending steps with a point, including 0 and the last one; `until`: the last visible step, None for all."""
    points = np.unique(np.linspace(0, last, min(last + 1, MOST_POINTS)).round().astype(int))
    if until is not None:
        points = np.union1d(points[points <= until], [min(until, last)])
    return tuple(points.tolist())
