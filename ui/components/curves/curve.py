"""Curves over the same steps, as data for the browser. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ui.components.exchange import Body, encode_body


@dataclass(frozen=True)
class Curve:
    """A number over the steps.

    most: its largest value, drawn or not; digits: decimal places that are shown of it.
    other: the same number in the other training, or empty.
    """

    title: str
    caption: str
    unit: str
    digits: int
    most: float
    values: Sequence[float]
    other: Sequence[float] = ()

    def wire(self) -> dict[str, Any]:
        """Short form for the browser: two decimal places more than are shown are finer than a pixel."""
        return {
            "title": self.title,
            "caption": self.caption,
            "unit": self.unit,
            "digits": self.digits,
            "most": self.most,
            "values": [round(value, self.digits + 2) for value in self.values],
            "other": [round(value, self.digits + 2) for value in self.other],
        }


@dataclass(frozen=True)
class Curves:
    """Curves over the steps 0 … last, of which these rising ones have points; other_steps: those of a second line.

    Make it once and keep it: its encoding for the browser is kept with it.
    """

    last: int
    steps: Sequence[int]
    curves: tuple[Curve, ...]
    other_steps: Sequence[int] = ()

    @cached_property
    def body(self) -> Body:
        """What the browser gets, with its content hash."""
        return encode_body(
            {
                "last": self.last,
                "steps": list(self.steps),
                "other": list(self.other_steps),
                "curves": [curve.wire() for curve in self.curves],
            }
        )
