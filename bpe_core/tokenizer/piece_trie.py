"""PieceTrie: which pieces of a vocabulary begin at a place in a word, found character by character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


class PieceTrie:
    """Pieces and their numbers as a tree of characters: a search ends where no piece continues.

    >>> trie = PieceTrie([("h", 0), ("hug", 1), ("hugs", 2), ("u", 3)])
    >>> list(trie.matches("hugging", 0))
    [(1, 0), (3, 1)]
    """

    def __init__(self, pieces: Iterable[tuple[str, int]]) -> None:
        self._root: dict[str, Any] = {}
        for piece, number in pieces:
            node = self._root
            for char in piece:
                node = node.setdefault(char, {})
            node[_END] = number

    def matches(self, text: str, start: int) -> Iterator[tuple[int, int]]:
        """(end, number) of every piece that begins at `start`, the shortest first."""
        node = self._root
        for end in range(start, len(text)):
            following = node.get(text[end])
            if following is None:
                return
            node = following
            number = node.get(_END)
            if number is not None:
                yield end + 1, number


_END = ""
"""The key of a node's number: no character is empty."""
