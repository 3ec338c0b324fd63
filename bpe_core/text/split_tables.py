"""Which characters the tokenizers library takes for punctuation, numbers and scripts, and which it does not know yet.

The library has several tables of Unicode, of different versions, all of them other than Python's and than those of the
regex library. split_tables.json holds what differs, as ranges of code points in hexadecimal. It was read from the
library itself, code point by code point, and the tests do so again.

    punctuation   its own punctuation: ASCII's and the categories P of an old version
    numeric       Rust's char::is_numeric
    later         characters that the regex library knows and the library's regular expressions do not
    scripts       first code point and script (a number) of every range; 0 goes with any script
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

_TABLE: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
_UNASSIGNED = ("\u2fe0", "\U0001fffd", "\U0002fffd", "\U0003fffd")
"""A code point without a character in each plane, of as many bytes as the characters there."""
_SHORT = "\u0378"
"""The same of two bytes."""
_STAND_INS = {"\u0295": "\u0138"}
"""Of category Ll for the library and Lo for the regex library, and a character of category Ll for both."""


def _class(name: str) -> str:
    """The ranges of a table as they are written between [ and ]."""
    return "".join(_escaped(*each.split("-")) for each in _TABLE[name].split())


def _escaped(first: str, last: str = "") -> str:
    return rf"\U{first:0>8}-\U{last or first:0>8}"


NUMERIC = _class("numeric")
"""What Rust's char::is_numeric is true for, as it is written in a class of a regular expression."""

PUNCTUATION = _class("punctuation")
"""What the library takes for punctuation, as it is written in a class of a regular expression."""

LETTERS = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}"
r"""\w of Rust's regular expressions, as it is written in a class of the regex library."""


def as_the_library_sees(text: str) -> str:
    r"""The text with stand-ins for characters that the library's regular expressions see otherwise; none moves.

    A stand-in has as many bytes as its character.

    >>> ascii(as_the_library_sees("ab\u088f"))
    "'ab\\u2fe0'"
    """
    if text.isascii() or not (suspicious := _suspicious()).search(text):
        return text
    return suspicious.sub(lambda found: _stand_in(found[0]), text)


def may_be_seen_otherwise(utf8: bytes) -> bool:
    r"""Whether a text may have characters that `as_the_library_sees` replaces; if not, it surely has none.

    >>> may_be_seen_otherwise("é 漢".encode()), may_be_seen_otherwise("\u088f".encode())
    (False, True)
    """
    if utf8.isascii():
        return False
    data = np.frombuffer(utf8, np.uint8)
    leads = np.flatnonzero(data >= _FIRST_LEAD)
    return bool(_pairs()[data[leads].astype(np.intp) << 8 | data[leads + 1]].any())


_FIRST_LEAD = 0xC2
"""The lowest byte that begins a character of two bytes or more."""


@cache
def _pairs() -> npt.NDArray[np.bool_]:
    """Which first two bytes characters with a stand-in have: bool[65536]."""
    ranges = [[int(edge, 16) for edge in each.split("-")] for each in _TABLE["later"].split()]
    codes = np.concatenate([np.arange(each[0], each[-1] + 1) for each in ranges])
    chars = [*map(chr, codes[~((codes >= 0xD800) & (codes < 0xE000))].tolist()), *_STAND_INS]
    found = np.zeros(1 << 16, np.bool_)
    found[sorted({char.encode()[0] << 8 | char.encode()[1] for char in chars})] = True
    return found


@cache
def _suspicious() -> re.Pattern[str]:
    """Characters that may need a stand-in: few of the Basic Multilingual Plane, and all others, which is quick."""
    later = "".join(_escaped(*each.split("-")) for each in _TABLE["later"].split() if len(each.split("-")[0]) < 5)
    return re.compile(f"[{later}{''.join(_STAND_INS)}\U00010000-\U0010ffff]")


@cache
def _later() -> re.Pattern[str]:
    return re.compile(f"[{_class('later')}]")


def _stand_in(char: str) -> str:
    if _later().match(char):
        return _SHORT if char < "\u0800" else _UNASSIGNED[ord(char) >> 16]
    return _STAND_INS.get(char, char)


def script_numbers(text: str) -> npt.NDArray[np.int64]:
    """The script of every character as a number, 0 for one that goes with any: int64[len(text)].

    Kana are of the same script as Chinese characters.

    >>> found = script_numbers("aб 漢カ")
    >>> found[2].item(), found[3] == found[4], len(set(found.tolist()))
    (0, np.True_, 4)
    """
    firsts, numbers = _scripts()
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return numbers[np.searchsorted(firsts, codes, side="right") - 1]


@cache
def _scripts() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    rows = [each.split(":") for each in _TABLE["scripts"].split()]
    firsts, numbers = np.array([[int(first, 16), int(number, 16)] for first, number in rows], np.int64).T.copy()
    return firsts, numbers
