"""The pager: to the one before and to the next of several, by buttons and keys, however fast they are pressed."""

from ui.components.pager.component import pager

__all__ = ["pager"]
