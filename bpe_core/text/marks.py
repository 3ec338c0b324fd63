"""How invisible characters are shown. The table is marks.json, which the scripts of the app read as well."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

_TABLE: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
_SHOWN_AS: dict[str, str] = _TABLE["signs"]
WHITE_SPACE_MARKS = _SHOWN_AS
"""The mark of each white-space character that has one: space, tab, newline, carriage return."""

_NAMES: dict[int, str] = {int(code, 16): name for code, name in _TABLE["names"].items()}


def marked(text: str) -> str:
    """The text with every character visible: white space as a symbol, other invisible characters by name.

    A combining mark at the start is drawn on a dotted circle. The result is as long as the text requires.

    >>> marked("a b\\n"), marked("\\u200b"), marked("\\u0301")
    ('a·b↵', '[ZWSP]', '◌́')
    """
    circle = _TABLE["circle"] if text and unicodedata.category(text[0])[0] == "M" else ""
    return circle + "".join(map(_visible, text))


@cache
def character_name(char: str) -> str:
    """The name that an invisible character is shown by: its abbreviation if it has one, otherwise its code point.

    >>> [character_name(char) for char in "\\u00a0\\ufe0f\\U000e0067\\x07\\u202e"]
    ['NBSP', 'VS16', 'TAG g', 'BEL', 'U+202E']
    """
    code = ord(char)
    if code in _NAMES:
        return _NAMES[code]
    for span in _TABLE["numbered"]:
        if int(span["first"], 16) <= code <= int(span["last"], 16):
            return f"{span['name']}{code - int(span['first'], 16) + span['from']}"
    tags = _TABLE["tags"]
    if int(tags["first"], 16) <= code <= int(tags["last"], 16):
        return f"{tags['name']}{chr(code - int(tags['offset'], 16))}"
    return f"U+{code:04X}"


def _visible(char: str) -> str:
    if char in _SHOWN_AS:
        return _SHOWN_AS[char]
    return f"[{character_name(char)}]" if unicodedata.category(char)[0] in "CZ" else char
