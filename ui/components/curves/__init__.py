"""Curves over the steps of a training, with a mark at one of them."""

from ui.components.curves.component import OtherMark, curves_view, mark_frame, relayed_mark
from ui.components.curves.curve import AxisName, Curve, Curves, IdsAxis, MarkedPoint

__all__ = [
    "AxisName",
    "Curve",
    "Curves",
    "IdsAxis",
    "MarkedPoint",
    "OtherMark",
    "curves_view",
    "mark_frame",
    "relayed_mark",
]
