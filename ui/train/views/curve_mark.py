"""Says where a curve is at a step, and marks the place on the chart that stands below it.

The mark is drawn over the chart: a chart that changes is built anew, one that stays costs nothing.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_MARK = st.components.v2.component(
    "bpe_lab_curve_mark",
    html='<div class="words"><span></span><b></b></div><div class="chart"><i></i></div>',
    css=(_HERE / "curve_mark.css").read_text("utf-8"),
    js=(_HERE / "curve_mark.js").read_text("utf-8"),
)


def curve_mark(
    caption: str, value: str, place: tuple[float, float], chart: tuple[float, float, float, float], *, key: str
) -> None:
    """Draw a caption, the value at the step, and the mark.

    place: of the mark in the chart's plot, shares from its left and its top edge; chart: the plot's left, right and top
    margin and its height, pixels.
    """
    left, top = place
    start, end, above, height = chart
    _MARK(
        key=key,
        data={
            "caption": caption,
            "value": value,
            "left": left,
            "top": top,
            "start": start,
            "end": end,
            "above": above,
            "height": height,
        },
    )
