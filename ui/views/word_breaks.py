"""Words of a text by the dictionary of the browser (`Intl.Segmenter`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bpe_core.payloads.frames import encode_body, frame
from ui.views.component import View
from ui.views.protocol import acting

_WORD_BREAKS = View("word_breaks")
_LENGTHS = re.compile(r"[1-9]\d{0,6}(?:,[1-9]\d{0,6})*")


def word_breaks_view(text: str, *, key: str, on_divided: Callable[[str, tuple[int, ...]], None]) -> None:
    """Ask the browser for the words of a text; draws nothing.

    on_divided: called before the rerun with the text and the length of each segment in characters; white space and
    punctuation are segments too, so that the lengths add up to that of the text.
    """
    body = encode_body({"text": text})

    def divided(value: Any) -> None:
        lengths = checked_lengths(value, body.rev, len(text))
        if lengths is not None:
            on_divided(text, lengths)

    _WORD_BREAKS(key=key, data=frame({"name": key}, body), on_acts_change=acting(key, divided=divided))


def checked_lengths(value: Any, rev: str, size: int) -> tuple[int, ...] | None:
    """Parse the browser's [rev, "2,1,3"]; None unless it is of this text of `size` characters. It can be forged.

    >>> checked_lengths(["a", "2,1"], "a", 3), checked_lengths(["a", "2,2"], "a", 3), checked_lengths("2,1", "a", 3)
    ((2, 1), None, None)
    """
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev and isinstance(value[1], str)):
        return None
    if len(value[1]) > 2 * size or not _LENGTHS.fullmatch(value[1]):
        return None
    lengths = tuple(map(int, value[1].split(",")))
    return lengths if sum(lengths) == size else None
