"""Parts of a pattern translated from or to Oniguruma, and the error for untranslatable ones."""

from __future__ import annotations

from typing import NamedTuple


class PatternPart(NamedTuple):
    """A translated part of a pattern, and the minimum number of characters that it matches.

    >>> PatternPart("a+", 1).least
    1
    """

    text: str
    least: int


class UnknownPatternError(Exception):
    """A construct that cannot be translated with the same meaning, and its offset in the pattern.

    >>> UnknownPatternError(3, "a back reference").at
    3
    """

    def __init__(self, at: int, what: str) -> None:
        self.at = at
        self.what = what
