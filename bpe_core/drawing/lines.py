"""Line layout of tokens: line breaks, and visual order in bidirectional text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bpe_core.drawing.glyphs import DrawnPiece, clusters, is_wide
from bpe_core.text.marks import MARK, PLAIN


class Box(NamedTuple):
    """Token, or the part of one on a line. `item`: its index in the wrapped list.

    `whole`: whether it is the first part. `last`: whether it is the last part. `least`: its minimum width.

    >>> Box(0, (DrawnPiece("low", "plain", 1.806),)).width
    1.806
    """

    item: int
    pieces: tuple[DrawnPiece, ...]
    whole: bool = True
    last: bool = True
    least: float = 0.0

    @property
    def width(self) -> float:
        """Width in units of the font size."""
        return max(self.least, sum(piece.width for piece in self.pieces))


def wrapped(items: Sequence[Sequence[DrawnPiece]], room: float, gap: float, least: Sequence[float]) -> list[list[Box]]:
    """Wrap tokens, each as its pieces, to lines of the width `room`, in logical order. Lines break as in text.

    A line breaks before white space and next to East Asian characters; within a word only if it is longer than a line.
    `gap`: between two tokens. `least`: minimum width of each token. All in units of the font size.

    >>> low, space, er = DrawnPiece("low", "plain", 2), DrawnPiece("·", "mark", 1), DrawnPiece("er", "plain", 1)
    >>> line, rest = wrapped([[low], [space, er]], 3, 0, [0, 0])
    >>> [box.item for box in line], [box.item for box in rest]
    ([0], [1])
    """
    lines: list[list[Box]] = [[]]
    used = 0.0
    for word in _words(_parts(items, least)):
        needed = sum(part.width + gap * part.whole for part in word)
        if lines[-1] and used + needed > room:
            lines.append([])
            used = 0.0
        for part in word if needed <= room else _fitting(word, room - gap):
            width = part.width + gap * part.whole
            if lines[-1] and used + width > room:
                lines.append([])
                used = 0.0
            _append(lines[-1], part)
            used += width
            if part.pieces[-1].breaks:
                lines.append([])
                used = 0.0
    return lines if lines[-1] or len(lines) == 1 else lines[:-1]


def _parts(items: Sequence[Sequence[DrawnPiece]], least: Sequence[float]) -> Iterator[Box]:
    """Parts of each token between possible line breaks: after a newline, before white space within it."""
    for item, pieces in enumerate(items):
        first = 0
        for at in range(1, len(pieces) + 1):
            inner = at < len(pieces)
            before = pieces[at - 1]
            if inner and not before.breaks and (pieces[at].kind != MARK or before.kind == MARK):
                continue
            yield Box(item, tuple(pieces[first:at]), first == 0, not inner, least[item] * (first == 0))
            first = at


def _words(parts: Iterable[Box]) -> Iterator[list[Box]]:
    """Groups of parts that stay on one line if they fit."""
    word: list[Box] = []
    for part in parts:
        if word and _may_break(word[-1].pieces[-1], part.pieces[0]):
            yield word
            word = []
        word.append(part)
    if word:
        yield word


def _may_break(before: DrawnPiece, after: DrawnPiece) -> bool:
    if before.kind == MARK:
        return after.kind != MARK or before.breaks
    return after.kind == MARK or is_wide(before.text[-1]) or is_wide(after.text[0])


def _fitting(word: list[Box], room: float) -> Iterator[Box]:
    """Parts of a word that is longer than a line; parts that do not fit are divided into single characters."""
    for part in word:
        if part.width <= room:
            yield part
            continue
        every = [each for piece in part.pieces for each in clusters(piece)]
        for at, each in enumerate(every):
            inner = at < len(every) - 1
            yield Box(part.item, (each,), part.whole and at == 0, part.last and not inner, part.least * (at == 0))


def _append(line: list[Box], part: Box) -> None:
    """Append a part to a line: to the box of its own token if that is the last on the line."""
    if not line or line[-1].item != part.item:
        line.append(part)
        return
    before = line.pop()
    pieces = list(before.pieces)
    for piece in part.pieces:
        if pieces[-1].kind == piece.kind == PLAIN:
            pieces[-1] = DrawnPiece(pieces[-1].text + piece.text, PLAIN, pieces[-1].width + piece.width)
        else:
            pieces.append(piece)
    line.append(Box(part.item, tuple(pieces), before.whole, part.last, before.least))


def strong(text: str) -> str:
    """Direction of the first strongly directional character, "ltr" or "rtl"; "number" for digits alone, "" for none.

    >>> strong("שלום"), strong("67"), strong(", ")
    ('rtl', 'number', '')
    """
    number = ""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
        if kind in ("EN", "AN"):
            number = "number"
    return number


def resolved(texts: Sequence[str], base: str) -> list[str]:
    """Direction of each token of a line: "ltr", "rtl", or "number" for one that continues another number.

    `base`: direction of the line. Numbers take the direction of the text before them, and in a line of Hebrew each is
    left to right; neutral tokens take the direction of their neighbours if these agree, otherwise that of the line.

    >>> resolved(["abc", " ", "שלום", " ", "דג", " 6", "7"], "ltr")
    ['ltr', 'ltr', 'rtl', 'rtl', 'rtl', 'number', 'number']
    """
    own: list[str] = []
    before = base
    for text in texts:
        kind = strong(text)
        if kind == "number" and before == "ltr":
            kind = "ltr"
        own.append(kind)
        before = kind if kind in ("ltr", "rtl") else before
    after = [base] * (len(own) + 1)
    for at in reversed(range(len(own))):
        after[at] = _side(own[at]) or after[at + 1]
    before = base
    for at, kind in enumerate(own):
        own[at] = kind or (before if before == after[at] else base)
        before = _side(kind) or before
    for at, kind in enumerate(own):  # a number within one token counts as a word
        if kind == "number" and not _goes_on(texts, own, at) and not _goes_on(texts, own, at + 1):
            own[at] = "rtl"
    return own


def visual_order(texts: Sequence[str], directions: Sequence[str], base: str) -> list[int]:
    """Indices of tokens from left to right. `directions`: result of `resolved`; `base`: direction of the line.

    Tokens of one direction form a run. Runs are ordered in the direction of the line, tokens within a run in that of
    the run, those of one number from left to right.

    >>> visual_order(["a", "ש", " ", "ד", "b"], ["ltr", "rtl", "rtl", "rtl", "ltr"], "ltr")
    [0, 3, 2, 1, 4]
    >>> visual_order(["ש", " 6", "7", " 8"], ["rtl", "number", "number", "rtl"], "rtl")
    [3, 1, 2, 0]
    """
    runs: list[tuple[str, list[list[int]]]] = []
    for at, kind in enumerate(directions):
        if not runs or runs[-1][0] != _side(kind):
            runs.append((_side(kind), []))
        if kind == "number" and runs[-1][1] and _goes_on(texts, directions, at):
            runs[-1][1][-1].append(at)
        else:
            runs[-1][1].append([at])
    if base == "rtl":
        runs.reverse()
    return [at for side, units in runs for unit in (units if side == "ltr" else reversed(units)) for at in unit]


def _side(kind: str) -> str:
    return "rtl" if kind == "number" else kind


def _goes_on(texts: Sequence[str], directions: Sequence[str], at: int) -> bool:
    """Whether a token and the one before it are digits of one number."""
    pair = directions[max(0, at - 1) : at + 1]
    return at > 0 and list(pair) == ["number", "number"] and not texts[at][:1].isspace()
