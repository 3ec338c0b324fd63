"""Frames of reasons: why two tokenizers differ in a region, with the tokens of both and a sentence of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bpe_core.language import translate
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import encode_body, frame

LONGEST_PIECE = 120
"""Limit of drawn bytes for text that is not a token."""


class RegionTokens(NamedTuple):
    """Region as segmented by one tokenizer.

    tokens      from left to right; text outside words is bare bytes between them
    boundaries  positions in `tokens` before which the split has a boundary

    >>> RegionTokens("a", [b"low"], frozenset()).rest
    0
    """

    name: str
    tokens: Sequence[Chip | bytes]
    boundaries: frozenset[int]
    rest: int = 0
    """Number of further tokens that are not drawn."""


def reason_frame(
    title: str, gloss: str, sides: Sequence[RegionTokens], sentence: Sequence[str | Chip | bytes]
) -> bytes:
    """Frame of a reason; in the sentence, a Chip is a token and bytes are a part of the text.

    >>> frame = reason_frame("Split boundary", "", [RegionTokens("a", [Chip.of_bytes(7, b"low")], frozenset())], ["…"])
    >>> b'"sides":[{"name":"a","tokens":[[7,"low"]],"boundaries":[],"rest":0}]' in frame
    True
    """
    body = encode_body(
        {
            "title": translate(title),
            "gloss": translate(gloss),
            "sides": [
                {
                    "name": side.name,
                    "tokens": [_piece(token) for token in side.tokens],
                    "boundaries": sorted(side.boundaries),
                    "rest": side.rest,
                }
                for side in sides
            ],
            "sentence": sentence_wire(sentence),
        }
    )
    return frame({}, body)


def sentence_wire(sentence: Sequence[str | Chip | bytes]) -> list[Any]:
    """Encode a sentence; a Chip is a token and bytes are a part of the text.

    >>> sentence_wire(["a", Chip.of_bytes(7, b"low"), b"low"])
    ['a', [7, 'low'], {'text': (('low', False),)}]
    """
    return [translate(part) if isinstance(part, str) else _piece(part) for part in sentence]


def _piece(part: Chip | bytes) -> Any:
    """Encode a token as a JSON list, or other text as a JSON object."""
    if isinstance(part, Chip):
        return part.wire()
    if len(part) <= LONGEST_PIECE:
        return {"text": Chip.of_bytes(0, part).pieces}
    return {"text": [(f"{part[:LONGEST_PIECE].decode('utf-8', 'ignore')}…", False)]}
