"""Tokens as spans of a text, with their colours, and the slices of the characters that they divide."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from bpe_core.text import marks
from bpe_core.text.utf8 import CONTINUATION, whole_characters

_MARKS = re.compile(rb"^##(?=[A-Za-z\x80-\xff])|(?<=.)</w>$")
_SPACE = "▁".encode()
"""Marks of words, and of the space, in the bytes of tokens."""


class TokenSpan(NamedTuple):
    """Token of a text: its id, its own bytes, and the byte range `start` … `end` of the text that it covers.

    >>> TokenSpan(7, b"low", 0, 3).special
    False
    """

    id: int
    token: bytes
    start: int
    end: int
    special: bool = False

    def colour(self, data: bytes) -> int:
        """Number of its colour in a text of this UTF-8: that of the bytes it covers, or of its name.

        >>> TokenSpan(7, b"low", 0, 3).colour(b"low") == colour_number(b"low")
        True
        """
        return colour_number(self.token if self.special else data[self.start : self.end] or self.token)


def colour_number(token: bytes) -> int:
    """Colour of a token, of eight: a hash of its bytes without marks of words, as `colour` of tokens/spans.ts.

    >>> [colour_number(token) for token in (b"the", b"##the", b"the</w>", b" the", "▁the".encode())]
    [0, 0, 0, 4, 4]
    """
    text = _MARKS.sub(b"", token)
    text = b" " + text.removeprefix(_SPACE) if text.startswith(_SPACE) else text
    number = 0x811C9DC5  # FNV-1a, whose first and last bits barely differ between short texts; scattered by a factor
    # under which " the", " a", " of", " hug" and the comma differ, and neighbours in the samples rarely agree
    for byte in text:
        number = (number ^ byte) * 0x01000193 & 0xFFFFFFFF
    return (number * 4_113_493_667 & 0xFFFFFFFF) >> 29


class Slice(NamedTuple):
    """Bytes `first` to `last` (inclusive, from 1) of the `of` bytes of a character. `data`: these bytes.

    >>> str(Slice("こ", 1, 2, 3, b"\\xe3\\x81"))
    'bytes 1–2 of 3 of こ'
    """

    char: str
    first: int
    last: int
    of: int
    data: bytes

    def __str__(self) -> str:
        named = f"bytes {self.first}–{self.last}" if self.first < self.last else f"byte {self.first}"
        return f"{named} of {self.of} of {marks.marked(self.char)}"


def whole_and_slices(data: bytes, start: int, end: int) -> Iterator[str | Slice]:
    """Byte range of a text as whole characters, with slices of the characters that its start or end divides.

    >>> [str(part) for part in whole_and_slices("aこ".encode(), 0, 3)]
    ['a', 'bytes 1–2 of 3 of こ']
    """
    if _within(data, start):
        first, last = _character(data, start)
        yield _slice_of(data, first, last, start, min(end, last))
        start = min(end, last)
    stop = _character(data, end)[0] if _within(data, end) and start < end else end
    if start < stop:
        yield decoded(data[start:stop])
    if max(start, stop) < end:
        yield _slice_of(data, *_character(data, end), stop, end)


def decoded(data: bytes) -> str:
    """UTF-8 as text; a lone surrogate stays one, and invalid bytes are escaped.

    >>> decoded(b"a\\xff")
    'a\\\\xff'
    """
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "backslashreplace")


def direction(text: str) -> str:
    """Direction of a text, "rtl" or "ltr": that of its first directional character.

    >>> direction("1. שלום"), direction("abc"), direction("")
    ('rtl', 'ltr', 'ltr')
    """
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
    return "ltr"


def _within(data: bytes, at: int) -> bool:
    return 0 < at < len(data) and data[at] in CONTINUATION


def _character(data: bytes, at: int) -> tuple[int, int]:
    """Start and end of the character that contains a byte."""
    return whole_characters(data, at, at + 1)


def _slice_of(data: bytes, first: int, last: int, start: int, end: int) -> Slice:
    char = data[first:last].decode("utf-8", "ignore")
    return Slice(char, start - first + 1, end - first, last - first, data[start:end])
