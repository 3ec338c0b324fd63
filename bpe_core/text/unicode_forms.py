"""Unicode forms and accent removal, with each character aligned to the smallest part it can come from."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.text.normalization import Change, UnicodeForm, unmoved
from bpe_core.text.utf8 import code_points, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

_MARKS = regex.compile(r"\p{M}{50,}+")
_FEW = 20_000
"""Characters up to which sorting a text is faster than a table of all code points."""

_BLOCK = 1 << 20
"""Characters from which marks are dropped at once, so that arrays stay small."""


def without_marks(text: str, *, compose: bool) -> str:
    """Remove nonspacing marks (category Mn); the result is NFC if `compose`, otherwise NFD.

    >>> without_marks("été", compose=True)
    'ete'
    """
    bare = unicode_form("NFD", text)
    if not bare.isascii():
        bare = "".join(_without_nonspacing(bare[at : at + _BLOCK]) for at in range(0, len(bare), _BLOCK))
    return unicode_form("NFC", bare) if compose else bare


def _without_nonspacing(text: str) -> str:
    points = code_points(text)
    return text_of(points[_of_each(points, lambda char: int(unicodedata.category(char) != "Mn")) > 0])


def unicode_form(form: UnicodeForm, text: str) -> str:
    """Same as `unicodedata.normalize`, but in linear time for long runs of marks.

    That function orders combining marks in quadratic time. Sorting them first changes no form, since a text
    with its marks in canonical order is canonically equivalent.

    >>> unicode_form("NFC", "e\u0301")
    'é'
    """
    return unicodedata.normalize(form, _MARKS.sub(lambda run: _ordered(run.group()), text))


def _ordered(marks: str) -> str:
    """Combining marks in canonical order; marks of class 0 stay in place, and none moves past them."""
    runs = ((starter, "".join(run)) for starter, run in groupby(marks, lambda mark: unicodedata.combining(mark) == 0))
    return "".join(run if starter else "".join(sorted(run, key=unicodedata.combining)) for starter, run in runs)


def by_segments(text: str, change: Callable[[str], str], *, drops_marks: bool = False) -> Change:
    """Changed text, with each of its characters aligned to the segment of `text` that it came from.

    A segment is the smallest part that normalizes independently of the rest. In an unchanged segment,
    each character is aligned to itself. `drops_marks`: whether nonspacing marks are removed before the rest
    composes.

    >>> text, origins = by_segments("e\\u0301a", lambda part: unicode_form("NFC", part))
    >>> text, origins.tolist()
    ('éa', [[0, 2], [2, 3]])
    """
    whole = change(text)
    if whole == text:
        return whole, unmoved(len(text))
    points = code_points(text)
    starts = _segment_starts(points, drops_marks)
    lengths = np.diff(starts, append=len(text))
    ends = starts + lengths
    alone = lengths == 1
    made = np.empty(len(starts), np.int64)
    made[alone] = _of_each(points[starts[alone]], lambda char: len(change(char)))
    known: dict[str, tuple[int, bool]] = {}
    longer = np.flatnonzero(~alone)
    sizes = []
    kept = np.zeros(len(starts), np.bool_)
    for at, start, end in zip(longer.tolist(), starts[longer].tolist(), ends[longer].tolist(), strict=True):
        part = text[start:end]
        found = known.get(part)
        if found is None:
            new = change(part)
            known[part] = found = len(new), new == part
        sizes.append(found[0])
        kept[at] = found[1]
    made[longer] = sizes
    if int(made.sum()) != len(whole):  # cannot happen unless a Unicode version adds a new kind of composition
        starts, ends, made = np.array([0]), np.array([len(text)]), np.array([len(whole)])
        kept = np.zeros(1, np.bool_)
    origins = np.empty((len(whole), 2), np.int64)
    origins[:, 0], origins[:, 1] = np.repeat(starts, made), np.repeat(ends, made)
    same = np.flatnonzero(np.repeat(kept, made))
    within = same - np.repeat(np.cumsum(made) - made, made)[same]
    origins[same, 0] += within
    origins[same, 1] = origins[same, 0] + 1
    return whole, origins


def _segment_starts(points: npt.NDArray[np.uint32], drops_marks: bool) -> npt.NDArray[np.int64]:
    """Places where a text can be divided so that normalizing the parts equals normalizing the whole."""
    begins = _of_each(points, lambda char: int(begins_segment(char, drops_marks=drops_marks))) > 0
    begins[:1] = True
    return np.flatnonzero(begins)


def begins_segment(char: str, *, drops_marks: bool = False) -> bool:
    """Whether a character never changes with the ones before it in a Unicode form.

    `drops_marks`: also if nonspacing marks are removed before the rest composes.

    >>> begins_segment("e"), begins_segment("\\u0301"), begins_segment("\\ufe0f")
    (True, False, True)
    >>> begins_segment("\\ufe0f", drops_marks=True)
    False
    """
    if char in _composes_backwards() or _begins_combining(char):
        return False
    return not (drops_marks and unicodedata.category(unicodedata.normalize("NFKD", char)[0]) == "Mn")


def _of_each(points: npt.NDArray[np.uint32], value: Callable[[str], int]) -> npt.NDArray[np.uint8]:
    """Value of every character, 0 … 255, computed once per distinct character."""
    if len(points) < _FEW:
        distinct, places = np.unique(points, return_inverse=True)
        return np.array([value(chr(code)) for code in distinct.tolist()], np.uint8)[places]
    table = np.zeros(0x110000, np.uint8)
    table[points] = 1
    codes = np.flatnonzero(table)
    table[codes] = [value(chr(code)) for code in codes.tolist()]
    return table[points]


@lru_cache(maxsize=65536)
def _begins_combining(char: str) -> bool:
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.combining(first) != 0 or first in _composes_backwards()


@lru_cache(maxsize=1)
def _composes_backwards() -> frozenset[str]:
    """Characters that may compose with the one before: second parts of compositions, and Hangul vowels and finals."""
    seconds = {chr(code) for block in (range(0x1161, 0x1176), range(0x11A8, 0x11C3)) for code in block}
    for code in range(0x110000):
        decomposition = unicodedata.decomposition(chr(code))
        if decomposition and not decomposition.startswith("<") and " " in decomposition:
            seconds.add(chr(int(decomposition.split()[1], 16)))
    return frozenset(seconds)
