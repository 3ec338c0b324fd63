"""UnigramModel: pieces with scores, and the segmentations of a word that they allow, the best ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import merge
from itertools import islice
from math import log
from typing import NamedTuple

import numpy as np

from bpe_core.errors import ConfigError, quoted
from bpe_core.piece_trie import PieceTrie

MOST_SEGMENTATIONS = 10_000
"""Segmentations of one word that are listed."""


class Segmentation(NamedTuple):
    """One way to cut a word, and its score: the sum over its pieces, lower is better (0.0 would be certain)."""

    pieces: tuple[str, ...]
    score: float


class LatticeEdge(NamedTuple):
    """A piece that fits into a word from letter `start` to letter `end`, and what Viterbi knows of it.

    `score`: the piece's own. `total`: the best score of the word up to `end` when its last piece is this one.
    `best`: the best way to `end` ends with it. `chosen`: the best segmentation of the whole word holds it.
    """

    start: int
    end: int
    piece: str
    score: float
    total: float
    best: bool
    chosen: bool


class UnigramModel:
    """Pieces and their scores, −log of their probabilities. Never changes.

    A word is written as the model sees it: with ▁ in front where it begins a word of a text.

    >>> model = UnigramModel.of_counts({"h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16,
    ...     "un": 16, "b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5})
    >>> model.best("pug").pieces
    ('p', 'ug')
    >>> [segmentation.pieces for segmentation in model.segmentations("pug")]
    [('p', 'ug'), ('pu', 'g'), ('p', 'u', 'g')]
    """

    def __init__(self, scores: Mapping[str, float]) -> None:
        self.scores = dict(scores)

    @classmethod
    def of_counts(cls, counts: Mapping[str, int]) -> UnigramModel:
        """Scores from counts: −log(count / total)."""
        total = sum(counts.values())
        return cls({piece: -log(count / total) for piece, count in counts.items()})

    def best(self, word: str) -> Segmentation | None:
        """The segmentation with the lowest score, by Viterbi; of equal ones the first that is found.

        None for a word that holds a letter which is no piece.
        """
        return next(iter(self._best_first(word, 1)), None)

    def segmentations(self, word: str, n: int | None = None) -> list[Segmentation]:
        """The best `n` segmentations of a word, or all when None; the lowest score first.

        Empty for a word that holds a letter which is no piece. Raises ConfigError for more than MOST_SEGMENTATIONS:
        a long word has billions.
        """
        _require_word(word)
        wanted = self.count(word) if n is None else n
        if not isinstance(wanted, int) or isinstance(wanted, bool) or wanted < 0:
            raise ConfigError(f"n is {quoted(n)}.", limit="It takes a whole number, or None.", remedy="Correct it.")
        if wanted > MOST_SEGMENTATIONS and (n is None or self.count(word) > MOST_SEGMENTATIONS):
            raise ConfigError(
                f"{quoted(word)} has {_short(self.count(word))} segmentations.",
                limit=f"At most {MOST_SEGMENTATIONS:,} are listed.",
                remedy="Ask for the best 10, or for a shorter word.",
            )
        return list(self._best_first(word, wanted))

    def count(self, word: str) -> int:
        """In how many ways a word can be cut.

        >>> UnigramModel({"a": 1.0, "aa": 1.0}).count("aaa")
        3
        """
        ways = [1] + [0] * len(word)
        for start, end, _ in self.edges(word):
            ways[end] += ways[start]
        return ways[-1]

    def lattice(self, word: str) -> list[LatticeEdge]:
        """Every piece that fits into a word, by its start and then its end: what Viterbi looks at.

        Pieces that no way leads to are left out: those behind a letter that is no piece.

        >>> [(edge.piece, edge.total, edge.chosen) for edge in UnigramModel({"a": 2.0, "aa": 3.0}).lattice("aa")]
        [('a', 2.0, False), ('aa', 3.0, True), ('a', 4.0, False)]
        """
        _require_word(word)
        edges = [(start, end, self._pieces[number]) for start, end, number in self.edges(word)]
        totals, back = self._viterbi(word)
        chosen = set(_path(back))
        return [
            LatticeEdge(
                start,
                end,
                piece,
                self.scores[piece],
                totals[start] + self.scores[piece],
                best=back[end] == start,
                chosen=(start, end) in chosen,
            )
            for start, end, piece in edges
            if start == 0 or back[start] is not None
        ]

    def edges(self, word: str) -> Iterator[tuple[int, int, int]]:
        """(start, end, number of the piece) of every piece that fits into a word, by start and then end."""
        return ((start, *match) for start in range(len(word)) for match in self._trie.matches(word, start))

    def word_costs(self, word: str) -> tuple[float, dict[int, float]]:
        """The score of a word, and for each piece of more than one letter in its best segmentation, by its number:
        the score that the word would have without that piece.

        Every letter of the word must be a piece. One pass over the lattice reckons all of them side by side.
        """
        totals, back = self._viterbi(word)
        values = self._values
        without = sorted({self._numbers[word[a:b]] for a, b in _path(back) if b - a > 1})
        if not without:
            return totals[-1], {}
        column = {number: i for i, number in enumerate(without)}
        reached = np.full((len(word) + 1, len(without)), np.inf)
        reached[0] = 0.0
        for start, end, number in self.edges(word):
            cost = reached[start] + values[number]
            if number in column:
                cost[column[number]] = np.inf
            np.minimum(reached[end], cost, out=reached[end])
        return totals[-1], dict(zip(without, reached[-1].tolist(), strict=True))

    @cached_property
    def _pieces(self) -> list[str]:
        return list(self.scores)

    @cached_property
    def _values(self) -> list[float]:
        return list(self.scores.values())

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.scores)}

    @cached_property
    def _trie(self) -> PieceTrie:
        return PieceTrie((piece, number) for number, piece in enumerate(self.scores))

    def _viterbi(self, word: str) -> tuple[list[float], list[int | None]]:
        """For every letter's end: the best score up to it, and where the last piece of the best way begins."""
        totals = [0.0] + [np.inf] * len(word)
        back: list[int | None] = [None] * (len(word) + 1)
        values, matches = self._values, self._trie.matches
        for start in range(len(word)):
            so_far = totals[start]
            if so_far == np.inf:
                continue
            for end, number in matches(word, start):
                total = so_far + values[number]
                if total < totals[end]:
                    totals[end], back[end] = total, start
        return totals, back

    def _best_first(self, word: str, n: int) -> Iterator[Segmentation]:
        """The `n` best segmentations: at every letter's end the `n` best ways to it."""
        if n == 1:
            totals, back = self._viterbi(word)
            if word and back[-1] is not None:
                yield Segmentation(tuple(word[a:b] for a, b in _path(back)), totals[-1])
            return
        # A way is (score, where its last piece begins, which of the ways to there).
        incoming: list[list[tuple[int, int]]] = [[] for _ in range(len(word) + 1)]
        for start, end, number in self.edges(word):
            incoming[end].append((start, number))
        ways: list[list[tuple[float, int, int]]] = [[(0.0, -1, -1)]]
        for end in range(1, len(word) + 1):
            sources = [
                [(way[0] + self._values[number], start, i) for i, way in enumerate(ways[start])]
                for start, number in incoming[end]
            ]
            ways.append(list(islice(merge(*sources), n)))
        for score, start, which in ways[-1] if word else ():
            pieces: list[str] = []
            end = len(word)
            while start >= 0:
                pieces.insert(0, word[start:end])
                end = start
                _, start, which = ways[start][which]
            yield Segmentation(tuple(pieces), score)


def _path(back: Sequence[int | None]) -> list[tuple[int, int]]:
    """The pieces of the best way, from the first on; empty where there is none."""
    path: list[tuple[int, int]] = []
    end = len(back) - 1
    while (start := back[end]) is not None:
        path.append((start, end))
        end = start
    return path[::-1]


def _require_word(word: object) -> None:
    if not isinstance(word, str):
        raise ConfigError(f"The word is {quoted(word)}.", limit="A word is a str.", remedy="Correct it.")


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**12 else "more than 10¹²"
