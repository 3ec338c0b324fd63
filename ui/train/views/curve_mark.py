"""Says where a curve is at a step, and marks the place on the chart that stands below it.

The words and the mark stand with the chart, in a fragment that a step does not run; what they say comes from another
component of the same script, in the fragment that it does run. The mark is drawn over the chart: a chart that changes
is built anew, one that stays costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

_HERE = Path(__file__).parent
_CURVE = st.components.v2.component(
    "bpe_lab_curve_mark",
    html='<div class="words"><span></span><b></b><div class="chart"><i></i></div></div>',
    css=(_HERE / "curve_mark.css").read_text("utf-8"),
    js=(_HERE / "curve_mark.js").read_text("utf-8"),
)


class Mark(NamedTuple):
    """What a curve says at a step; left, top: the place in its plot, shares from the left and the top edge."""

    curve: str
    value: str
    left: float
    top: float


def curve_words(caption: str, plot: tuple[float, float, float, float], *, key: str) -> None:
    """Draw the words of a curve above its chart; plot: its left, right and top margin in the chart and its height."""
    start, end, above, height = plot
    place = {"start": start, "end": end, "above": above, "height": height}
    _CURVE(key=key, data={"curve": key, "caption": caption, "plot": place})


def mark_curves(marks: Sequence[Mark], *, key: str) -> None:
    """Let each curve (the key of its words) say its value, and mark its place."""
    _CURVE(key=key, data={"marks": [mark._asdict() for mark in marks]})
