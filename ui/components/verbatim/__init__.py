"""A text as it is, with a button that copies it."""

from ui.components.verbatim.component import verbatim

__all__ = ["verbatim"]
