"""Named splits for ASCII texts as patterns of Python's `re`: two to three times as fast as Unicode classes."""

from __future__ import annotations

import re

_CLASSES = {"L": "a-zA-Z", "N": "0-9", "Lu": "A-Z", "Ll": "a-z", "Lt": "", "Lm": "", "Lo": "", "M": ""}
_SET = re.compile(r"(\[(?:\\.|[^\]])*\])")
_CLASS = re.compile(r"\\p\{(\w+)\}")


def ascii_pattern(pattern: str) -> re.Pattern[str]:
    r"""Translate a pattern of the regex library to an equivalent one for ASCII texts.

    Raises KeyError for classes other than letters, numbers and marks.

    >>> ascii_pattern(r" ?\p{L}++|[^\s\p{L}]").pattern
    ' ?[a-zA-Z]++|[^\\sa-zA-Z]'
    >>> ascii_pattern(r" ?\p{L}++|[^\s\p{L}]").findall("it's")
    ['it', "'", 's']
    """
    parts = _SET.split(pattern)  # every second part is a set
    parts[1::2] = [_CLASS.sub(lambda found: _CLASSES[found[1]], part) for part in parts[1::2]]
    parts[::2] = [_CLASS.sub(lambda found: f"[{_CLASSES[found[1]]}]", part) for part in parts[::2]]
    return re.compile("".join(parts), re.ASCII)
