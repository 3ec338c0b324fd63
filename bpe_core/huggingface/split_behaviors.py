"""Division of a text at the matches of a pattern: the five behaviors of the tokenizers library, and inversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    import regex

    from bpe_core.text.character_rules import Behavior
    from bpe_core.text.splits import TimeLimit

Range = tuple[int, int]
"""Start and end, in characters."""


def matches(pattern: regex.Pattern[str], text: str, limit: TimeLimit) -> list[Range]:
    """Matches of a pattern as in Oniguruma, which ignores an empty match directly after another match.

    Raises CorpusError if the time limit is exceeded.

    >>> import regex
    >>> from bpe_core.text.splits import TimeLimit
    >>> matches(regex.compile("a*"), "baac", TimeLimit(4))
    [(0, 0), (1, 3), (4, 4)]
    """
    return [(start, end) for start, end in match_edges(pattern, text, limit).tolist()]


def match_edges(pattern: regex.Pattern[str], text: str, limit: TimeLimit) -> npt.NDArray[np.int64]:
    """Result of `matches` in a tenth of the memory: int64 (matches, 2). Raises CorpusError likewise.

    >>> import regex
    >>> from bpe_core.text.splits import TimeLimit
    >>> match_edges(regex.compile("a*"), "baac", TimeLimit(4)).tolist()
    [[0, 0], [1, 3], [4, 4]]
    """
    while True:
        try:
            spans = (match.span() for match in pattern.finditer(text, timeout=limit.left(pattern.pattern)))
            found = np.fromiter((edge for span in spans for edge in span), np.int64).reshape(-1, 2)
            if (found[:, 0] < found[:, 1]).all():
                return found
            return np.array(_with_empty(pattern, text, limit), np.int64).reshape(-1, 2)
        except TimeoutError:
            limit.interrupted(pattern.pattern)
        except MemoryError:
            raise limit.exceeded(pattern.pattern) from None


def _with_empty(pattern: regex.Pattern[str], text: str, limit: TimeLimit) -> list[Range]:
    found: list[Range] = []
    at, last_end = 0, -1
    while at <= len(text):
        match = pattern.search(text, at, timeout=limit.left(pattern.pattern))
        if match is None:
            break
        start, end = match.span()
        if start == end == last_end:
            at = end + 1
            continue
        found.append((start, end))
        at = last_end = end
    return found


def divided(found: Sequence[Range], size: int, behavior: Behavior, *, invert: bool = False) -> list[Range]:
    """Pieces of a text of `size` characters, none empty, divided at the matches of a pattern.

    Removed             matches are dropped
    Isolated            each match is a piece
    MergedWithPrevious  a match ends the piece before it
    MergedWithNext      a match begins the piece after it
    Contiguous          matches without a gap between them are one piece

    `invert`: text between the matches counts as matches, and the matches do not.

    >>> found = [(0, 1), (2, 3), (3, 4)]
    >>> [divided(found, 5, behavior) for behavior in ("Removed", "Contiguous")]
    [[(1, 2), (4, 5)], [(0, 1), (1, 2), (2, 4), (4, 5)]]
    """
    if behavior == "Removed" and invert:
        return [each for each in found if each[0] < each[1]]
    if behavior in ("Removed", "Isolated"):
        return _gaps(found, size, keep=behavior == "Isolated")
    parts = _parts(found, size, invert=invert)
    if behavior == "MergedWithNext":
        mirrored = [(-end, -start, matched) for start, end, matched in reversed(parts)]
        pieces = [(-end, -start) for start, end in reversed(_merged(mirrored, behavior))]
    else:
        pieces = _merged(parts, behavior)
    return [each for each in pieces if each[0] < each[1]]


def _gaps(found: Sequence[Range], size: int, *, keep: bool) -> list[Range]:
    """Ranges between the matches, and the matches too if `keep`."""
    pieces = []
    at = 0
    for each in found:
        start, end = each
        if at < start:
            pieces.append((at, start))
        if keep and start < end:
            pieces.append(each)
        at = end
    if at < size:
        pieces.append((at, size))
    return pieces


def _parts(found: Sequence[Range], size: int, *, invert: bool) -> list[tuple[int, int, bool]]:
    """Matches, even if empty, and the ranges between them, with whether each counts as a match."""
    parts = []
    at = 0
    for start, end in found:
        if at < start:
            parts.append((at, start, invert))
        parts.append((start, end, not invert))
        at = end
    if at < size:
        parts.append((at, size, invert))
    return parts


def _merged(parts: Sequence[tuple[int, int, bool]], behavior: Behavior) -> list[Range]:
    pieces: list[Range] = []
    previous = False
    for start, end, matched in parts:
        merges = matched == previous if behavior == "Contiguous" else matched and not previous
        if merges and pieces:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
        previous = matched
    return pieces
