"""The lines over the steps of a training: tokens and compression, thinned out for drawing. Pure data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bpe_core import Training

MOST_POINTS = 600
_NEAR = 50
"""The neighbourhood of a step changes every so many steps, so that a chart is drawn anew only then."""


@dataclass(frozen=True)
class Line:
    """A number over the steps 0 … last; most: its largest value, drawn or not.

    other_steps, other: the same number in the training by the rule, or empty.
    """

    steps: Sequence[int]
    values: Sequence[float]
    last: int
    most: float
    digits: int
    unit: str
    other_steps: Sequence[int] = ()
    other: Sequence[float] = ()


def neighbourhood(step: int, last: int) -> int:
    """A step near this one, the same for all its neighbours; 0 when every step of the training is drawn anyway."""
    return step // _NEAR * _NEAR if last >= MOST_POINTS else 0


def lines(
    training: Training, rule: Training | None = None, *, near: int = 0, until: int | None = None
) -> tuple[Line, Line]:
    """Tokens and compression after every merge.

    rule: the training beside which they are drawn; near: all steps close to this one are among the points (see
    `neighbourhood`); until: the last step that may be told, None for all.
    """
    last = len(training.merges)
    steps = _steps(last, near, until)
    other = _steps(len(rule.merges), 0, until) if rule else []
    unit = "bytes per token" if training.config.unit == "byte" else "characters per token"
    tokens = Line(
        steps,
        [training.token_count(step) for step in steps],
        last,
        training.token_count(0),
        0,
        "tokens",
        other,
        [rule.token_count(step) for step in other] if rule else [],
    )
    ends = [training.compression(last), *([rule.compression(len(rule.merges))] if rule else [])]
    compression = Line(
        steps,
        [training.compression(step) for step in steps],
        last,
        max(ends),
        2,
        unit,
        other,
        [rule.compression(step) for step in other] if rule else [],
    )
    return tokens, compression


def _steps(last: int, near: int, until: int | None) -> list[int]:
    """Rising; 0, the last one and, of a long training, all from 25 before `near` to 25 after its neighbours."""
    if last < MOST_POINTS:
        points = np.arange(last + 1)
    else:
        around = np.arange(near - _NEAR // 2, near + 3 * _NEAR // 2)
        spread = np.linspace(0, last, MOST_POINTS - len(around)).round().astype(int)
        points = np.union1d(spread, around[(around >= 0) & (around <= last)])
    if until is not None:
        points = np.union1d(points[points <= until], [min(until, last)])
    steps: list[int] = points.tolist()
    return steps
