"""Button that copies the link to the current view."""

from ui.components.copy_link.component import copy_link

__all__ = ["copy_link"]
