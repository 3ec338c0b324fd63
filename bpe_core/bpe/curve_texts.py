"""Words of the two curves over the merges of a training, and the steps at which another training's are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from bpe_core.language import message, term

if TYPE_CHECKING:
    from bpe_core.bpe.training import Training

Unit = Literal["tokens", "bytes", "characters", "saved"]

AXES: dict[Unit, str] = {
    "tokens": term("number", "tokens"),
    "bytes": message("bytes per token"),
    "characters": message("characters per token"),
    "saved": message("% of the tokens saved"),
}
"""Titles of the axis, by the unit of the values."""


class CurveWords(NamedTuple):
    """Untranslated texts of a curve.

    title: accessible name; caption: the line above it; unit: of the values; digits: their decimal places.
    saves: sign of the exponent by which values become a share saved since step 0: 1 if they fall, -1 if they rise.

    >>> curve_words(by_bytes=True)[1].unit
    'bytes'
    """

    title: str
    caption: str
    unit: Unit
    digits: int
    saves: int


def curve_words(*, by_bytes: bool) -> tuple[CurveWords, CurveWords]:
    """Texts of two curves: tokens, and bytes (or characters) per token.

    >>> [words.digits for words in curve_words(by_bytes=False)]
    [0, 2]
    """
    tokens = CurveWords(
        message("Tokens of the training text over the merges"),
        message("Tokens: every merge saves some, later ones fewer."),
        "tokens",
        0,
        saves=1,
    )
    if by_bytes:
        title = message("Bytes per token over the merges")
        return tokens, CurveWords(
            title, message("Bytes per token: what a larger vocabulary buys."), "bytes", 2, saves=-1
        )
    title = message("Characters per token over the merges")
    caption = message("Characters per token: what a larger vocabulary buys.")
    return tokens, CurveWords(title, caption, "characters", 2, saves=-1)


def parting_steps(training: Training, other: Training, steps: Sequence[int]) -> list[int]:
    """The ascending `steps` from the last one before the token counts first differ; all if they never do.

    >>> from bpe_core import TrainConfig, train
    >>> rule = train("low low lower slow", TrainConfig(vocab_size=260))
    >>> parting_steps(rule.fork(2, (101, 114)), rule, range(5))
    [2, 3, 4]
    """
    last = len(training.merges)
    parts = (
        at for at, step in enumerate(steps) if step > last or training.token_count(step) != other.token_count(step)
    )
    return list(steps[max(next(parts, 0) - 1, 0) :])
