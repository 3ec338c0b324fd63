"""A text with labelled parts, to look at, or to mark parts of it with the mouse or the keyboard."""

from ui.components.text_marks.component import text_marks

__all__ = ["text_marks"]
