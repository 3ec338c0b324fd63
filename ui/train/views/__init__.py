"""Views that only the Train page has: the story of a merge, and the keys and clock of the player."""

from .keys import keys
from .story import Part, Sentence, story

__all__ = ["Part", "Sentence", "keys", "story"]
