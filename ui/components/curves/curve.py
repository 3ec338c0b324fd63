"""Curves over the same steps, as data for the browser. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from bpe_core.language import said
from ui.components.exchange import Body, SpokenBody, encode_body


@dataclass(frozen=True)
class Curve:
    """A number over the steps.

    most: its largest value, drawn or not; digits: decimal places that are shown of it.
    other: the same number in the other training, or empty.
    saves: whether it is said how much the value saves of that of step 0: 1 where it falls, -1 where it rises, 0 not.
    """

    title: str
    caption: str
    unit: str
    digits: int
    most: float
    values: Sequence[float]
    other: Sequence[float] = ()
    saves: int = 0

    def wire(self) -> dict[str, Any]:
        """Short form for the browser: two decimal places more than are shown are finer than a pixel."""
        return {
            "title": said(self.title),
            "caption": said(self.caption),
            "unit": said(self.unit),
            "digits": self.digits,
            "most": self.most,
            "values": [round(value, self.digits + 2) for value in self.values],
            "other": [round(value, self.digits + 2) for value in self.other],
            "saves": self.saves,
        }


class AxisName(NamedTuple):
    """What is written below an axis at a share of its width: two lines."""

    share: float
    first: str
    second: str


class MarkedPoint(NamedTuple):
    """A point beside the curve, at shares of the width and with a value: its name, a line, and what is said of it."""

    share: float
    value: float
    name: str
    line: str
    words: str


@dataclass(frozen=True)
class IdsAxis:
    """An axis of vocabulary sizes instead of one of steps.

    shares: where each step with a point is, as a share of the width, rising.
    first_id: the ids before any merge; width: numbers in the embedding of one id.
    names: what is written below it; lines: what these two lines are.
    gap: from where to where the axis is broken, in shares; None: it is not.
    points: what is drawn beside the curve.
    """

    shares: Sequence[float]
    first_id: int
    width: int
    names: tuple[AxisName, ...]
    lines: tuple[str, str]
    gap: tuple[float, float] | None = None
    points: tuple[MarkedPoint, ...] = ()


@dataclass(frozen=True)
class Curves:
    """Curves over the steps 0 … last, of which these rising ones have points; other_steps: those of a second line.

    Make it once and keep it: its encoding for the browser is kept with it.
    """

    last: int
    steps: Sequence[int]
    curves: tuple[Curve, ...]
    other_steps: Sequence[int] = ()
    axis: IdsAxis | None = None

    @SpokenBody
    def body(self) -> Body:
        """What the browser gets, with its content hash."""
        return encode_body(
            {
                "last": self.last,
                "steps": list(self.steps),
                "other": list(self.other_steps),
                "curves": [curve.wire() for curve in self.curves],
                "axis": self._axis(),
            }
        )

    def _axis(self) -> dict[str, Any] | None:
        if self.axis is None:
            return None
        wire = asdict(self.axis)
        return wire | {
            "shares": [round(share, 5) for share in self.axis.shares],
            "points": [_told(point._asdict()) for point in self.axis.points],
            "names": [[share, said(first), said(second)] for share, first, second in self.axis.names],
            "lines": [said(line) for line in self.axis.lines],
        }


def _told(values: dict[str, Any]) -> dict[str, Any]:
    return {name: said(value) if isinstance(value, str) else value for name, value in values.items()}
