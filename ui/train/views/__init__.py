"""Views that only the Train page has: the story of a merge, and a step's mark on its curve."""

from .curve_mark import curve_mark
from .story import Part, Sentence, story

__all__ = ["Part", "Sentence", "curve_mark", "story"]
