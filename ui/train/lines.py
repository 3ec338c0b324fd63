"""The lines over the steps of a training: tokens and compression, thinned out for drawing. Pure data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bpe_core import Training

MOST_POINTS = 600
"""More than one a pixel: no click could tell more steps apart."""


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


def lines(training: Training, rule: Training | None = None, *, until: int | None = None) -> tuple[Line, Line]:
    """Tokens and compression after every merge.

    rule: the training beside which they are drawn; until: the last step that may be told, None for all.
    """
    last = len(training.merges)
    steps = _steps(last, until)
    other = _steps(len(rule.merges), until) if rule else []
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


def _steps(last: int, until: int | None) -> list[int]:
    """Rising, 0 and the last one among them."""
    points = np.unique(np.linspace(0, last, min(last + 1, MOST_POINTS)).round().astype(int))
    if until is not None:
        points = np.union1d(points[points <= until], [min(until, last)])
    steps: list[int] = points.tolist()
    return steps
