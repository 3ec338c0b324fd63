"""Pieces of a .model file in the form that SentencePiece writes, found many at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bpe_core.arrays import Int64s
from bpe_core.sentencepiece.protobuf import Field, field_at

_TAILS = (b"", rb"\x15.{4}", rb"\x18[\x01-\x06]", rb"\x15.{4}\x18[\x01-\x06]")
"""Optional fields after the text of a piece: its score, its type, or both."""
_SIZES = (0, 5, 2, 7)
_LONGEST = 20_000
"""Maximum number of pieces in a run."""


def _pattern(size: int) -> bytes:
    """Pattern of an entry of this size, up to 127 bytes, after its length."""
    found = [
        re.escape(bytes([length])) + rb".{%d}" % length + tail
        for tail, length in zip(_TAILS, (size - 2 - each for each in _SIZES), strict=True)
        if length > 0
    ]
    return re.escape(bytes([size])) + rb"\n(?:" + b"|".join(found) + b")"


_ENTRY = re.compile(rb"\n(?:" + b"|".join(map(_pattern, range(3, 128))) + b")", re.DOTALL)


class PieceRun(NamedTuple):
    """Adjacent pieces in the standard form: the offset of the first in the file, and the size of each in bytes.

    >>> PieceRun(0, bytes([16, 16])).begins().tolist()
    [0, 16]
    """

    begin: int
    sizes: bytes

    def begins(self) -> Int64s:
        """Offset of each piece in the file."""
        sizes = np.frombuffer(self.sizes, np.uint8).astype(np.int64)
        return self.begin + np.cumsum(sizes) - sizes


def runs(data: bytes) -> Iterator[PieceRun | Field]:
    r"""Runs of pieces in the standard form, and every other field of the file. Raises DamagedError as `fields` does.

    The standard form: a text of 1 byte or more, then perhaps a score, then perhaps a known type, in at most 127 bytes.

    >>> list(runs(b"\n\x0a\n\x03low\x15\x00\x00\x00\x00" * 2 + b"\x10\x05"))
    [PieceRun(begin=0, sizes=b'\x0c\x0c'), (2, 0, 5, 24)]
    """
    at = 0
    while at < len(data):
        begin, sizes = at, bytearray()
        while len(sizes) < _LONGEST and (found := _ENTRY.match(data, at)):
            sizes.append(found.end() - at)
            at = found.end()
        if sizes:
            yield PieceRun(begin, bytes(sizes))
        else:
            field, at = field_at(data, at)
            yield field
