"""Curves over the steps of a training, with a mark at one of them."""

from ui.components.curves.component import curves_view, mark_frame, relayed_mark
from ui.components.curves.curve import Curve, Curves

__all__ = ["Curve", "Curves", "curves_view", "mark_frame", "relayed_mark"]
