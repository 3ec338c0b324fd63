"""Unicode forms of the tokenizers library, equal in text and alignment.

Its tables are of an older Unicode version than Python's, and its alignment uses counts: a decomposed character passes
its origin on to all its parts, a composed one has the origin of its first part, and reordered marks take the origins of
their new places.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.text.library_tables import MARKS, UNDIVIDED, member
from bpe_core.text.normalization import Change, UnicodeForm
from bpe_core.text.utf8 import code_points

_LAST = 0x30000
"""Code point from which on no character decomposes, composes or has a combining class."""

_LONGEST_CACHED = 16


class _Piece(NamedTuple):
    """A character with its surplus over what it replaces: 1 if it is new, -2 if it replaces three characters."""

    char: str
    change: int


def library_form(form: UnicodeForm, text: str) -> Change:
    """Text in a Unicode form of the library, and the original character range of each of its characters.

    >>> text, origins = library_form("NFC", "e\\u0301x")
    >>> text, origins.tolist()
    ('éx', [[0, 1], [2, 3]])
    """
    positions = np.arange(len(text), dtype=np.int64)
    if unicodedata.is_normalized(form, text):
        return text, np.stack((positions, positions + 1), axis=1)
    points = np.minimum(code_points(text), _LAST)
    continues, divides = _tables(form)
    begins = ~continues[points]
    begins[:1] = True
    starts = np.flatnonzero(begins)
    lengths = np.diff(starts, append=len(text))
    asked = np.flatnonzero((lengths > 1) | divides[points[starts]])
    parts: list[str] = []
    sources: list[int] = []
    made = lengths.copy()
    at = 0
    for which, start, length in zip(asked.tolist(), starts[asked].tolist(), lengths[asked].tolist(), strict=True):
        part = text[start : start + length]
        changed, found = _cached_segment(form, part) if length <= _LONGEST_CACHED else _segment(form, part)
        parts += (text[at:start], changed)
        sources += found
        made[which] = len(changed)
        at = start + length
    parts.append(text[at:])
    within = np.arange(int(made.sum()), dtype=np.int64) - np.repeat(np.cumsum(made) - made, made)
    is_asked = np.zeros(len(starts), np.bool_)
    is_asked[asked] = True
    within[np.repeat(is_asked, made)] = sources
    origins = np.repeat(starts, made) + within
    return "".join(parts), np.stack((origins, origins + 1), axis=1)


def begins_segment(form: UnicodeForm, char: str) -> bool:
    """Whether a character never changes with the ones before it in a Unicode form of the library.

    >>> begins_segment("NFC", "e"), begins_segment("NFC", "\\u0301")
    (True, False)
    """
    return not _tables(form)[0][min(ord(char), _LAST)]


def _segment(form: UnicodeForm, part: str) -> tuple[str, tuple[int, ...]]:
    """Normalize a part that does not interact with its surroundings, with the origin of each character."""
    decomposed = [_Piece(each, int(at > 0)) for char in part for at, each in enumerate(_decomposition(form, char))]
    pieces = _ordered(decomposed)
    if form.endswith("C"):
        pieces = _composed(pieces)
    sources: list[int] = []
    at = 0
    for piece in pieces:
        sources.append(at - 1 if piece.change > 0 else at)
        at += 1 - piece.change
    return "".join(piece.char for piece in pieces), tuple(sources)


_cached_segment = lru_cache(maxsize=65536)(_segment)


def _decomposition(form: UnicodeForm, char: str) -> str:
    if member(UNDIVIDED)[ord(char)]:
        return char
    return unicodedata.normalize("NFKD" if "K" in form else "NFD", char)


@lru_cache(maxsize=65536)
def _class(char: str) -> int:
    """Combining class of a character in the library; 0 for marks of newer versions."""
    return unicodedata.combining(char) if member(MARKS)[ord(char)] else 0


def _ordered(pieces: list[_Piece]) -> list[_Piece]:
    """Sort marks by class; characters of class 0 stay in place."""
    ordered: list[_Piece] = []
    for _, run in groupby(pieces, lambda piece: _class(piece.char) > 0):
        ordered += sorted(run, key=lambda piece: _class(piece.char))
    return ordered


def _composed(pieces: list[_Piece]) -> list[_Piece]:
    """Compose every character with the last one of class 0 before it, unless a mark between them prevents that."""
    done: list[_Piece] = []
    starter = -1
    before = 0
    for piece in pieces:
        mark = _class(piece.char)
        blocked = starter < 0 or (len(done) > starter + 1 and before >= mark)
        whole = None if blocked else _composite(done[starter].char, piece.char)
        if whole is not None:
            done[starter] = _Piece(whole, done[starter].change + piece.change - 1)
            continue
        if mark == 0:
            starter = len(done)
        done.append(piece)
        before = mark
    return done


@lru_cache(maxsize=65536)
def _composite(first: str, second: str) -> str | None:
    whole = unicodedata.normalize("NFC", first + second)
    return whole if len(whole) == 1 and not member(UNDIVIDED)[ord(whole)] else None


@lru_cache(maxsize=4)
def _tables(form: UnicodeForm) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """For every code point up to _LAST: whether it may change with the ones before it, and whether it decomposes."""
    continues, divides = np.zeros(_LAST + 1, np.bool_), np.zeros(_LAST + 1, np.bool_)
    continues[0x1161:0x1176] = continues[0x11A8:0x11C3] = True  # vowels and finals of Hangul
    for code in range(_LAST):
        char = chr(code)
        parts = _decomposition(form, char)
        divides[code] = parts != char
        canonical = unicodedata.normalize("NFD", char)
        if len(canonical) > 1 and not 0xAC00 <= code < 0xD7A4:
            continues[[ord(part) for part in canonical[1:]]] = True
    for code in range(_LAST):
        first = _decomposition(form, chr(code))[0]
        continues[code] |= _class(first) > 0 or continues[ord(first)]
    continues.flags.writeable = divides.flags.writeable = False
    return continues, divides
