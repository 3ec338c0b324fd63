"""The story of a step: what merged, in large chips, and sentences about it."""

from ui.components.story.component import Sentence, SentencePart, story

__all__ = ["Sentence", "SentencePart", "story"]
