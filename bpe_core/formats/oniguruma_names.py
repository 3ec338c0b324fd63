"""Names of classes of characters in Oniguruma's regular expressions, and the same in the regex library."""

from __future__ import annotations

WORD_IN_CLASS = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
r"""\w in a class."""

WORD = f"{WORD_IN_CLASS}²³¹¼½¾"
r"""\w outside of classes, as it is written in one: six characters more."""

HEX = "0-9A-Fa-f"
r"""\h, as it is written in a class."""

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
r"""What \p{…} may name, in lower case and without separators, and the name of the same in the regex library."""

BRACKETS = {
    "alpha": r"\p{Alphabetic}",
    "digit": r"\p{Nd}",
    "space": r"\p{White_Space}",
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "xdigit": HEX,
    "word": WORD_IN_CLASS,
}
"""What may be between [: and :], and the same as it is written in a class."""
