"""Story of a step: the merge in large chips, and sentences about it."""

from ui.components.story.component import Sentence, SentencePart, relayed_story, story, story_frame

__all__ = ["Sentence", "SentencePart", "relayed_story", "story", "story_frame"]
