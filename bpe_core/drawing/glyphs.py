"""Text in display form: characters, marks, names and hex, each with its width in columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import regex

from bpe_core.text.marks import CIRCLE, MARK, NAME, PLAIN, shown_pieces

NARROW, WIDE = 0.602, 1.0
"""Widths of monospaced characters in units of the font size: most characters, and full-width East Asian ones."""
EMOJI = 1.2
SMALL = 0.68
"""Relative font size of names and hex."""
MARGIN = 0.28
"""Padding of the box around a name."""

HEX = "hex"
"""Kind of a piece of raw bytes; `shown_pieces` defines the other kinds."""

_ASCII = regex.compile(r"[\x21-\x7e]*")
_PICTURE = regex.compile(r"\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[#*0-9]\ufe0f\u20e3|\p{RI}")
_CLUSTER = regex.compile(r"\X")


class DrawnPiece(NamedTuple):
    """Displayed part of a text. `width`: in units of the font size. `breaks`: whether a line ends after it.

    >>> DrawnPiece("low", "plain", 1.806).breaks
    False
    """

    text: str
    kind: str
    width: float
    breaks: bool = False


def pieces(text: str) -> list[DrawnPiece]:
    """Text in pieces: white space as marks, invisible and forbidden characters by name, a lone accent on a circle.

    >>> [(piece.text, piece.kind) for piece in pieces("a b\\x00")]
    [('a', 'plain'), ('·', 'mark'), ('b', 'plain'), ('NUL', 'name')]
    """
    if _ASCII.fullmatch(text):
        return [DrawnPiece(text, PLAIN, NARROW * len(text))] if text else []
    found: list[DrawnPiece] = []
    circle = ""
    for source, shown, kind in shown_pieces(text):
        if kind == CIRCLE:
            circle = shown
            continue
        if kind == NAME:
            found.append(small(shown, NAME))
        elif kind == MARK:
            found.append(DrawnPiece(shown, MARK, WIDE if is_wide(source) else NARROW, source == "\n"))
        else:
            found.append(DrawnPiece(circle + shown, PLAIN, columns(circle + shown)))
        circle = ""
    return found


def small(text: str, kind: str) -> DrawnPiece:
    """Name or hex as a piece: small, in a box.

    >>> small("E3 81", HEX).kind
    'hex'
    """
    return DrawnPiece(text, kind, NARROW * SMALL * len(text) + 2 * MARGIN)


def columns(text: str) -> float:
    """Width of a text without marks, in units of the font size; combining marks and joiners have none.

    >>> columns("ab"), columns("e\\u0301"), columns("日本"), columns("👩‍👧")
    (1.204, 0.602, 2.0, 1.2)
    """
    return sum(_cluster_width(cluster) for cluster in _CLUSTER.findall(text))


def clusters(piece: DrawnPiece) -> Iterator[DrawnPiece]:
    """Clusters of a piece: its shortest parts between which a line may break.

    >>> [len(part.text) for part in clusters(DrawnPiece("e\\u0301a", PLAIN, 1.204))]
    [2, 1]
    """
    if piece.kind != PLAIN:
        yield piece
        return
    for cluster in _CLUSTER.findall(piece.text):
        yield DrawnPiece(cluster, PLAIN, _cluster_width(cluster))


def is_wide(char: str) -> bool:
    """Whether a character is full-width, as East Asian ones are; a line may break between two of them.

    >>> is_wide("日"), is_wide("a")
    (True, False)
    """
    return unicodedata.east_asian_width(char) in "WF"


def _cluster_width(cluster: str) -> float:
    if _PICTURE.search(cluster):
        return EMOJI
    return max((_width(char) for char in cluster), default=0.0)


def _width(char: str) -> float:
    if is_wide(char):
        return WIDE
    return 0.0 if unicodedata.category(char) in ("Mn", "Me", "Cf") else NARROW
