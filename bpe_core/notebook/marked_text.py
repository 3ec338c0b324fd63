"""Text as HTML: escaped, with marks for white space and for invisible characters."""

from __future__ import annotations

import html
import unicodedata

import regex

from bpe_core.text.marks import WHITE_SPACE_MARKS

LONGEST = 200
"""The most characters of one text that are shown; the rest are counted."""

_IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_PLAIN = regex.compile(r"[\x21-\x7e]*")
# Joiners and selectors inside an emoji sequence are part of the emoji and stay as they are.
_CLUSTERS = regex.compile(r"(\p{Extended_Pictographic}(?:[\ufe0f\p{Emoji_Modifier}]|\u200d\p{Extended_Pictographic})+)")


def marked(text: str, longest: int = LONGEST, *, breaks: bool = False) -> str:
    """Text as HTML: white space as pale marks, invisible characters and bidirectional controls by name.

    `breaks`: a newline also breaks the line, if the style preserves white space. What `longest` leaves out is counted.

    >>> marked("a <b>")
    'a<i class="s">·</i>&lt;b&gt;'
    >>> marked("\\u202e"), marked("\\u0301")
    ('<i class="n">U+202E</i>', '◌\\u0301')
    """
    shown, rest = text[:longest], len(text) - longest
    if _PLAIN.fullmatch(shown):
        result = html.escape(shown)
    else:
        result = "".join(part if at % 2 else _each(part, breaks) for at, part in enumerate(_CLUSTERS.split(shown)))
    return result if rest <= 0 else f'{result}<i class="n">… {rest:,} more</i>'


def titled(text: str, longest: int = LONGEST) -> str:
    """Text for an HTML attribute, escaped; characters that are not visible are written as escapes.

    >>> titled('a"\\u200b')
    'a&quot;\\\\u{200b}'
    """
    shown = "".join(char if shows_itself(char) or char == " " else _written(char) for char in text[:longest])
    return html.escape(shown + "…" * (len(text) > longest))


def shows_itself(char: str) -> bool:
    """Whether a character has a glyph of its own: white space, controls and ignorable characters do not.

    >>> shows_itself("a"), shows_itself("\\u200d"), shows_itself(" ")
    (True, False, False)
    """
    if char.isascii():
        return "!" <= char <= "~"
    return unicodedata.category(char)[0] not in "CZ" and not _IGNORED.match(char)


def direction(text: str) -> str:
    """The direction of a text, "rtl" or "ltr": that of its first character that has one.

    >>> direction("1. שלום"), direction("abc"), direction("")
    ('rtl', 'ltr', 'ltr')
    """
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
    return "ltr"


def _each(text: str, breaks: bool) -> str:
    shown = []
    for at, char in enumerate(text):
        if char in WHITE_SPACE_MARKS:
            shown.append(f'<i class="s">{WHITE_SPACE_MARKS[char]}</i>' + "\n" * (breaks and char == "\n"))
        elif not shows_itself(char):
            shown.append(f'<i class="n">U+{ord(char):04X}</i>')
        else:
            bare = unicodedata.category(char)[0] == "M" and (at == 0 or not shows_itself(text[at - 1]))
            shown.append("◌" * bare + html.escape(char))
    return "".join(shown)


def _written(char: str) -> str:
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char, f"\\u{{{ord(char):x}}}")
