"""Segmentations of a word, its lattice, and the best path through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Segmentation(NamedTuple):
    """One segmentation of a word, and its score: the sum over its pieces; lower is better, 0.0 would be certain.

    >>> from bpe_core import UnigramModel
    >>> UnigramModel({"a": 2.0, "aa": 3.0}).best("aaa")
    Segmentation(pieces=('a', 'aa'), score=5.0)
    """

    pieces: tuple[str, ...]
    score: float


class LatticeEdge(NamedTuple):
    """A piece that fits into a word from character `start` to character `end`, and what Viterbi computes for it.

    `score`: the piece's own. `total`: the best score of the word up to `end` if this is its last piece. `best`: the
    best path to `end` ends with it. `chosen`: it is part of the best segmentation of the whole word.

    >>> from bpe_core import UnigramModel
    >>> UnigramModel({"a": 2.0, "aa": 3.0}).lattice("aa")[1]
    LatticeEdge(start=0, end=2, piece='aa', score=3.0, total=3.0, best=True, chosen=True)
    """

    start: int
    end: int
    piece: str
    score: float
    total: float
    best: bool
    chosen: bool


def best_path(back: Sequence[int | None]) -> list[tuple[int, int]]:
    """The pieces of the best path as (start, end), in order; empty if there is no path.

    `back`: for every offset in the word, in characters, where the last piece of the best path to it begins, or None.

    >>> best_path([None, 0, 0, 2])
    [(0, 2), (2, 3)]
    """
    path: list[tuple[int, int]] = []
    end = len(back) - 1
    while (start := back[end]) is not None:
        path.append((start, end))
        end = start
    return path[::-1]
