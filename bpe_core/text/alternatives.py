"""Alternatives of a split's pattern: which of them matches a word. The first match wins."""

from __future__ import annotations

from functools import cache

import regex

from bpe_core.text.splits import PATTERNS, compile_split


@cache
def pattern_parts(split: str) -> tuple[str, ...]:
    r"""Ordered alternatives of the pattern of a named split, or of a regular expression.

    Raises ConfigError for an unknown name and an invalid pattern.

    >>> pattern_parts(r"\d|[|]+|(?:a|b)")
    ('\\d', '[|]+', '(?:a|b)')
    >>> len(pattern_parts("gpt2"))
    6
    """
    compile_split(split)
    parts, depth, in_set, escaped = [""], 0, False, False
    for char in PATTERNS.get(split, split):
        if char == "|" and not depth and not in_set and not escaped:
            parts.append("")
            continue
        parts[-1] += char
        if not escaped and char in "()" and not in_set:
            depth += 1 if char == "(" else -1
        if not escaped and char == "[":
            in_set = True
        in_set = in_set and not (char == "]" and not escaped)
        escaped = char == "\\" and not escaped
    return tuple(parts)


def part_that_matches(split: str, text: str, start: int, end: int) -> str:
    r"""Alternative of a split's pattern that matches the characters start … end of a text as a word; "" for none.

    Raises ConfigError for an unknown name and an invalid pattern.

    >>> part_that_matches("gpt2", "Hello world", 5, 11), part_that_matches("gpt2", "a  b", 1, 2)
    (' ?\\p{L}+', '\\s+(?!\\S)')
    """
    for part in pattern_parts(split):
        try:
            found = regex.compile(part).match(text, start)
        except (regex.error, MemoryError):  # depends on other parts, as with a backreference, or is a very long word
            return ""
        if found is not None:
            return part if found.end() == end else ""
    return ""
