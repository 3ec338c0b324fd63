"""Text layout in terminal columns, of which a Chinese or Japanese character takes two."""

from __future__ import annotations

import re
import textwrap
from unicodedata import combining, east_asian_width

_NOT_FIRST = "、。，．：；！？）」』】〉》・ー…"
"""Punctuation that must not begin a line in Chinese or Japanese."""

_WIDE = r"[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]"
_UNIT = re.compile(rf"\s+|{_WIDE}[{_NOT_FIRST}]*|(?:(?!{_WIDE})\S)+[{_NOT_FIRST}]*")
"""Unbreakable unit of a line: white space, a wide character, or a word of other characters."""


def columns(text: str) -> int:
    """Width of a text in terminal columns.

    >>> columns("low"), columns("日本")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int) -> str:
    """Pad the text with spaces on the right to `width` columns.

    >>> padded("日本", 5)
    '日本 '
    """
    return text + " " * (width - columns(text))


def padded_left(text: str, width: int) -> str:
    """Pad the text with spaces on the left to `width` columns.

    >>> padded_left("日本", 5)
    ' 日本'
    """
    return " " * (width - columns(text)) + text


def wrapped(text: str, width: int) -> list[str]:
    """Wrap a text to lines of `width` columns. A line may break between any Chinese or Japanese characters.

    >>> wrapped("the words of a text", 10), wrapped("文字の列を、word に分ける。", 10)
    (['the words', 'of a text'], ['文字の列', 'を、word', 'に分ける。'])
    """
    text = " ".join(text.split())
    if not re.search(_WIDE, text):
        return textwrap.wrap(text, width)
    lines, line = [], ""
    for unit in _UNIT.findall(text):
        if line and columns(line) + columns(unit.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += unit if line else unit.lstrip()
    return [*lines, line] if line else lines
