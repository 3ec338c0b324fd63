"""The button that copies the link to what the visitor sees."""

from ui.components.copy_link.component import copy_link

__all__ = ["copy_link"]
