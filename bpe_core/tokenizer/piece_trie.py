"""PieceTrie: finds the vocabulary pieces that begin at a place in a word, character by character."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter


class PieceTrie:
    """Sorted pieces with their indices; a search ends where no piece continues. Needs little memory.

    For duplicate pieces, the last index is used. An empty piece matches nothing.

    >>> trie = PieceTrie([("h", 0), ("hug", 1), ("hugs", 2), ("u", 3)])
    >>> list(trie.matches("hugging", 0))
    [(1, 0), (3, 1)]
    """

    def __init__(self, pieces: Iterable[tuple[str, int]]) -> None:
        known = dict(pieces)
        known.pop("", None)
        self._pieces = sorted(known)
        self._numbers = [known[piece] for piece in self._pieces]
        firsts = groupby(range(len(self._pieces)), key=lambda at: self._pieces[at][0])
        groups = ((char, list(places)) for char, places in firsts)
        self._ranges = {char: (places[0], places[-1] + 1) for char, places in groups}

    def matches(self, text: str, start: int) -> Iterator[tuple[int, int]]:
        """(end, index) of every piece that begins at `start`, the shortest first."""
        pieces = self._pieces
        low, high = self._ranges.get(text[start : start + 1], (0, 0))
        depth = 1  # number of characters that the pieces from `low` to `high` share with the text
        while low < high:
            if len(pieces[low]) == depth:  # the shortest comes first
                yield start + depth, self._numbers[low]
                low += 1
            if low == high or start + depth == len(text):
                return
            if high - low == 1:
                if text.startswith(pieces[low], start):
                    yield start + len(pieces[low]), self._numbers[low]
                return
            char, at = text[start + depth], itemgetter(depth)
            low = bisect_left(pieces, char, low, high, key=at)
            high = bisect_right(pieces, char, low, high, key=at)
            depth += 1
