"""Punctuation, numbers and scripts in the tokenizers library, and characters that it does not know yet.

The library has several Unicode tables of different versions, none of them that of Python or of the regex library.
split_tables.json lists the differences, as ranges of code points in hexadecimal. It was read from the library, code
point by code point, and the tests repeat this.

    punctuation   its own punctuation: ASCII's and the categories P of an old version
    numeric       Rust's char::is_numeric
    later         characters known to the regex library, but not to the library's regular expressions
    scripts       first code point and script (a number) of every range; 0 matches any script
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bpe_core.text.utf8 import code_points

if TYPE_CHECKING:
    from bpe_core.kernels.scan import StandIns

_TABLE: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
_UNASSIGNED = ("\u2fe0", "\U0001fffd", "\U0002fffd", "\U0003fffd")
"""Unassigned code point in each plane, with as many UTF-8 bytes as the characters there."""
_SHORT = "\u0378"
"""Unassigned code point of two UTF-8 bytes."""
_STAND_INS = {"\u0295": "\u0138"}
"""Category Ll in the library and Lo in the regex library → a character of category Ll in both."""


def _class(name: str) -> str:
    """Ranges of a table in the syntax of a character class, without the brackets."""
    return "".join(_escaped(*each.split("-")) for each in _TABLE[name].split())


def _escaped(first: str, last: str = "") -> str:
    return rf"\U{first:0>8}-\U{last or first:0>8}"


NUMERIC_RANGES = _TABLE["numeric"]
"""Characters for which Rust's char::is_numeric is true: ranges of code points."""

PUNCTUATION_RANGES = _TABLE["punctuation"]
"""Punctuation of the library: ranges of code points."""

PUNCTUATION = _class("punctuation")
"""Punctuation of the library, in the syntax of a character class."""

LETTERS = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}"
r"""\w of Rust's regular expressions, in the syntax of a character class of the regex library."""


def as_the_library_sees(text: str) -> str:
    r"""Replace characters that the library's regular expressions classify differently by stand-ins, in place.

    A stand-in has as many bytes as its character.

    >>> ascii(as_the_library_sees("ab\u088f"))
    "'ab\\u2fe0'"
    """
    if text.isascii() or not (suspicious := _suspicious()).search(text):
        return text
    return suspicious.sub(lambda found: _stand_in(found[0]), text)


@cache
def stand_ins() -> StandIns:
    """Characters that `as_the_library_sees` replaces, as ranges of code points with the stand-in of each.

    >>> (0x88F, 0x88F, 0x2FE0) in stand_ins()
    True
    """
    edges = [[int(edge, 16) for edge in each.split("-")] for each in _TABLE["later"].split()]
    later = ((each[0], each[-1], ord(_unassigned(each[0]))) for each in edges)
    return (*later, *((ord(char), ord(char), ord(other)) for char, other in _STAND_INS.items()))


@cache
def _suspicious() -> re.Pattern[str]:
    """Pattern of characters that may need a stand-in: few in the Basic Multilingual Plane, for speed all others."""
    later = "".join(_escaped(*each.split("-")) for each in _TABLE["later"].split() if len(each.split("-")[0]) < 5)
    return re.compile(f"[{later}{''.join(_STAND_INS)}\U00010000-\U0010ffff]")


@cache
def _later() -> re.Pattern[str]:
    return re.compile(f"[{_class('later')}]")


def _stand_in(char: str) -> str:
    if _later().match(char):
        return _unassigned(ord(char))
    return _STAND_INS.get(char, char)


def _unassigned(code: int) -> str:
    return _SHORT if code < 0x800 else _UNASSIGNED[code >> 16]


def script_numbers(text: str) -> npt.NDArray[np.int64]:
    """Script of every character as a number, 0 for one that matches any: int64[len(text)].

    Kana have the same script as Chinese characters.

    >>> found = script_numbers("aб 漢カ")
    >>> found[2].item(), found[3] == found[4], len(set(found.tolist()))
    (0, np.True_, 4)
    """
    firsts, numbers = _scripts()
    return numbers[np.searchsorted(firsts, code_points(text), side="right") - 1]


@cache
def _scripts() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    rows = [each.split(":") for each in _TABLE["scripts"].split()]
    firsts, numbers = np.array([[int(first, 16), int(number, 16)] for first, number in rows], np.int64).T.copy()
    return firsts, numbers
