"""A text with labelled spans, read-only or to be marked with mouse or keyboard."""

from ui.components.text_marks.component import text_marks

__all__ = ["text_marks"]
