"""Pager: previous and next of several items, by buttons and keys, at any speed."""

from ui.components.pager.component import pager

__all__ = ["pager"]
