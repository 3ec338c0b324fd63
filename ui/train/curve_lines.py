"""Curves over the steps of a training: tokens and compression, thinned out for drawing. Pure data."""

from __future__ import annotations

import numpy as np

from bpe_core import Training
from bpe_core.language import message
from ui.components.curves import Curve, Curves

MOST_POINTS = 600
"""More than one point per pixel, finer than a click can resolve."""


def curves_of(training: Training, rule: Training | None = None, *, until: int | None = None) -> Curves:
    """Curves of tokens and compression after every merge, with messages as texts.

    rule: a training to draw for comparison; until: the last visible step, None for all.
    """
    last = len(training.merges)
    steps = _steps(last, until)
    other = _steps(len(rule.merges), until) if rule else []
    tokens = Curve(
        message("Tokens of the training text over the merges"),
        message("Tokens: every merge saves some, later ones fewer."),
        message("tokens"),
        0,
        training.token_count(0),
        [training.token_count(step) for step in steps],
        [rule.token_count(step) for step in other] if rule else [],
        saves=1,
    )
    words = (
        (
            message("Bytes per token over the merges"),
            message("Bytes per token: what a larger vocabulary buys."),
            message("bytes per token"),
        )
        if training.config.unit == "byte"
        else (
            message("Characters per token over the merges"),
            message("Characters per token: what a larger vocabulary buys."),
            message("characters per token"),
        )
    )
    compression = Curve(
        *words,
        2,
        max(each.compression(len(each.merges)) for each in (training, rule) if each),
        [training.compression(step) for step in steps],
        [rule.compression(step) for step in other] if rule else [],
        saves=-1,
    )
    return Curves(last, steps, (tokens, compression), other)


def _steps(last: int, until: int | None) -> list[int]:
    """Ascending steps, including 0 and the last one."""
    points = np.unique(np.linspace(0, last, min(last + 1, MOST_POINTS)).round().astype(int))
    if until is not None:
        points = np.union1d(points[points <= until], [min(until, last)])
    steps: list[int] = points.tolist()
    return steps
