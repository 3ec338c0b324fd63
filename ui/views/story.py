"""Story of a step: `left + right → new` in large chips, and sentences that may contain chips."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.payloads.frames import relayed
from bpe_core.payloads.sentences import Sentence, story_frame
from ui.views.component import View

_STORY = View("story")


def story_view(sentences: Sequence[Sentence], *, key: str, label: str) -> None:
    """Draw sentences; the height is fixed, longer content scrolls."""
    _STORY(key=key, data=story_frame(None, sentences, label=label))


def relayed_story(key: str) -> None:
    """Draw a story whose frames a relay publishes: `story_frame` under its key."""
    _STORY(key=key, data=relayed(key))
