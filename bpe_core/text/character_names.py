"""Names of characters: translated names for invisible and East Asian ones, Unicode's names for all others."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable

from bpe_core.language import message
from bpe_core.text.marks import shows_itself

_ORDINARY = " \n\t"
"""White space that is shown by its mark alone, without a name."""

_NAMES = {
    0x0009: message("tab"),
    0x000A: message("line feed"),
    0x000D: message("carriage return"),
    0x0020: message("space"),
    0x00A0: message("no-break space"),
    0x00AD: message("soft hyphen"),
    0x0300: message("combining grave accent"),
    0x0301: message("combining acute accent"),
    0x0302: message("combining circumflex accent"),
    0x0303: message("combining tilde"),
    0x0304: message("combining macron"),
    0x0308: message("combining diaeresis"),
    0x030A: message("combining ring above"),
    0x030C: message("combining caron"),
    0x0327: message("combining cedilla"),
    0x034F: message("combining grapheme joiner"),
    0x2002: message("en space"),
    0x2003: message("em space"),
    0x2007: message("figure space"),
    0x2009: message("thin space"),
    0x200A: message("hair space"),
    0x200B: message("zero-width space"),
    0x200C: message("zero-width non-joiner"),
    0x200D: message("zero-width joiner"),
    0x200E: message("left-to-right mark"),
    0x200F: message("right-to-left mark"),
    0x2028: message("line separator"),
    0x2029: message("paragraph separator"),
    0x202F: message("narrow no-break space"),
    0x2060: message("word joiner"),
    0x20E3: message("combining enclosing keycap"),
    0x3000: message("ideographic space, as wide as a character"),
    0x3001: message("ideographic comma"),
    0x3002: message("ideographic full stop"),
    0x3005: message("ideographic iteration mark"),
    0x301C: message("wave dash"),
    0x3099: message("combining voiced sound mark of kana"),
    0x309A: message("combining semi-voiced sound mark of kana"),
    0x309B: message("voiced sound mark of kana"),
    0x309C: message("semi-voiced sound mark of kana"),
    0x30FB: message("middle dot of katakana"),
    0x30FC: message("prolonged sound mark of kana"),
    0xFEFF: message("byte order mark"),
    0xFF5E: message("full-width tilde"),
    0xFF9E: message("half-width voiced sound mark of kana"),
    0xFF9F: message("half-width semi-voiced sound mark of kana"),
    0xFFFC: message("object replacement character"),
    0xFFFD: message("replacement character"),
}


def _plain(char: str) -> str:
    """The plain characters of which a character is a compatibility form."""
    return unicodedata.normalize("NFKC", char)


def _compatible(char: str) -> str:
    """Name of a compatibility ideograph; twelve in their blocks are ordinary ideographs."""
    if _plain(char) == char:
        return message("ideograph")
    return message("compatibility form of {character}", character=_plain(char))


def _last_word(char: str) -> str:
    return unicodedata.name(char).rpartition(" ")[2].lower()


_RANGES: tuple[tuple[int, int, Callable[[str], str]], ...] = (
    (0x2460, 0x24FF, lambda char: message("enclosed {characters}", characters=_plain(char))),
    (0x3041, 0x3096, lambda char: message("hiragana letter {name}", name=_last_word(char))),
    (0x30A1, 0x30FA, lambda char: message("katakana letter {name}", name=_last_word(char))),
    (0x3220, 0x32FE, lambda char: message("enclosed {characters}", characters=_plain(char))),
    (0x3300, 0x33FF, lambda char: message("{characters} in one square", characters=_plain(char))),
    (0x3400, 0x4DBF, lambda char: message("ideograph")),
    (0x4E00, 0x9FFF, lambda char: message("ideograph")),
    (0xAC00, 0xD7A3, lambda char: message("Hangul syllable {name}", name=_last_word(char))),
    (0xE000, 0xF8FF, lambda char: message("private character")),
    (0xF900, 0xFAFF, _compatible),
    (0xFE00, 0xFE0F, lambda char: message("variation selector {number}", number=ord(char) - 0xFE00 + 1)),
    (0xFF01, 0xFF5E, lambda char: message("full-width {character}", character=_plain(char))),
    (0xFF61, 0xFF9F, lambda char: message("half-width {character}", character=_plain(char))),
    (0x1F1E6, 0x1F1FF, lambda char: message("letter {letter} of a flag", letter=chr(ord(char) - 0x1F1E6 + ord("A")))),
    (0x1F3FB, 0x1F3FF, lambda char: message("skin tone of an emoji")),
    (0x20000, 0x2EE5D, lambda char: message("ideograph")),
    (0x2F800, 0x2FA1D, _compatible),
    (0x30000, 0x33479, lambda char: message("ideograph")),
    (0xE0100, 0xE01EF, lambda char: message("variation selector {number}", number=ord(char) - 0xE0100 + 17)),
    (0xF0000, 0x10FFFD, lambda char: message("private character")),
)
"""First and last code point of ranges, and the name of a character in them."""

_STARTS = [first for first, _last, _name in _RANGES]


def named_character(char: str) -> str:
    """Name of a character: a message if it is listed here, otherwise Unicode's name in lower case, or "" for none.

    >>> [named_character(char) for char in "\\u3000時ｶé\\u0378"]
    ['ideographic space, as wide as a character', 'ideograph', 'half-width カ', \
'latin small letter e with acute', '']
    """
    code = ord(char)
    if code in _NAMES:
        return _NAMES[code]
    first, last, name = _RANGES[bisect_right(_STARTS, code) - 1]
    return name(char) if first <= code <= last else unicodedata.name(char, "").lower()


def unseen_characters(text: str) -> dict[str, str]:
    """Characters of a text that are not shown as they are, with their names; plain white space is left out.

    >>> unseen_characters("家 族\\u3000👩\\u200d🚀")
    {'\\u3000': 'ideographic space, as wide as a character', '\\u200d': 'zero-width joiner'}
    """
    if text.isascii() and text.isprintable():
        return {}
    return {
        char: name
        for char in dict.fromkeys(text)
        if char not in _ORDINARY and (not shows_itself(char) or unicodedata.combining(char))
        if (name := named_character(char))
    }


def told_characters(text: str) -> list[str]:
    """Code point and name of a single character, or of the first three characters that are not shown as they are.

    >>> told_characters("ｶ"), told_characters("a\\u200b"), told_characters("ab")
    (['U+FF76 half-width カ'], ['U+200B zero-width space'], [])
    """
    names = {text: named_character(text)} if len(text) == 1 else unseen_characters(text)
    return [
        message("U+{code} {name}", code=f"{ord(char):04X}", name=name) if name else f"U+{ord(char):04X}"
        for char, name in [*names.items()][:3]
    ]
