"""All paths through the lattice of a word: their number, probabilities and entropy, the best, and random ones.

A path's probability is proportional to exp(θ × its log probability): θ = 1 is the model's own, θ = 0 makes all paths
equally likely, and a large θ leaves only the best. Forward filtering sums the paths to every place, and backward
sampling draws from their last pieces, so both take time proportional to the edges, however many paths there are.

Source: Kudo, "Subword Regularization" (2018); `Lattice::Sample`, `NBest` and `CalculateEntropy` of
https://github.com/google/sentencepiece (src/unigram_model.cc), where θ is `alpha`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from heapq import merge
from itertools import accumulate, islice
from math import exp, inf, log
from typing import NamedTuple

Edge = tuple[int, int, float]
"""Start, end, and the log probability of the piece between them."""

Path = list[tuple[int, int]]
"""(start, end) of each piece, in order."""


class ScoredPath(NamedTuple):
    """Path with its log probability, the sum over its pieces.

    >>> Paths(2, [(0, 1, -2.0), (0, 2, -3.0), (1, 2, -2.0)]).best(1)
    [ScoredPath(path=[(0, 2)], score=-3.0)]
    """

    path: Path
    score: float


class Paths:
    """Paths from 0 to `size` over edges ordered by start. Immutable.

    >>> paths = Paths(2, [(0, 1, -2.0), (0, 2, -3.0), (1, 2, -2.0)])
    >>> paths.count, paths.has_any, [found.score for found in paths.best(5)]
    (2, True, [-3.0, -4.0])
    >>> round(paths.probability(-3.0), 4), round(paths.entropy(), 4), paths.sample(lambda: 0.9)
    (0.7311, 0.5822, [(0, 1), (1, 2)])
    """

    def __init__(self, size: int, edges: Iterable[Edge], theta: float = 1.0) -> None:
        self.size = size
        self.theta = theta
        self._incoming: list[list[tuple[int, float]]] = [[] for _ in range(size + 1)]
        for start, end, score in edges:
            self._incoming[end].append((start, score))

    @property
    def count(self) -> int:
        """Number of paths."""
        ways = [1]
        for incoming in self._incoming[1:]:
            ways.append(sum(ways[start] for start, _score in incoming))
        return ways[-1]

    @property
    def has_any(self) -> bool:
        """Whether there is a path that is not empty."""
        return self.size > 0 and self._totals[-1] > -inf

    @cached_property
    def _totals(self) -> list[float]:
        """For every place, the logarithm of the sum over its paths of exp(θ × log probability)."""
        totals = [0.0]
        for incoming in self._incoming[1:]:
            totals.append(_log_sum([totals[start] + self.theta * score for start, score in incoming]))
        return totals

    def probability(self, score: float) -> float:
        """Probability of a path with this log probability."""
        return exp(self.theta * score - self._totals[-1])

    def entropy(self) -> float:
        """Entropy of the distribution over the paths, in nats; 0.0 if there is none."""
        totals, entropies = self._totals, [0.0]
        for incoming, total in zip(self._incoming[1:], totals[1:], strict=True):
            found = 0.0
            for start, score in incoming:
                share = totals[start] + self.theta * score - total
                if totals[start] > -inf and share > -inf:
                    found += exp(share) * (entropies[start] - share)
            entropies.append(found)
        return entropies[-1]

    def sample(self, chance: Callable[[], float]) -> Path:
        """A random path; empty if there is none. `chance`: random numbers below 1, as `random.Random(seed).random`."""
        path: Path = []
        end, totals = self.size, self._totals
        if not self.has_any:
            return []
        while end > 0:
            incoming = self._incoming[end]
            weights = [exp(totals[start] + self.theta * score - totals[end]) for start, score in incoming]
            sums = list(accumulate(weights))
            drawn = chance() * sums[-1]
            at = next(i for i, reached in enumerate(sums) if drawn < reached or reached == sums[-1])
            path.append((incoming[at][0], end))
            end = incoming[at][0]
        return path[::-1]

    def best(self, n: int) -> list[ScoredPath]:
        """The `n` best paths, the highest log probability first, from the `n` best to every place."""
        paths: list[list[tuple[float, int, int]]] = [[(0.0, -1, -1)]]  # −score, last piece's start, the path before it
        for incoming in self._incoming[1:]:
            sources = [
                [(before[0] - score, start, i) for i, before in enumerate(paths[start])] for start, score in incoming
            ]
            paths.append(list(islice(merge(*sources), n)))
        found = []
        for cost, begin, which in paths[-1] if self.size else ():
            path: Path = []
            start, end = begin, self.size
            while start >= 0:
                path.append((start, end))
                end = start
                _cost, start, which = paths[start][which]
            found.append(ScoredPath(path[::-1], -cost))
        return found


def _log_sum(values: Sequence[float]) -> float:
    highest = max(values, default=-inf)
    return highest if highest == -inf else highest + log(sum(exp(value - highest) for value in values))
