"""Views as pictures, SVG or PNG, to copy or to download."""

from ui.components.pictures.component import offer_pictures

__all__ = ["offer_pictures"]
