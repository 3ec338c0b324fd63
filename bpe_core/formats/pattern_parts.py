"""What a pattern is translated by, from Oniguruma or to it: parts, and what no part can be made of."""

from __future__ import annotations

from typing import NamedTuple


class PatternPart(NamedTuple):
    """A part of a pattern in the other language, and the least number of characters that it matches.

    >>> PatternPart("a+", 1).least
    1
    """

    text: str
    least: int


class UnknownPatternError(Exception):
    """Something at this character of the pattern that cannot be translated, or may not mean the same.

    >>> UnknownPatternError(3, "a back reference").at
    3
    """

    def __init__(self, at: int, what: str) -> None:
        self.at = at
        self.what = what
