"""Display of text with every character visible. The table is marks.json, shared with marks.ts of the app.

The character sets in the table are those of one Unicode version, so that every Python and every browser shows the same.
scripts/marks.py writes them: ranges in base 36, each as the distance from the end of the previous one, then "+" and the
length minus one.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_TABLE: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
_SIGNS: dict[str, str] = _TABLE["signs"]
_NAMES: dict[int, str] = {int(code, 16): name for code, name in _TABLE["names"].items()}

NOTHING: str = _TABLE["nothing"]
"""Shown for a token without text."""

PLAIN, MARK, NAME, CIRCLE = "plain", "mark", "name", "circle"
"""Kinds of pieces: unchanged text, a white-space mark, a character's name, a base for combining marks."""


class Shown(NamedTuple):
    """A piece of a text (`source`, empty for a circle), its displayed form, and its kind.

    >>> shown_pieces(" ")
    [Shown(source=' ', text='·', kind='mark')]
    """

    source: str
    text: str
    kind: str


def _unpacked(name: str) -> str:
    """A set of the table as the content of a character class."""
    parts, end = [], 0
    for packed in _TABLE["sets"][name].split():
        gap, _, more = packed.partition("+")
        first = end + int(gap, 36)
        end = first + int(more or "0", 36)
        parts.append(f"\\U{first:08x}-\\U{end:08x}")
    return "".join(parts)


@cache
def _one_of(name: str) -> re.Pattern[str]:
    """A set of the table as a pattern. Compiled on first use: most commands show no text."""
    return re.compile(f"[{_unpacked(name)}]")


def _sequences() -> str:
    """Pattern of an emoji: its first character, and the invisible characters that belong to the picture."""
    offset = int(_TABLE["tags"]["offset"], 16)
    flags = "|".join("".join(chr(offset + ord(char)) for char in flag) for flag in _TABLE["tagged_flags"])
    skin = "[\U0001f3fb-\U0001f3ff]"
    is_text = _one_of("text_pictographs")
    one = f"(?:{is_text.pattern}\ufe0f|[{_unpacked('pictographs')}]){skin}?"
    joined = sorted(_TABLE["sequences"].split(), key=len, reverse=True)  # the longest first
    begins = "".join({each[0] for each in joined})
    every = "|".join(
        "\u200d".join(
            char + "\ufe0f?" * bool(is_text.match(char)) + f"{skin}?" * bool(tone)
            for char, tone in re.findall("(.)(\U0001f3fb?)", each)
        )
        for each in joined
    )
    return f"\U0001f3f4(?:{flags})\U000e007f|[#*0-9]\ufe0f\u20e3|(?=[{begins}])(?:{every})|{one}"


_ASCII = re.compile(r"[\x21-\x7e]*")


@cache
def _care() -> re.Pattern[str]:
    """Pattern of characters that are not shown as they are, and of emoji."""
    return re.compile(f"(?P<emoji>{_sequences()})|{_one_of('hidden').pattern}")


def shown_pieces(text: str) -> list[Shown]:
    """Split a text into the pieces that page, picture, notebook and command line show. The sources join to the text.

    White space is shown as a mark. A character that is invisible by itself is shown by name, wherever it is: controls,
    formats, joiners, tags, fillers, blanks, every variation selector, unassigned and private characters. It is part of
    the picture, and not named, only in an emoji sequence: one VS16 after a pictograph that is text without it, a joiner
    in a sequence that Unicode recommends, a keycap, the flags of England, Scotland and Wales. Any other selector is
    named, after an ideograph or a Mongolian letter too: whether it changes the glyph depends on the font, and tokens
    that differ only by it must not look the same. A combining mark is drawn on the text before it; after nothing, or
    after a mark or name, on a dotted circle.

    >>> [piece.text for piece in shown_pieces("❤\\ufe0f\\ufe0f a\\ufe0f葛\\U000e0100")]
    ['❤️', 'VS16', '·', 'a', 'VS16', '葛', 'VS17']
    >>> [ascii(piece.text) for piece in shown_pieces("e\\u0301\\n\\u0302")]
    ["'e\\\\u0301'", "'\\\\u21b5'", "'\\\\u25cc'", "'\\\\u0302'"]
    """
    if _ASCII.fullmatch(text):
        return [Shown(text, text, PLAIN)] if text else []
    found: list[Shown] = []
    done = 0
    for match in _care().finditer(text):
        if match["emoji"]:
            continue
        _add_plain(found, text[done : match.start()])
        done = match.end()
        char = match[0]
        found.append(Shown(char, _SIGNS[char], MARK) if char in _SIGNS else Shown(char, character_name(char), NAME))
    _add_plain(found, text[done:])
    return found


def marked(text: str) -> str:
    """`shown_pieces` as plain text, with names in brackets.

    >>> marked("a b\\n"), marked("\\u200b"), marked("\\u0301")
    ('a·b↵', '[ZWSP]', '◌́')
    """
    return "".join(f"[{shown}]" if kind == NAME else shown for _, shown, kind in shown_pieces(text))


def on_one_line(text: str) -> str:
    """`marked` with a space for every white space: for captions, and for a terminal, which must receive no controls.

    >>> on_one_line("a b\\n\\x1b[2J")
    'a b [ESC][2J'
    """
    shown = {NAME: "[{}]", MARK: " "}
    return "".join(shown.get(kind, "{}").format(each) for _, each, kind in shown_pieces(text))


def shows_itself(char: str) -> bool:
    """Whether a character has a glyph: neither white space nor shown by name.

    >>> shows_itself("a"), shows_itself("\\u200d"), shows_itself("\\ufe0f"), shows_itself(" ")
    (True, False, False, False)
    """
    return not _one_of("hidden").match(char)


@cache
def character_name(char: str) -> str:
    """Display name of an invisible character: its abbreviation if it has one, otherwise its code point.

    >>> [character_name(char) for char in "\\u00a0\\ufe0f\\U000e0067\\x07\\u2061"]
    ['NBSP', 'VS16', 'TAG g', 'BEL', 'U+2061']
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


def _add_plain(found: list[Shown], text: str) -> None:
    if not text:
        return
    if _one_of("combining").match(text) and (not found or found[-1].kind != PLAIN):
        found.append(Shown("", _TABLE["circle"], CIRCLE))
    found.append(Shown(text, text, PLAIN))
