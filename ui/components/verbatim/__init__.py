"""Verbatim text with a copy button."""

from ui.components.verbatim.component import verbatim

__all__ = ["verbatim"]
