"""Script of a token: Latin, Han, Cyrillic …, or digits, punctuation, white space, emoji."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.language import message
from bpe_core.text.utf8 import code_points

_WRITTEN = (
    message("Latin"), message("Greek"), message("Cyrillic"), message("Han"), message("Hiragana"), message("Katakana"),
    message("Hangul"), message("Arabic"), message("Hebrew"), message("Devanagari"), message("Bengali"),
    message("Gurmukhi"), message("Gujarati"), message("Tamil"), message("Telugu"), message("Kannada"),
    message("Malayalam"), message("Sinhala"), message("Thai"), message("Lao"), message("Khmer"), message("Myanmar"),
    message("Tibetan"), message("Georgian"), message("Armenian"), message("Ethiopic"),
)  # fmt: skip

OTHER, MIXED, DIGITS, EMOJI, PUNCTUATION, SPACE = (
    message("Other"), message("Mixed"), message("Digits"), message("Emoji"), message("Punctuation"),
    message("White space"),
)  # fmt: skip
PART, SPECIAL = message("Part of a character"), message("Special token")

SCRIPTS = (*_WRITTEN, DIGITS, PUNCTUATION, SPACE, EMOJI, MIXED, OTHER, PART, SPECIAL)
"""All possible kinds; a code is an index into this tuple."""

CODES: dict[str, int] = {name: code for code, name in enumerate(SCRIPTS)}

# Character classes, one bit each. The first match wins; characters without one (controls, joiners) are 0.
_CLASSES = (
    (DIGITS, r"\p{N}"),
    (EMOJI, r"[\p{Emoji_Presentation}\p{Emoji_Modifier}\p{RI}]|(?=[\u2600-\U0010FFFF])\p{Extended_Pictographic}"),
    (SPACE, r"\s"),
    *((script, rf"(?=[\p{{L}}\p{{M}}])\p{{Script={script}}}") for script in _WRITTEN),
    (OTHER, r"(?=[\p{L}\p{M}])[^\p{Script=Common}\p{Script=Inherited}]"),
    (PUNCTUATION, r"[\p{P}\p{S}]"),
)
_CHARACTER = regex.compile("|".join(f"({pattern})" for _, pattern in _CLASSES))
_NAMES = tuple(name for name, _ in _CLASSES)
_LETTERS = sum(1 << bit for bit, name in enumerate(_NAMES) if name in _WRITTEN or name == OTHER)
_WITHOUT_LETTERS = (EMOJI, DIGITS, PUNCTUATION, SPACE)


def script_codes(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    """uint8: scripts of many texts, as indices into SCRIPTS.

    Only letters count, regardless of digits, punctuation and spaces; letters of several scripts give "Mixed". Without
    letters it is the first of emoji, digits, punctuation (or symbols) and white space that the text contains.

    >>> texts = " don't", "日", "日は", "1.", "?\\n", "\\n", "👩\\u200d🚀", "\\0"
    >>> [SCRIPTS[code] for code in script_codes(texts)]
    ['Latin', 'Han', 'Mixed', 'Digits', 'Punctuation', 'White space', 'Emoji', 'Other']
    """
    return _codes(_joined(_bits("".join(texts)), [len(text) for text in texts]))


def script_codes_of_ranges(
    text: str, firsts: npt.NDArray[np.integer[Any]], lasts: npt.NDArray[np.integer[Any]]
) -> npt.NDArray[np.uint8]:
    """uint8: scripts of ranges of a text, which may overlap; linear in the text.

    `firsts`, `lasts`: first character of each range, and one after its last.

    >>> script_codes_of_ranges("aя", np.array([0, 1]), np.array([1, 2])).tolist()
    [0, 2]
    """
    bits = _bits(text)
    masks = np.zeros(len(firsts), np.uint64)
    for bit in range(len(_CLASSES)):
        has = (bits & np.uint64(1 << bit)) != 0
        if has.any():
            before = np.concatenate((np.zeros(1, np.int32), np.cumsum(has, dtype=np.int32)))
            masks[before[lasts] > before[firsts]] |= np.uint64(1 << bit)
    return _codes(masks)


def _bits(text: str) -> npt.NDArray[np.uint64]:
    """Class of each character, as one bit; each distinct character is looked up once."""
    distinct, place = np.unique(code_points(text), return_inverse=True)
    return np.array([_bit(chr(code)) for code in distinct.tolist()], np.uint64)[place] if len(distinct) else _NO_BITS


def _codes(masks: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    distinct, inverse = np.unique(masks, return_inverse=True)
    return np.array([_code(mask) for mask in distinct.tolist()], np.uint8)[inverse]


_NO_BITS = np.zeros(0, np.uint64)


def _bit(character: str) -> int:
    match = _CHARACTER.match(character)
    return 0 if match is None or match.lastindex is None else 1 << (match.lastindex - 1)


def _joined(bits: npt.NDArray[np.uint64], lengths: list[int]) -> npt.NDArray[np.uint64]:
    """Bitwise or of each text's character classes; 0 for an empty text."""
    ends = np.cumsum(lengths, dtype=np.int64)
    masks = np.zeros(len(lengths), np.uint64)
    filled = np.flatnonzero(lengths)
    if len(filled):
        masks[filled] = np.bitwise_or.reduceat(bits, (ends - lengths)[filled])
    return masks


def _code(mask: int) -> int:
    letters = mask & _LETTERS
    if letters:
        return CODES[MIXED if letters & (letters - 1) else _NAMES[letters.bit_length() - 1]]
    return CODES[next((name for name in _WITHOUT_LETTERS if mask & 1 << _NAMES.index(name)), OTHER)]
