"""A chart of values in rows: a mark for each of several names, told apart by colour and by shape."""

from ui.components.dots.component import DotRow, dots_view

__all__ = ["DotRow", "dots_view"]
