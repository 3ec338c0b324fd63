"""Inner loops of Unigram and WordPiece training, compiled: the loss without each piece, and the best pair.

Sums are added in the order of the plain loops, so that results are identical to the last bit.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bpe_core.arrays import Floats, Int32s, Int64s
from bpe_core.kernels.backend import Number, njit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike


class Costs(NamedTuple):
    """Scores of words, and their scores without a piece of their best segmentations, as arrays.

    scores        float64: score of each word
    pieces, words int64: piece and word, for each piece of several characters in a word's best segmentation
    without       float64: score of that word without that piece

    >>> Edges([[(0, 1, 0), (0, 2, 1), (1, 2, 0)]], [2]).costs([2.0, 3.0], 0, 1).without.tolist()
    [4.0]
    """

    scores: Floats
    pieces: Int64s
    words: Int64s
    without: Floats


class Edges:
    """Pieces that fit into each word, as (start, end, index of the piece), by start and then end.

    `lengths`: number of characters of each word. Every character must be a piece.

    >>> edges = Edges([[(0, 1, 0), (0, 2, 1), (1, 2, 0)], [(0, 1, 0)]], [2, 1])
    >>> costs = edges.costs([2.0, 3.0], 0, 2)
    >>> costs.scores.tolist(), costs.pieces.tolist(), costs.words.tolist(), costs.without.tolist()
    ([3.0, 2.0], [1], [0], [4.0])
    >>> edges.keep([True, False])
    >>> edges.costs([2.0, 3.0], 0, 2).scores.tolist()
    [4.0, 2.0]
    """

    def __init__(self, words: Iterable[Iterable[tuple[int, int, int]]], lengths: Sequence[int]) -> None:
        offsets, flat = [0], array("i")
        for word in words:
            flat.extend(number for edge in word for number in edge)
            offsets.append(len(flat) // 3)
        self._edges = np.array(flat, np.int32).reshape(-1, 3)
        self._offsets = np.array(offsets, np.int64)
        self._lengths = np.array(lengths, np.int64)

    def keep(self, pieces: ArrayLike) -> None:
        """Drop the edges of discarded pieces. `pieces`: by index, whether each is kept."""
        kept = np.asarray(pieces, np.bool_)[self._edges[:, 2]]
        before = np.append(np.int64(0), np.cumsum(kept)).astype(np.int64)
        self._edges, self._offsets = self._edges[kept], before[self._offsets]

    def costs(self, values: ArrayLike, first: int, last: int) -> Costs:
        """Costs of the words from `first` up to `last`. `values`: score of each piece, by index."""
        scores = np.empty(last - first, np.float64)
        room, longest = int(self._lengths[first:last].sum()), int(self._lengths[first:last].max(initial=0))
        pieces, words, without = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.float64)
        size = _costs(
            self._edges,
            self._offsets[first : last + 1],
            self._lengths[first:last],
            np.require(values, np.float64, ["C", "W"]),
            (scores, pieces, words, without),
            longest,
        )
        return Costs(scores, pieces[:size], words[:size] + first, without[:size])


def sums_without(costs: Costs, counts: ArrayLike, pieces: int) -> Floats:
    """Σ count × score over all words, without each of the `pieces` in turn, and last with all.

    >>> costs = Costs(np.array([3.0, 2.0]), np.array([1]), np.array([0]), np.array([4.0]))
    >>> sums_without(costs, [10, 1], 2).tolist()
    [32.0, 42.0, 32.0]
    """
    # Pieces whose first changed words are close are summed in one batch, so that the prefix is added once.
    first = np.full(pieces, costs.scores.size, np.int64)
    np.minimum.at(first, costs.pieces, costs.words)
    columns = np.empty(pieces, np.int64)
    columns[np.argsort(first, kind="stable")] = np.arange(pieces)
    order = np.lexsort((costs.words, columns[costs.pieces] // _WIDTH))
    numbers = np.require(counts, np.float64, ["C", "W"])
    products = costs.scores * numbers
    prefix = np.cumsum(products)
    sums = np.full(pieces + 1, prefix[-1])
    ordered = columns[costs.pieces[order]], costs.words[order], costs.without[order]
    _sums(products, prefix, *ordered, numbers, sums)
    found: Floats = sums[np.append(columns, pieces)]
    return found


def best_pair(counts: Int64s, left: Int64s, right: Int64s, symbols: Int64s, first: Int64s) -> int:
    """Index of the pair with the largest count / (count of left × count of right); ties go to the lowest `first`.

    `counts`: count of each pair, 0 for one that does not occur; `symbols`: count of each symbol. -1 if no pair occurs.

    >>> best_pair(np.array([2, 3]), np.array([0, 1]), np.array([1, 1]), np.array([2, 3]), np.array([0, 1]))
    0
    """
    return int(_best_pair(counts, left, right, symbols, first))


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    edges = Edges([[(0, 1, 0)]], [1])
    sums_without(edges.costs([1.0], 0, 1), [1], 1)
    one = np.ones(2, np.int64)
    best_pair(one, one, one, one, one)


_WIDTH = 32
"""Pieces excluded in one pass over a word, one column each."""


@njit
def _costs(
    edges: Int32s,
    offsets: Int64s,
    lengths: Int64s,
    values: Floats,
    found: tuple[Floats, Int64s, Int64s, Floats],
    longest: Number,
) -> Number:
    """Fill in `found`. Returns the number of entries written."""
    scores, pieces, words, without = found
    room, most = longest + 1, values.size
    totals, back, at = np.empty(room, np.float64), np.empty(room, np.int64), np.empty(room, np.int64)
    ring: Number = np.int64(2)
    for i in range(edges.shape[0]):
        while ring <= edges[i, 1] - edges[i, 0]:
            ring *= 2
    reached = np.empty((ring, _WIDTH), np.float64)
    in_best, first_best = np.zeros(most, np.bool_), np.empty(most, np.int64)
    column = np.empty(most, np.int64)
    column[:] = -1
    size: Number = np.int64(0)
    for word in range(lengths.size):
        n = lengths[word]
        begin, end = offsets[word], offsets[word + 1]
        reach = _fill_totals(edges[begin:end], n, values, totals, back, at)
        scores[word] = totals[n]
        first: Number = size
        stop: Number = n
        while stop > 0:
            edge = begin + back[stop]
            if stop - edges[edge, 0] > 1:
                in_best[edges[edge, 2]] = True
            stop = np.int64(edges[edge, 0])
        for stop in range(1, n + 1):
            piece = np.int64(edges[begin + back[stop], 2])
            if in_best[piece]:
                in_best[piece] = False
                first_best[piece] = stop
                pieces[size], words[size] = piece, word
                size += 1
        for low in range(first, size, _WIDTH):
            high = min(low + _WIDTH, size)
            for i in range(low, high):
                column[pieces[i]] = i - low
            start = first_best[pieces[low]] - 1
            _fill_reached(edges[begin:end], values, (totals, at), column, (start, reach), high - low, reached)
            for i in range(low, high):
                column[pieces[i]] = -1
                without[i] = reached[n & (ring - 1), i - low]
    return size


@njit
def _fill_totals(edges: Int32s, n: Number, values: Floats, totals: Floats, back: Int64s, at: Int64s) -> Number:
    """Best score up to every place, last edge of the best path to it, and first edge that begins there.

    Returns the length of the longest edge.
    """
    reach: Number = np.int64(0)
    totals[: n + 1] = np.inf
    back[: n + 1] = -1
    totals[0] = 0.0
    before: Number = np.int64(-1)
    for i in range(edges.shape[0]):
        start, end = np.int64(edges[i, 0]), np.int64(edges[i, 1])
        reach = max(reach, end - start)
        if start != before:
            at[start] = i
            before = start
        total = totals[start] + values[edges[i, 2]]
        if back[end] < 0 or total < totals[end]:
            totals[end], back[end] = total, i
    return reach


@njit
def _fill_reached(
    edges: Int32s,
    values: Floats,
    path: tuple[Floats, Int64s],
    column: Int64s,
    place_and_reach: tuple[Number, Number],
    width: Number,
    reached: Floats,
) -> None:
    """Best score up to every place, starting at a given one; each column excludes its own piece.

    No best path up to that place ends with one of these pieces, so the scores before it do not change.
    """
    totals, at = path
    start, reach = place_and_reach
    mask = reached.shape[0] - 1  # ring buffer: only as many places as an edge can span
    first = max(start - reach + 1, 0)
    for place in range(first, start + 1):
        for j in range(width):
            reached[place & mask, j] = totals[place]
    for place in range(start + 1, first + reach + 1):
        for j in range(width):
            reached[place & mask, j] = np.inf
    before: Number = first
    for i in range(at[first], edges.shape[0]):
        begin, end, piece = np.int64(edges[i, 0]), np.int64(edges[i, 1]), np.int64(edges[i, 2])
        if begin != before:
            before = begin
            if begin + reach > start:
                for j in range(width):
                    reached[(begin + reach) & mask, j] = np.inf
        if end <= start:
            continue
        value = values[piece]
        source, target = reached[begin & mask], reached[end & mask]
        own = column[piece]
        kept = target[own] if own >= 0 else 0.0
        for j in range(width):
            total = source[j] + value
            target[j] = total if total < target[j] else target[j]
        if own >= 0:
            target[own] = kept


@njit
def _sums(
    products: Floats, prefix: Floats, columns: Int64s, words: Int64s, without: Floats, counts: Floats, sums: Floats
) -> None:
    """Fill in the sums of columns, `_WIDTH` at a time; `words` ascend in each such block. The last sum is set."""
    size = products.size
    most: Number = sums.size - 1
    totals = np.empty(_WIDTH, np.float64)
    held = np.empty((_WIDTH, 2), np.float64)
    at: Number = np.int64(0)
    while at < columns.size:
        block = columns[at] // _WIDTH
        start = words[at]
        totals[:] = prefix[start - 1] if start > 0 else -0.0
        for word in range(start, size):
            changed: Number = np.int64(0)
            while at < columns.size and words[at] == word and columns[at] // _WIDTH == block:
                column = columns[at] - block * _WIDTH
                held[changed, 0], held[changed, 1] = column, totals[column] + without[at] * counts[word]
                changed += 1
                at += 1
            product = products[word]
            for j in range(_WIDTH):
                totals[j] += product
            for i in range(changed):
                totals[int(held[i, 0])] = held[i, 1]
        for j in range(min(_WIDTH, most - block * _WIDTH)):
            sums[block * _WIDTH + j] = totals[j]


@njit
def _best_pair(counts: Int64s, left: Int64s, right: Int64s, symbols: Int64s, first: Int64s) -> Number:
    best: Number = np.int64(-1)
    top = 0.0
    for pair in range(counts.size):
        if counts[pair] == 0:
            continue
        score = np.float64(counts[pair]) / np.float64(symbols[left[pair]] * symbols[right[pair]])
        if score > top or (score == top and first[pair] < first[best]):
            best, top = np.int64(pair), score
    return best
