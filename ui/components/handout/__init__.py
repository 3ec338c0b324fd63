"""The button that prints a lesson as a handout of one page."""

from ui.components.handout.component import print_button

__all__ = ["print_button"]
