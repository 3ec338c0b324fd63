"""Merges of a WordPiece training: by score with incremental counts, and by count as those of BPE."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.bpe.engine import engine_for, ignore_progress
from bpe_core.kernels import backend
from bpe_core.kernels.judging import best_pair
from bpe_core.text.utf8 import code_points
from bpe_core.wordpiece.model import INSIDE


class Merged(NamedTuple):
    """One merge: the two symbols, the new one, its criterion, and the boundaries removed.

    `score`: score of the pair, or its count in a training by count. `removed`: starts of the right symbols, as indices
    into the characters of all words joined.

    >>> next(merge_by_score(["hug"], [1]))
    Merged(left='h', right='##u', new='hu', score=1.0, removed=[1])
    """

    left: str
    right: str
    new: str
    score: float
    removed: list[int]


def joined(left: str, right: str) -> str:
    """Join two neighbours to one symbol: the ## of the right one is dropped.

    >>> joined("##a", "##b"), joined("a", "##b")
    ('##ab', 'ab')
    """
    return left + right.removeprefix(INSIDE)


def base_symbols(word: str) -> list[str]:
    """Characters of a word: the first plain, the others marked with ##.

    >>> base_symbols("hug")
    ['h', '##u', '##g']
    """
    return [char if i == 0 else INSIDE + char for i, char in enumerate(word)]


def merge_by_score(words: Sequence[str], counts: Sequence[int]) -> Iterator[Merged]:
    """Repeatedly merge the pair with the largest score, until no pair is left.

    The score of a pair is count(pair) / (count(left) × count(right)). A tie goes to the pair that occurs first in the
    current words, in their order. An occurrence is identified by the place of its left symbol's first character: places
    do not move when symbols merge, so the first occurrence of a pair is its lowest place.

    >>> [(step.new, step.score) for step in merge_by_score(["hug", "pun", "bun"], [1, 2, 1])]
    [('hu', 0.25), ('hug', 1.0), ('pu', 0.3333333333333333), ('bu', 1.0), ('pun', 0.3333333333333333), ('bun', 1.0)]
    """
    state = _State(words, counts)
    while (found := state.best()) is not None:
        yield state.merge(found)


def merges_by_count(words: Sequence[str], counts: Sequence[int], base: Sequence[str], *, most: int) -> Iterator[Merged]:
    """Repeatedly merge the most frequent pair, `most` times at most.

    A tie goes to the pair with the lowest ids, those of the left symbols first. `base`: base symbols in id order,
    including those of the words; a new symbol gets the next id. These are the merges of BPE, where each makes a new
    token. So does each here: no two pairs make the same symbol, because the merges inside a symbol depend on its
    characters alone. None crosses its edges, and a pair that overlaps itself merges from the beginning of its run,
    which is in the symbol or an even number of tokens before it.

    >>> base = ["b", "h", "p", "##g", "##n", "##u"]
    >>> [(step.new, step.score) for step in merges_by_count(["hug", "pun", "bun"], [1, 2, 1], base, most=9)]
    [('##un', 3.0), ('pun', 2.0), ('bun', 1.0), ('hu', 1.0), ('hug', 1.0)]
    """
    offsets = np.cumsum([0, *map(len, words)])
    corpus = Corpus(_base_ids("".join(words), offsets, base), offsets, np.array(counts, np.int64))
    engine = engine_for(len(corpus.ids) * (most + 1))
    learned = engine.learn(corpus, Plan(len(base), most, "lowest-ids"), ignore_progress)
    ranks = engine.joined_at(corpus, learned, len(base))
    characters = np.argsort(ranks, kind="stable")
    ends = np.searchsorted(ranks[characters], np.arange(len(learned.rows) + 1))
    symbols = list(base)
    for rank, (left, right, count, _) in enumerate(learned.rows.tolist()):
        symbols.append(joined(symbols[left], symbols[right]))
        removed = characters[ends[rank] : ends[rank + 1]].tolist()
        yield Merged(symbols[left], symbols[right], symbols[-1], float(count), removed)


def _base_ids(text: str, offsets: Int64s, base: Sequence[str]) -> Int32s:
    """Ids of the base symbols of the words."""
    characters = code_points(text)
    plain, inner = np.zeros((2, int(characters.max(initial=0)) + 1), np.int32)
    for number, symbol in enumerate(base):
        ids = inner if symbol.startswith(INSIDE) else plain
        if ord(symbol[-1]) < len(ids):
            ids[ord(symbol[-1])] = number
    found: Int32s = inner[characters]
    found[offsets[:-1]] = plain[characters[offsets[:-1]]]
    return found


_SMALL = 2_000
"""Characters of distinct words whose pairs NumPy scans in a fraction of a second."""


class _State:
    """Symbols of all words as a linked list over their characters, and the counts of pairs."""

    def __init__(self, words: Sequence[str], counts: Sequence[int]) -> None:
        self.symbols: list[str] = []  # distinct symbols
        self.symbol_ids: dict[str, int] = {}
        self.at: list[int] = []  # symbol that begins at each place, or -1
        self.weight: list[int] = []  # count of the word at each place
        self.next: list[int] = []  # start of the next symbol of the word, or -1
        self.previous: list[int] = []
        for word, count in zip(words, counts, strict=True):
            first, last = len(self.at), len(self.at) + len(word) - 1
            self.at += [self.symbol_id(symbol) for symbol in base_symbols(word)]
            self.weight += [count] * len(word)
            self.next += [*range(first + 1, last + 1), -1]
            self.previous += [-1, *range(first, last)]

        self.pair_ids: dict[tuple[int, int], int] = {}
        self.pairs: list[tuple[int, int]] = []
        self.pair_counts: list[int] = []
        self.places: list[list[int]] = []  # a heap per pair; may hold places where it no longer occurs
        self.free: list[int] = []  # indices of pairs that no longer occur, for reuse
        for place, following in enumerate(self.next):
            if following >= 0:
                self.add_pair(place)
        self.compiled = backend.use_compiled(len(self.at), _SMALL)
        capacity = max(3 * len(self.at), 64)  # characters that begin words, other characters, and their merges
        self.symbol_counts = np.zeros(capacity, np.int64)
        self.columns = np.zeros((4, capacity), np.int64)  # of each pair: count, left, right, lowest place
        np.add.at(self.symbol_counts, self.at, self.weight)
        self.note_pairs(range(len(self.pairs)))

    def symbol_id(self, symbol: str) -> int:
        """Index of a symbol, the next one if it is new."""
        number = self.symbol_ids.setdefault(symbol, len(self.symbols))
        if number == len(self.symbols):
            self.symbols.append(symbol)
        return number

    def add_pair(self, place: int) -> int:
        """Count the pair that begins at a place. Returns its index."""
        key = self.at[place], self.at[self.next[place]]
        pair = self.pair_ids.get(key, -1)
        if pair < 0:
            if not self.free:
                self.free.append(len(self.pairs))
                self.pairs.append(key)
                self.pair_counts.append(0)
                self.places.append([])
            pair = self.pair_ids[key] = self.free.pop()
            self.pairs[pair] = key
        self.pair_counts[pair] += self.weight[place]
        heappush(self.places[pair], place)
        return pair

    def remove_pair(self, place: int) -> int:
        """Remove the pair that begins at a place from the counts. Returns its index. Its heap is cleaned up lazily."""
        pair = self.pair_ids[self.at[place], self.at[self.next[place]]]
        self.pair_counts[pair] -= self.weight[place]
        return pair

    def merge(self, pair: int) -> Merged:
        """Replace a pair everywhere, left to right, without overlap."""
        left, right = self.pairs[pair]
        score = self.score(pair)
        new = self.symbol_id(joined(self.symbols[left], self.symbols[right]))
        touched: set[int] = set()
        removed: list[int] = []
        merged = 0
        for place in sorted(set(self.places[pair])):
            second = self.next[place]
            if self.at[place] != left or second < 0 or self.at[second] != right:
                continue  # merged earlier, or overlapped the previous occurrence
            before, after = self.previous[place], self.next[second]
            touched.update(self.remove_pair(at) for at in (before, place, second) if at >= 0 and self.next[at] >= 0)
            self.at[place], self.at[second] = new, -1
            self.next[place] = after
            if after >= 0:
                self.previous[after] = place
            merged += self.weight[place]
            touched.update(self.add_pair(at) for at in (before, place) if at >= 0 and self.next[at] >= 0)
            removed.append(second)
        self.note_symbols(left, right, new, merged)
        self.note_pairs(touched)
        for number in touched:
            if not self.pair_counts[number]:
                del self.pair_ids[self.pairs[number]]
                self.places[number] = []
                self.free.append(number)
        return Merged(self.symbols[left], self.symbols[right], self.symbols[new], score, removed)

    def best(self) -> int | None:
        """Index of the pair with the largest score, the first seen on ties; None if no pair is left."""
        counts, left, right, first = self.columns[:, : len(self.pairs)]
        if self.compiled:
            found = best_pair(counts, left, right, self.symbol_counts, first)
            return None if found < 0 else found
        if not counts.any():
            return None
        scores = counts / np.maximum(self.symbol_counts[left] * self.symbol_counts[right], 1)
        tied = np.flatnonzero(scores == scores.max())
        return int(tied[np.argmin(first[tied])])

    def score(self, pair: int) -> float:
        """Score of a pair."""
        left, right = self.pairs[pair]
        return self.pair_counts[pair] / (int(self.symbol_counts[left]) * int(self.symbol_counts[right]))

    def note_symbols(self, left: int, right: int, new: int, merged: int) -> None:
        """Record that this many occurrences of `left` and `right` have become `new`."""
        if new >= len(self.symbol_counts):
            self.symbol_counts = np.append(self.symbol_counts, np.zeros_like(self.symbol_counts))
        for symbol, more in ((left, -merged), (right, -merged), (new, merged)):
            self.symbol_counts[symbol] += more

    def note_pairs(self, pairs: Collection[int]) -> None:
        """Note that the counts of these pairs have changed."""
        while len(self.pairs) > self.columns.shape[1]:
            self.columns = np.concatenate((self.columns, np.zeros_like(self.columns)), axis=1)
        rows = [(self.pair_counts[pair], *self.pairs[pair], self.first_place(pair)) for pair in pairs]
        self.columns[:, list(pairs)] = np.array(rows, np.int64).reshape(-1, 4).T

    def first_place(self, pair: int) -> int:
        """Lowest place of a pair; 0 if it no longer occurs."""
        heap, key = self.places[pair], self.pairs[pair]
        while heap:
            place = heap[0]
            if self.next[place] >= 0 and (self.at[place], self.at[self.next[place]]) == key:
                return place
            heappop(heap)
        return 0
