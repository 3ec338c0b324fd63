"""Button that prints a lesson as a one-page handout."""

from ui.components.handout.component import print_button

__all__ = ["print_button"]
