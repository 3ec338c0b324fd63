"""Views that only the Train page has: the story of a merge, and a step's marks on the curves."""

from .curve_mark import Mark, curve_words, mark_curves
from .follower import follow
from .story import Part, Sentence, story

__all__ = ["Mark", "Part", "Sentence", "curve_words", "follow", "mark_curves", "story"]
