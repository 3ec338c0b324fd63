"""Stronger token colours, for projectors; like the theme, saved by the browser."""

from ui.components.contrast.component import contrast_button

__all__ = ["contrast_button"]
