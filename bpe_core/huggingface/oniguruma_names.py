"""Oniguruma's names of character classes, with their equivalents in the regex library."""

from __future__ import annotations

import re

WORD_IN_CLASS = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
r"""\w inside a class."""

WORD = f"{WORD_IN_CLASS}²³¹¼½¾"
r"""\w outside classes, as the content of a class: it has six more characters."""

HEX = "0-9A-Fa-f"
r"""\h, as the content of a class."""

_CATEGORIES = {
    "letter": "L",
    "uppercaseletter": "Lu",
    "lowercaseletter": "Ll",
    "titlecaseletter": "Lt",
    "modifierletter": "Lm",
    "otherletter": "Lo",
    "mark": "M",
    "nonspacingmark": "Mn",
    "spacingmark": "Mc",
    "enclosingmark": "Me",
    "number": "N",
    "decimalnumber": "Nd",
    "letternumber": "Nl",
    "othernumber": "No",
    "punctuation": "P",
    "connectorpunctuation": "Pc",
    "dashpunctuation": "Pd",
    "openpunctuation": "Ps",
    "closepunctuation": "Pe",
    "initialpunctuation": "Pi",
    "finalpunctuation": "Pf",
    "otherpunctuation": "Po",
    "symbol": "S",
    "mathsymbol": "Sm",
    "currencysymbol": "Sc",
    "modifiersymbol": "Sk",
    "othersymbol": "So",
    "separator": "Z",
    "spaceseparator": "Zs",
    "lineseparator": "Zl",
    "paragraphseparator": "Zp",
    "other": "C",
    "control": "Cc",
    "format": "Cf",
    "unassigned": "Cn",
    "privateuse": "Co",
}
_SCRIPTS = (
    "Arabic Armenian Bengali Bopomofo Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han "
    "Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala Syriac "
    "Tamil Telugu Thaana Thai Tibetan"
)
PROPERTIES = {
    **{name.lower(): name for name in _CATEGORIES.values()},
    **_CATEGORIES,
    **{name.lower(): name for name in _SCRIPTS.split()},
    "alphabetic": "Alphabetic",
    "alpha": "Alphabetic",
    "whitespace": "White_Space",
    "space": "White_Space",
    "digit": "Nd",
}
r"""Names in \p{…}, in lower case and without separators, with their names in the regex library."""

BRACKETS = {
    "alpha": r"\p{Alphabetic}",
    "digit": r"\p{Nd}",
    "space": r"\p{White_Space}",
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "xdigit": HEX,
    "word": WORD_IN_CLASS,
}
"""POSIX bracket names ([:…:]) with the equivalent class content."""

_COMMENT = r"\(\?#(?:[^\\)]|\\.)*\)"
SKIPPED = re.compile(rf"(?:{_COMMENT})+", re.DOTALL)
SKIPPED_IF_EXTENDED = re.compile(rf"(?:{_COMMENT}|[\t-\r ]|#[^\n]*(?:\n|\Z))+", re.DOTALL)
"""Comments, and with them the white space that flag x ignores."""

FOLDED = {"s": "\u017f", "k": "\u212a"}
"""Non-ASCII characters equal to these letters in case-insensitive patterns."""
