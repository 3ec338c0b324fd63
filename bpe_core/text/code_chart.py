"""Place of a character in Unicode: code point, UTF-8, block, and the characters that share its first bytes."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from bpe_core import checks
from bpe_core.language import message

_BLOCKS: tuple[tuple[int, int, str], ...] = (
    (0x0000, 0x007F, message("Basic Latin")),
    (0x0080, 0x00FF, message("Latin-1 Supplement")),
    (0x0100, 0x024F, message("Latin Extended")),
    (0x0300, 0x036F, message("Combining Diacritical Marks")),
    (0x0370, 0x03FF, message("Greek and Coptic")),
    (0x0400, 0x04FF, message("Cyrillic")),
    (0x0530, 0x058F, message("Armenian")),
    (0x0590, 0x05FF, message("Hebrew")),
    (0x0600, 0x06FF, message("Arabic")),
    (0x0900, 0x097F, message("Devanagari")),
    (0x0980, 0x09FF, message("Bengali")),
    (0x0B80, 0x0BFF, message("Tamil")),
    (0x0E00, 0x0E7F, message("Thai")),
    (0x1100, 0x11FF, message("Hangul Jamo")),
    (0x1E00, 0x1EFF, message("Latin Extended Additional")),
    (0x1F00, 0x1FFF, message("Greek Extended")),
    (0x2000, 0x206F, message("General Punctuation")),
    (0x2070, 0x209F, message("Superscripts and Subscripts")),
    (0x20A0, 0x20CF, message("Currency Symbols")),
    (0x2100, 0x214F, message("Letterlike Symbols")),
    (0x2150, 0x218F, message("Number Forms")),
    (0x2190, 0x21FF, message("Arrows")),
    (0x2200, 0x22FF, message("Mathematical Operators")),
    (0x2460, 0x24FF, message("Enclosed Alphanumerics")),
    (0x2500, 0x257F, message("Box Drawing")),
    (0x25A0, 0x25FF, message("Geometric Shapes")),
    (0x2600, 0x26FF, message("Miscellaneous Symbols")),
    (0x2700, 0x27BF, message("Dingbats")),
    (0x2E80, 0x2EFF, message("CJK Radicals Supplement")),
    (0x2F00, 0x2FDF, message("Kangxi Radicals")),
    (0x2FF0, 0x2FFF, message("Ideographic Description Characters")),
    (0x3000, 0x303F, message("CJK Symbols and Punctuation")),
    (0x3040, 0x309F, message("Hiragana")),
    (0x30A0, 0x30FF, message("Katakana")),
    (0x3100, 0x312F, message("Bopomofo")),
    (0x3130, 0x318F, message("Hangul Compatibility Jamo")),
    (0x3190, 0x319F, message("Kanbun")),
    (0x31C0, 0x31EF, message("CJK Strokes")),
    (0x31F0, 0x31FF, message("Katakana Phonetic Extensions")),
    (0x3200, 0x32FF, message("Enclosed CJK Letters and Months")),
    (0x3300, 0x33FF, message("CJK Compatibility")),
    (0x3400, 0x4DBF, message("CJK Unified Ideographs Extension {letter}", letter="A")),
    (0x4E00, 0x9FFF, message("CJK Unified Ideographs")),
    (0xAC00, 0xD7AF, message("Hangul Syllables")),
    (0xE000, 0xF8FF, message("Private Use Area")),
    (0xF900, 0xFAFF, message("CJK Compatibility Ideographs")),
    (0xFE00, 0xFE0F, message("Variation Selectors")),
    (0xFE30, 0xFE4F, message("CJK Compatibility Forms")),
    (0xFF00, 0xFFEF, message("Halfwidth and Fullwidth Forms")),
    (0xFFF0, 0xFFFF, message("Specials")),
    (0x1F000, 0x1F02F, message("Mahjong Tiles")),
    (0x1F100, 0x1F1FF, message("Enclosed Alphanumeric Supplement")),
    (0x1F300, 0x1F5FF, message("Miscellaneous Symbols and Pictographs")),
    (0x1F600, 0x1F64F, message("Emoticons")),
    (0x1F680, 0x1F6FF, message("Transport and Map Symbols")),
    (0x1F900, 0x1F9FF, message("Supplemental Symbols and Pictographs")),
    (0x1FA70, 0x1FAFF, message("Symbols and Pictographs Extended-A")),
    (0x20000, 0x2A6DF, message("CJK Unified Ideographs Extension {letter}", letter="B")),
    (0x2A700, 0x2B73F, message("CJK Unified Ideographs Extension {letter}", letter="C")),
    (0x2B740, 0x2B81F, message("CJK Unified Ideographs Extension {letter}", letter="D")),
    (0x2B820, 0x2CEAF, message("CJK Unified Ideographs Extension {letter}", letter="E")),
    (0x2CEB0, 0x2EBEF, message("CJK Unified Ideographs Extension {letter}", letter="F")),
    (0x2EBF0, 0x2EE5F, message("CJK Unified Ideographs Extension {letter}", letter="I")),
    (0x2F800, 0x2FA1F, message("CJK Compatibility Ideographs Supplement")),
    (0x30000, 0x3134F, message("CJK Unified Ideographs Extension {letter}", letter="G")),
    (0x31350, 0x323AF, message("CJK Unified Ideographs Extension {letter}", letter="H")),
    (0x323B0, 0x3347F, message("CJK Unified Ideographs Extension {letter}", letter="J")),
    (0xE0100, 0xE01EF, message("Variation Selectors Supplement")),
)
"""First and last code point, and name, of Unicode's blocks that hold most characters of texts."""

_STARTS = [first for first, _last, _name in _BLOCKS]
_ROW = 64
"""Characters that share all bytes of their UTF-8 but the last."""


class Place(NamedTuple):
    """Place of a character in Unicode.

    >>> place = place_of("時")
    >>> place.code_point, place.utf8.hex(" "), place.block, place.shared.hex(" "), place.neighbours[:3]
    ('U+6642', 'e6 99 82', 'CJK Unified Ideographs', 'e6 99', '晀晁時')
    """

    char: str
    code_point: str
    utf8: bytes
    block: str
    """Name of its block, a message, or "" for one that is not listed here."""
    shared: bytes
    """All bytes of its UTF-8 but the last; empty for ASCII."""
    neighbours: str
    """The 64 characters that begin with these bytes, also unassigned code points; for ASCII, its half of the 128."""


def place_of(char: str) -> Place:
    """Place of a character in Unicode. Raises ConfigError unless it is one character of UTF-8.

    >>> place_of("々").block, place_of("ｶ").block, place_of("𠮷").block
    ('CJK Symbols and Punctuation', 'Halfwidth and Fullwidth Forms', 'CJK Unified Ideographs Extension B')
    """
    char = checks.utf8_text(char, "char")
    if len(char) != 1:
        raise checks.wrong(char, "char", message("It is one character."))
    code = ord(char)
    first, last, name = _BLOCKS[bisect_right(_STARTS, code) - 1]
    row = code - code % _ROW
    return Place(
        char=char,
        code_point=f"U+{code:04X}",
        utf8=char.encode(),
        block=name if first <= code <= last else "",
        shared=char.encode()[:-1],
        neighbours="".join(map(chr, range(row, row + _ROW))),
    )
