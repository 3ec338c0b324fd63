"""The choice of stronger token colours, for a projector: kept by the browser, as the theme is."""

from ui.components.contrast.component import contrast_button

__all__ = ["contrast_button"]
