"""Regular expression that matches the longest of many texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, takewhile

_MOST_NESTED = 30
"""Nesting limit for the pattern of all special tokens: Python's regex parser recurses for each level."""


def longest_of(texts: Sequence[str], depth: int = 0) -> str:
    """Pattern that matches the longest of these sorted texts; a common prefix is tried once for all.

    >>> re.findall(longest_of(["a", "ab", "b"]), "aba")
    ['ab', 'a']
    """
    if len(texts) == 1:
        return re.escape(texts[0])
    if depth == _MOST_NESTED:
        return f"(?:{'|'.join(map(re.escape, sorted(texts, key=len, reverse=True)))})"
    ends = not texts[0]
    found = []
    for _, group in groupby(texts[ends:], key=lambda text: text[0]):
        same = list(group)
        shared = sum(takewhile(bool, map(str.__eq__, same[0], same[-1])))  # the first and the last differ the most
        found.append(re.escape(same[0][:shared]) + longest_of([text[shared:] for text in same], depth + 1))
    return f"(?:{'|'.join(found)}){'?' if ends else ''}"
