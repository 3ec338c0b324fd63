"""UTF-8 geometry: code points, byte offsets of characters, and the characters that a range of bytes touches.

The only module with UTF-8 bit arithmetic. Functions take UTF-8 as bytes (lone surrogates, as three bytes each, are
allowed) and return arrays of byte or character offsets.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core.kernels import backend, layout

Offsets = npt.NDArray[np.integer[Any]]

CONTINUATION = bytes(range(0x80, 0xC0))
"""Every continuation byte: the second to fourth bytes of multi-byte characters."""

_SMALL = 20_000
"""Bytes up to which compiling the loop takes longer than plain Python."""


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """Code points of a text: uint32[len(text)].

    >>> code_points("aé").tolist()
    [97, 233]
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))


def text_of(points: npt.NDArray[np.uint32]) -> str:
    """Text of these code points.

    >>> text_of(code_points("aé"))
    'aé'
    """
    return points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def utf8_lengths(text: str) -> npt.NDArray[np.int64]:
    """Bytes of UTF-8 per character: int64 array of len(text).

    >>> utf8_lengths("aéこ😀").tolist()
    [1, 2, 3, 4]
    """
    points = code_points(text)
    return 1 + (points > 0x7F).astype(np.int64) + (points > 0x7FF) + (points > 0xFFFF)


def distinct_characters(text: str) -> int:
    """Number of distinct characters of a text, lone surrogates included; five times as fast as a set if it is large.

    >>> distinct_characters("low lower")
    6
    """
    seen = np.zeros(sys.maxunicode + 1, np.bool_)
    seen[code_points(text)] = True
    return int(np.count_nonzero(seen))


def is_utf8(data: bytes) -> bool:
    """Whether bytes are valid UTF-8, without a part of a character at either end.

    >>> is_utf8("こ".encode()), is_utf8(b"\\x81")
    (True, False)
    """
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def sequence_length(first: int) -> int:
    """Length of a character in bytes, from its first byte; 0 for a byte that begins none.

    >>> [sequence_length(first) for first in (0x41, 0xC3, 0xE3, 0xF0, 0x81, 0xC0, 0xFF)]
    [1, 2, 3, 4, 0, 0, 0]
    """
    if first < 0x80:
        return 1
    return 2 if 0xC2 <= first < 0xE0 else 3 if 0xE0 <= first < 0xF0 else 4 if 0xF0 <= first < 0xF5 else 0


def begins_character(data: bytes | npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """For every byte of UTF-8, whether it begins a character: bool[len(data)].

    >>> begins_character("aé".encode()).tolist()
    [True, True, False]
    """
    begins: npt.NDArray[np.bool_] = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
    return begins


def count_characters(data: bytes) -> int:
    """Number of characters that begin in these bytes of UTF-8.

    >>> count_characters("aé".encode()), count_characters(b"\\x81")
    (2, 0)
    """
    return int(np.count_nonzero(begins_character(data)))


def character_starts(data: bytes) -> npt.NDArray[np.int32]:
    """Byte offset of every character, then the size of the text: int32. For texts below 2 GiB.

    >>> character_starts("aéこ".encode()).tolist()
    [0, 1, 3, 6]
    """
    if data.isascii():
        return np.arange(len(data) + 1, dtype=np.int32)
    begins = np.flatnonzero(begins_character(data))
    starts = np.empty(len(begins) + 1, np.int32)
    starts[:-1], starts[-1] = begins, len(data)
    return starts


def begun_characters(data: bytes) -> npt.NDArray[np.int64]:
    """For every byte offset 0 … len(data), the number of characters that begin before it: int64[len(data) + 1].

    >>> begun_characters("aé".encode()).tolist()
    [0, 1, 2, 2]
    """
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(begins_character(data))))


def character_ranges(data: bytes, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Characters that ascending byte ranges of UTF-8 touch, as the first and one after the last (int32).

    An empty range touches none; both ends are then the number of characters that begin before it.

    >>> first, last = character_ranges("aこ".encode(), np.array([0, 1, 2]), np.array([1, 2, 4]))
    >>> first.tolist(), last.tolist()
    ([0, 1, 1], [1, 2, 2])
    """
    if backend.use_compiled(len(data), _SMALL):
        return layout.character_ranges(data, starts.astype(np.int32), ends.astype(np.int32))
    return plain_character_ranges(data, starts, ends)


def plain_character_ranges(data: bytes, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Result of `character_ranges` without the compiled loop, for ranges in any order.

    >>> first, last = plain_character_ranges("aこ".encode(), np.array([2, 0]), np.array([4, 1]))
    >>> first.tolist(), last.tolist()
    ([1, 0], [2, 1])
    """
    if data.isascii():
        return starts, ends
    begun = begun_characters(data).astype(np.int32)
    holding = begun[np.minimum(starts + 1, len(data))] - np.int32(1)
    return np.where(starts == ends, begun[starts], holding), begun[ends]


def whole_characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Extend a byte range of UTF-8 to the whole characters at its ends.

    >>> whole_characters("aこ".encode(), 2, 3)
    (1, 4)
    """
    while 0 < start < len(data) and data[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return start, end


def rest_of_character(data: bytes, start: int, end: int) -> tuple[bytes, bytes]:
    """Bytes before `start` and after `end` that belong to the characters at the ends of the range.

    >>> rest_of_character("aこ".encode(), 2, 3)
    (b'\\xe3', b'\\x93')
    """
    first, last = whole_characters(data, start, end)
    return data[first:start], data[end:last]
