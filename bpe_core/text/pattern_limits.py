"""Limits of regular expressions from users and files: their size, and the time and memory that matching takes."""

from __future__ import annotations

import re
import time
from functools import lru_cache
from math import prod

import regex

from bpe_core.errors import ConfigError, CorpusError, quoted
from bpe_core.language import message

LONGEST_PATTERN = 2_000
LONGEST_TRANSLATED = 20_000
"""Longest pattern of another library's file, in the syntax of the regex library."""
MOST_REPEATS = 10_000
MOST_UNROLLED = 400_000
"""Limit on a pattern's characters times the counts of its repeated groups, which the regex library unrolls."""

SECONDS_PER_TEXT = 3.0
"""Time limit for matching a custom pattern, plus two seconds per million characters."""

_SPACE_AND_COMMENTS = re.compile(r"\s|#[^\n]*")
_GROUP_REPEAT = re.compile(r"\)\s*\{\s*(\d+)")
_REPEAT = re.compile(r"\{\s*(\d*)\s*,?\s*(\d*)\s*\}")


class TimeLimit:
    """Time that a file's patterns may take for one text, all of its words together.

    Counts the processor time of this thread, so that a busy machine does not use up the limit.

    >>> TimeLimit(1_000_000).allowed, TimeLimit(0).left("a+") > 2, TimeLimit(0).exceeded("a+").remedy[:14]
    (5.0, True, 'Nested repeats')
    >>> limit = TimeLimit(0)
    >>> limit.interrupted("a+"), limit.left("a+") > limit.allowed
    (None, True)
    """

    def __init__(self, characters: int) -> None:
        self.characters = characters
        self.allowed = SECONDS_PER_TEXT + characters / 500_000
        self._end = time.thread_time() + self.allowed
        self._patience = 1

    def left(self, pattern: str) -> float:
        """Seconds until matching must be interrupted. Raises CorpusError if the time is used up."""
        left = self._end - time.thread_time()
        if left <= 0:
            raise self.exceeded(pattern)
        return left * self._patience

    def interrupted(self, pattern: str) -> None:
        """After an interruption: allow more time for another attempt. Raises CorpusError if the time is used up."""
        self._patience *= 2
        self.left(pattern)

    def exceeded(self, pattern: str) -> CorpusError:
        """Error for exceeded time."""
        return CorpusError(
            message(
                "Splitting a text of {characters:,} characters by {pattern} took too long.",
                characters=self.characters,
                pattern=quoted(pattern),
            ),
            limit=message("The time allowed is about {allowed:.0f} s.", allowed=self.allowed),
            remedy=message(
                "Nested repeats such as (x+)+ backtrack without end: simplify the pattern, or use a named split."
            ),
        )

    def out_of_memory(self, pattern: str) -> CorpusError:
        """Error for a text for which the regex library needs too much memory.

        >>> TimeLimit(0).out_of_memory("(a+ ?)+").problem
        "Splitting a text of 0 characters by '(a+ ?)+' took too much memory."
        """
        return CorpusError(
            message(
                "Splitting a text of {characters:,} characters by {pattern} took too much memory.",
                characters=self.characters,
                pattern=quoted(pattern),
            ),
            limit=message(
                "The regex library can use up to 512 MB for the repeats of groups in one match, if that much is free."
            ),
            remedy=message("Repeat a set such as [a-z ]+ rather than a group such as ([a-z]+ ?)+, or divide the text."),
        )


def compile_within_limits(pattern: str, longest: int) -> regex.Pattern[str]:
    """Compile a regular expression of at most `longest` characters.

    Raises ConfigError if it is too long, or too large to compile; the regex library's own exceptions if it is invalid.

    >>> compile_within_limits("lo+", 3).findall("low cool")
    ['lo']
    """
    if len(pattern) > longest:
        raise ConfigError(
            message("The split pattern has {number:,} characters.", number=len(pattern)),
            limit=message("The longest allowed is {longest:,}.", longest=longest),
            remedy=message("Shorten it."),
        )
    # The regex library unrolls counted repeats while compiling: nested ones can exhaust memory before any match. In
    # verbose patterns white space and comments may separate the digits.
    repeats = max(_repeats(pattern), _repeats(_SPACE_AND_COMMENTS.sub("", pattern)))
    if repeats > MOST_REPEATS:
        raise ConfigError(
            message(
                "The counted repeats of split {pattern} multiply to {product}.",
                pattern=quoted(pattern),
                product=_short(repeats),
            ),
            limit=message("The most allowed is {most:,}.", most=MOST_REPEATS),
            remedy=message("Use + or *, or smaller counts."),
        )
    copies = max(_copies(pattern), _copies(_SPACE_AND_COMMENTS.sub("", pattern)))
    if copies * len(pattern) > MOST_UNROLLED:
        raise ConfigError(
            message(
                "The counted repeats of split {pattern} multiply to {product}.",
                pattern=quoted(pattern),
                product=_short(copies),
            ),
            limit=message(
                "Those of groups, in a pattern of {number:,} characters, to {most:,} at most.",
                number=len(pattern),
                most=MOST_UNROLLED // len(pattern),
            ),
            remedy=message("Use + or *, or smaller counts."),
        )
    return (_compile if copies * len(pattern) <= LONGEST_TRANSLATED else _compile_large)(pattern)


@lru_cache(maxsize=64)
def _compile(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, cache_pattern=False)


@lru_cache(maxsize=4)
def _compile_large(pattern: str) -> regex.Pattern[str]:
    """As `_compile`, for patterns that take up to 20 MB each."""
    return regex.compile(pattern, cache_pattern=False)


def _repeats(pattern: str) -> int:
    """Product of all counted repeats."""
    return prod(max(1, int(low or 0), int(high or 0)) for low, high in _REPEAT.findall(pattern))


def _copies(pattern: str) -> int:
    """Product of the minimum counts of repeated groups."""
    return prod(max(1, int(low)) for low in _GROUP_REPEAT.findall(pattern))


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**12 else message("more than 10¹²")
