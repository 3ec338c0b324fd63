"""Initial pieces of a Unigram training: every character, then the most frequent longer substrings."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

from bpe_core.errors import CorpusError
from bpe_core.language import message

MOST_PLACES = 5_000_000
"""Limit on the occurrences of all seed pieces in the distinct words."""

Places = npt.NDArray[np.int64]


def seed_counts(words: Sequence[str], counts: Sequence[int], size: int) -> dict[str, int]:
    """Characters with their counts in first-seen order, then longer substrings, up to `size` pieces.

    Substrings are sorted by count, then in first-seen order. All characters are kept, whatever `size` is.

    Every occurrence counts, overlaps included, times the count of its word. Most substrings are never counted: a
    substring occurs at most as often as its prefix without the last character, and is seen after it, so only those with
    an accepted prefix are considered. Raises CorpusError if the pieces have more than MOST_PLACES occurrences, because
    every training round scans all of them.

    >>> seed_counts(["▁hug", "▁hugs"], [2, 1], 8)
    {'▁': 3, 'h': 3, 'u': 3, 'g': 3, 's': 1, '▁h': 3, '▁hu': 3, '▁hug': 3}
    """
    text = "".join(words)
    chars = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    lengths = np.array([len(word) for word in words], np.int64)
    weights = np.repeat(np.array(counts, np.int64), lengths)
    ends = np.repeat(np.cumsum(lengths), lengths)  # end of the word at each place
    every = np.arange(len(text))

    def grow(places: Places, length: int) -> list[tuple[int, int, int, Places]]:
        """Extend these substrings by one character: (−count, first place, length + 1, places), in sort order."""
        places = places[places + length < ends[places]]
        following = chars[places + length]
        order = np.argsort(following, kind="stable")
        edges = np.flatnonzero(np.diff(following[order])) + 1
        groups = np.split(places[order], edges) if len(places) else []
        return [(-int(weights[group].sum()), int(group[0]), length + 1, group) for group in groups]

    taken = {text[first]: -count for count, first, _, _ in sorted(grow(every, 0), key=lambda found: found[1])}
    waiting = [found for _, first, _, places in grow(every, 0) for found in grow(places, 1)]
    heapify(waiting)
    found_at = len(text)
    while waiting and len(taken) < size:
        count, first, length, places = heappop(waiting)
        found_at += len(places)
        if found_at > MOST_PLACES:
            raise CorpusError(
                message(
                    "The first {number:,} pieces of the seed occur at {places:,} places of the text.",
                    number=len(taken) + 1,
                    places=found_at,
                ),
                limit=message("Unigram takes {most:,} places at most.", most=MOST_PLACES),
                remedy=message(
                    "The words of this text repeat themselves: take a shorter text, or a smaller seed_size."
                ),
            )
        taken[text[first : first + length]] = -count
        for found in grow(places, length):
            heappush(waiting, found)
    return taken
