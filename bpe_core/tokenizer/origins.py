"""Origins of the pieces of a normalized text: byte ranges in it, as characters and bytes of the original."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import ReadOnlyArrays, sorted_place
from bpe_core.text.normalization import Normalized
from bpe_core.text.utf8 import code_points, plain_character_ranges, utf8_lengths
from bpe_core.work import taking

_PER_CHARACTER = 80
"""Memory in bytes per character of the normalized text and of the original."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pieces(ReadOnlyArrays):
    """Pieces of one stage: read-only int64 arrays of equal length, one entry per piece.

    starts, ends             origin in characters of the original
    byte_starts, byte_ends   bytes of the original's UTF-8
    text_starts, text_ends   characters of the normalized text that the piece touches

    For a piece of some bytes of an unchanged character, the byte range is exact. The bytes of a changed character have
    no separate origins: the piece has all bytes of the original characters. A piece that covers no text has an empty
    range.

    >>> from bpe_core.text.normalizers import IDENTITY
    >>> pieces = Origins(IDENTITY.normalize("aé")).pieces(np.array([0, 1, 2]), np.array([1, 2, 3]))
    >>> len(pieces), pieces.starts.tolist(), pieces.byte_starts.tolist()
    (3, [0, 1, 1], [0, 1, 2])
    """

    starts: Numbers
    ends: Numbers
    byte_starts: Numbers
    byte_ends: Numbers
    text_starts: Numbers
    text_ends: Numbers

    def __len__(self) -> int:
        return len(self.starts)


class Origins:
    """Map from byte offsets in a normalized text to the original.

    `unchanged`: bool per normalized character, whether its only origin is the same character.

    >>> from bpe_core.text.normalizers import Chain, Form
    >>> origins = Origins(Chain((Form("NFC"),)).normalize("Cafe\\u0301"))
    >>> groups = origins.groups()
    >>> list(zip(groups.starts.tolist(), groups.ends.tolist()))
    [(0, 1), (1, 2), (2, 3), (3, 5)]
    >>> origins.unchanged.tolist()
    [True, True, True, False]
    >>> origins.pieces(np.array([2]), np.array([5])).byte_ends.tolist()
    [6]
    """

    def __init__(self, normalized: Normalized) -> None:
        with taking(_PER_CHARACTER * (len(normalized.text) + len(normalized.original))):
            self._find(normalized)

    def _find(self, normalized: Normalized) -> None:
        text, original = normalized.text, normalized.original
        self.text, self.utf8 = text, normalized.utf8
        self.byte_at = np.concatenate(([0], np.cumsum(utf8_lengths(text))))
        self.original_byte_at = np.concatenate(([0], np.cumsum(utf8_lengths(original))))
        found = normalized.origins
        self.starts: Numbers = found[:, 0].copy()
        self.ends: Numbers = found[:, 1].copy()
        edges = np.append(np.flatnonzero(self._opens()), len(text))
        # Unchanged characters that were normalized together with others are each their own origin.
        for at in edges[:-1][np.diff(edges) > 1].tolist():
            end, start = int(edges[sorted_place(edges, at) + 1]), int(self.starts[at])
            if text[at:end] == original[start : self.ends[end - 1]]:
                self.starts[at:end] = np.arange(start, start + end - at)
                self.ends[at:end] = self.starts[at:end] + 1
        self.opens = self._opens()
        alone = self.opens & np.append(self.opens[1:], True) & (self.ends - self.starts == 1)
        self.unchanged: npt.NDArray[np.bool_] = alone.copy()
        self.unchanged[alone] = code_points(text)[alone] == code_points(original)[self.starts[alone]]

    def _opens(self) -> npt.NDArray[np.bool_]:
        """Mask of normalized characters whose origin does not overlap that of the previous character."""
        opens: npt.NDArray[np.bool_] = self.starts >= np.concatenate(([0], self.ends[:-1]))
        opens[:1] = True
        return opens

    def groups(self) -> Pieces:
        """Normalized text in the smallest pieces that share no character of the original."""
        first = np.flatnonzero(self.opens)
        edges = np.append(first, len(self.text))
        return self.pieces(self.byte_at[edges[:-1]], self.byte_at[edges[1:]])

    def pieces(self, starts: Numbers, ends: Numbers) -> Pieces:
        """Origins of these byte ranges of the normalized text, int64 arrays of equal length."""
        text_starts, text_ends = (each.astype(np.int64) for each in plain_character_ranges(self.utf8, starts, ends))
        if not len(self.text):
            nothing = np.zeros(len(starts), np.int64)
            return Pieces(nothing, nothing, nothing, nothing, text_starts, text_ends)
        empty = starts == ends
        first = np.minimum(text_starts, len(self.text) - 1)
        last = np.maximum(text_ends - 1, 0)
        begin, end = self.starts[first], self.ends[last]
        inside_first = np.where(self.unchanged[first], starts - self.byte_at[first], 0)
        inside_last = np.where(self.unchanged[last], self.byte_at[last + 1] - ends, 0)
        byte_begin = self.original_byte_at[begin] + inside_first
        byte_end = self.original_byte_at[end] - inside_last
        # An empty range is placed directly after the origin of the character before it.
        at = np.where(text_starts > 0, self.ends[np.maximum(text_starts - 1, 0)], self.starts[0])
        return Pieces(
            np.where(empty, at, begin),
            np.where(empty, at, end),
            np.where(empty, self.original_byte_at[at], byte_begin),
            np.where(empty, self.original_byte_at[at], byte_end),
            text_starts,
            text_ends,
        )
