"""Frames of stories: `left + right → new` in large chips, and sentences that may contain chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from bpe_core.language import Strong, translate
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import encode_body, frame

SentencePart: TypeAlias = str | Chip | tuple[Chip, Chip]
"""Text, a token, or a pair of tokens."""

Sentence: TypeAlias = Sequence[SentencePart]


def story_frame(
    merge: tuple[Chip, Chip, Chip] | None,
    sentences: Sequence[Sentence],
    *,
    label: str,
    brief: Mapping[int, Sentence] | None = None,
    at: tuple[str, int] | None = None,
    forced: Sequence[int] = (),
    symbols: int = 0,
) -> bytes:
    """Frame of `story` for the browser.

    at: name and step of the training. While the page's player is ahead, the browser describes the merge in the words
    of the first sentence. brief: short forms of sentences by index, for the headline of the stage.
    forced: steps at which the training was forked. symbols: tokens of the text before any merge.

    >>> frame = story_frame(None, [["Nothing is merged yet."]], label="This step")
    >>> frame.partition(b"\\n")[2]
    b'{"chips":[],"sentences":[["Nothing is merged yet."]],"label":"This step"}'
    """
    body = encode_body(
        {
            "chips": [chip.wire() for chip in merge or ()],
            "sentences": [_wired(sentence) for sentence in sentences],
            "label": translate(label),
        }
        | ({"brief": {str(index): _wired(sentence) for index, sentence in brief.items()}} if brief else {})
    )
    of, step = at or (None, None)
    return frame({"of": of, "step": step, "forced": list(forced), "symbols": symbols}, body)


def _wired(sentence: Sentence) -> list[Any]:
    return [_wire(part) for part in sentence]


def _wire(part: SentencePart) -> Any:
    if isinstance(part, Chip):
        return {"chips": [part.wire()]}
    if isinstance(part, str):
        return {"strong": part} if isinstance(part, Strong) else translate(part)
    return {"chips": [chip.wire() for chip in part]}
