"""Division of a text at the matches of a pattern: the five behaviors of the tokenizers library, and inversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.arrays import ranges_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_core.text.character_rules import Behavior
    from bpe_core.text.pattern_limits import TimeLimit

Range = tuple[int, int]
"""Start and end, in characters."""

Edges = npt.NDArray[np.int64]
"""int64 (ranges, 2): starts and ends, in characters."""

_SAMPLE = 40
"""Minimum characters at the beginning of a text that are tested first for being covered by matches."""
_SHORT, _MOST_AT_ONCE = 100, 1 << 20
"""Minimum and maximum characters of a text whose matches are found at once: each takes 60 bytes or more."""
_START = np.zeros(1, np.int64)


def matches(pattern: regex.Pattern[str], text: str, limit: TimeLimit) -> list[Range]:
    """Matches of a pattern as in Oniguruma, which ignores an empty match directly after another match.

    Raises CorpusError if the time limit is exceeded.

    >>> import regex
    >>> from bpe_core.text.pattern_limits import TimeLimit
    >>> matches(regex.compile("a*"), "baac", TimeLimit(4))
    [(0, 0), (1, 3), (4, 4)]
    """
    return [(start, end) for start, end in match_edges(pattern, text, limit).tolist()]


def match_edges(pattern: regex.Pattern[str], text: str, limit: TimeLimit) -> Edges:
    """Result of `matches` in a tenth of the memory: int64 (matches, 2). Raises as `matches` does.

    >>> import regex
    >>> from bpe_core.text.pattern_limits import TimeLimit
    >>> match_edges(regex.compile("a*"), "baac", TimeLimit(4)).tolist()
    [[0, 0], [1, 3], [4, 4]]
    """
    while True:
        try:
            covering = _adjacent(pattern, text, limit)
            if covering is not None:
                return covering
            spans = (match.span() for match in pattern.finditer(text, timeout=limit.left(pattern.pattern)))
            found = np.fromiter((edge for span in spans for edge in span), np.int64).reshape(-1, 2)
            if (found[:, 0] < found[:, 1]).all():
                return found
            return np.array(_with_empty(pattern, text, limit), np.int64).reshape(-1, 2)
        except TimeoutError:
            limit.interrupted(pattern.pattern)
        except MemoryError:
            raise limit.out_of_memory(pattern.pattern) from None


def _adjacent(pattern: regex.Pattern[str], text: str, limit: TimeLimit) -> Edges | None:
    """Matches if they cover the whole text without gaps, found in a third of the time; otherwise None.

    Only the sizes of the matches are known: if they add up to the size of the text, there are no gaps. The beginning of
    the text is tried first.
    """
    if not _SHORT < len(text) <= _MOST_AT_ONCE or pattern.groups or pattern.flags & regex.REVERSE:
        return None
    found: list[str] = []
    for part in (text[: max(_SAMPLE, len(text) // 100)], text):
        found = pattern.findall(part, timeout=limit.left(pattern.pattern))
        if sum(map(len, found)) < len(part):
            return None
    sizes = np.fromiter(map(len, found), np.int64, len(found))
    ends = np.cumsum(sizes)
    return ranges_of(ends - sizes, ends) if sizes.all() else None


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


def divided(found: Edges, size: int, behavior: Behavior, *, invert: bool = False) -> Edges:
    """Pieces of a text of `size` characters, none empty, divided at the matches of a pattern.

    Removed             matches are dropped
    Isolated            each match is a piece
    MergedWithPrevious  a match ends the piece before it
    MergedWithNext      a match begins the piece after it
    Contiguous          matches without a gap between them are one piece

    `invert`: text between the matches counts as matches, and the matches do not.

    >>> found = np.array([(0, 1), (2, 3), (3, 4)])
    >>> [divided(found, 5, behavior).tolist() for behavior in ("Removed", "Contiguous")]
    [[[1, 2], [4, 5]], [[0, 1], [1, 2], [2, 4], [4, 5]]]
    """
    if behavior == "Removed" and invert:
        return _not_empty(found)
    edges = np.concatenate((_START, found.ravel(), np.array([size])))
    if behavior == "Removed":
        return _not_empty(edges.reshape(-1, 2))
    if behavior == "Isolated":
        return _not_empty(ranges_of(edges[:-1], edges[1:]))
    return _not_empty(np.array(_merged_parts(found.tolist(), size, behavior, invert), np.int64).reshape(-1, 2))


def _not_empty(edges: Edges) -> Edges:
    return edges[edges[:, 0] < edges[:, 1]]


def _merged_parts(found: Sequence[Range], size: int, behavior: Behavior, invert: bool) -> list[Range]:
    parts = _parts(found, size, invert=invert)
    if behavior == "MergedWithNext":
        mirrored = [(-end, -start, matched) for start, end, matched in reversed(parts)]
        return [(-end, -start) for start, end in reversed(_merged(mirrored, behavior))]
    return _merged(parts, behavior)


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
