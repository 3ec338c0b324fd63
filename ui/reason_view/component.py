"""Mounts the drawing of one reason: Python's side of reason_view.js."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ui.token_view import Chip
from ui.token_view.register import register
from ui.token_view.wire import encode_body, frame

_REASON_VIEW = register(Path(__file__).parent, "reason_view", '<div class="reason" aria-live="polite"></div>')

LONGEST_PIECE = 120
"""Bytes drawn of a text that is no token."""


class Side(NamedTuple):
    """What one tokenizer makes of the place.

    tokens  from left to right; text that belongs to no word is bare bytes between them
    cuts    positions in `tokens` before which the split cuts
    """

    name: str
    tokens: Sequence[Chip | bytes]
    cuts: frozenset[int]
    rest: int = 0
    """How many more tokens there are than are drawn."""


def reason_view(
    title: str, gloss: str, sides: Sequence[Side], sentence: Sequence[str | Chip | bytes], *, key: str
) -> None:
    """Draw a cause with its one-line meaning, either side's tokens with the cuts of its split, and the evidence.

    In the sentence, a Chip is a token and bytes are a bit of the text.
    """
    body = encode_body(
        {
            "title": title,
            "gloss": gloss,
            "sides": [
                {
                    "name": side.name,
                    "tokens": [_piece(token) for token in side.tokens],
                    "cuts": sorted(side.cuts),
                    "rest": side.rest,
                }
                for side in sides
            ],
            "sentence": [part if isinstance(part, str) else _piece(part) for part in sentence],
        }
    )
    _REASON_VIEW(key=key, data=frame({}, body))


def _piece(part: Chip | bytes) -> Any:
    """A token as a list; text that is no token as an object."""
    if isinstance(part, Chip):
        return part.wire()
    if len(part) <= LONGEST_PIECE:
        return {"text": Chip.of_bytes(0, part).pieces}
    return {"text": [(f"{part[:LONGEST_PIECE].decode('utf-8', 'ignore')}…", False)]}
