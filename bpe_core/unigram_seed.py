"""The pieces that a Unigram training begins with: every letter, then the most frequent longer substrings."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

from bpe_core.errors import CorpusError

MOST_PLACES = 300_000
"""Places of the distinct words where a piece of the seed may stand, all pieces together."""

Places = npt.NDArray[np.int64]


def seed_counts(words: Sequence[str], counts: Sequence[int], size: int) -> dict[str, int]:
    """The letters and their counts in first-seen order, then substrings of two letters or more, the most frequent
    first and in first-seen order among equals, until there are `size` pieces. The letters are kept whatever `size` is.

    Substrings are counted wherever they begin, times the count of their word. Not all are counted: a substring stands
    at most as often as the one that lacks its last letter, and is seen after it, so only those are looked at whose
    beginnings are already taken. Raises CorpusError when the pieces stand at more than MOST_PLACES places: every round
    of the training looks at each of them.

    >>> seed_counts(["▁hug", "▁hugs"], [2, 1], 8)
    {'▁': 3, 'h': 3, 'u': 3, 'g': 3, 's': 1, '▁h': 3, '▁hu': 3, '▁hug': 3}
    """
    text = "".join(words)
    letters = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    lengths = np.array([len(word) for word in words], np.int64)
    weights = np.repeat(np.array(counts, np.int64), lengths)
    ends = np.repeat(np.cumsum(lengths), lengths)  # where the word of each place ends
    every = np.arange(len(text))

    def grow(places: Places, length: int) -> list[tuple[int, int, int, Places]]:
        """The substrings of `length` + 1 letters that begin at some of the places: (−count, first place, length + 1,
        places), so that they sort as wanted."""
        places = places[places + length < ends[places]]
        following = letters[places + length]
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
                f"The first {len(taken) + 1:,} pieces of the seed stand at {found_at:,} places of the text.",
                limit=f"Unigram takes {MOST_PLACES:,} places at most.",
                remedy="This text repeats itself within its words: take a shorter one, or a smaller seed_size.",
            )
        taken[text[first : first + length]] = -count
        for found in grow(places, length):
            heappush(waiting, found)
    return taken
