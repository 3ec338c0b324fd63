"""Story of a step: `left + right → new` in large chips, and sentences that may contain chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from bpe_core.language import Strong, translate
from ui.views.chips import Chip
from ui.views.component import View
from ui.views.protocol import encode_body, frame, relayed

SentencePart: TypeAlias = str | Chip | tuple[Chip, Chip]
"""Text, a token, or a pair of tokens."""

Sentence: TypeAlias = Sequence[SentencePart]

_STORY = View("story")


def story_view(sentences: Sequence[Sentence], *, key: str, label: str) -> None:
    """Draw sentences; the height is fixed, longer content scrolls."""
    _STORY(key=key, data=story_frame(None, sentences, label=label))


def relayed_story(key: str) -> None:
    """Draw a story whose frames a relay publishes: `story_frame` under its key."""
    _STORY(key=key, data=relayed(key))


def story_frame(
    merge: tuple[Chip, Chip, Chip] | None,
    sentences: Sequence[Sentence],
    *,
    label: str,
    at: tuple[str, int] | None = None,
    forced: Sequence[int] = (),
    symbols: int = 0,
) -> bytes:
    """Frame of `story` for the browser.

    at: name and step of the training. While the page's player is ahead, the browser describes the merge in the words
    of the first sentence. forced: steps at which the training was forked.
    symbols: tokens of the text before any merge.
    """
    body = encode_body(
        {
            "chips": [chip.wire() for chip in merge or ()],
            "sentences": [[_wire(part) for part in sentence] for sentence in sentences],
            "label": translate(label),
        }
    )
    of, step = at or (None, None)
    return frame({"of": of, "step": step, "forced": list(forced), "symbols": symbols}, body)


def _wire(part: SentencePart) -> Any:
    if isinstance(part, Chip):
        return {"chips": [part.wire()]}
    if isinstance(part, str):
        return {"strong": part} if isinstance(part, Strong) else translate(part)
    return {"chips": [chip.wire() for chip in part]}
