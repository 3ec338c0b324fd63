"""The components of the Algorithms page: a card for each algorithm, and one word cut by each."""

from .cards import cards_view
from .cuts import CutRow, cuts_view

__all__ = ["CutRow", "cards_view", "cuts_view"]
