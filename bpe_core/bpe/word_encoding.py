"""Encoding of one word with a heap: the result of reference.encode in O(n log n) instead of O(n²)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from itertools import compress
from typing import NamedTuple

from bpe_core.bpe.reference import Applied, MergeOf, Word


def encode_word(word: Word, merge_of: MergeOf) -> list[int]:
    """Apply the merge of the lowest rank that any adjacent pair has, leftmost first, until none applies.

    >>> ranks = {(104, 117): (1, 257), (117, 103): (0, 256), (104, 256): (2, 258)}
    >>> encode_word(list(b"hugs"), lambda left, right: ranks.get((left, right)))
    [258, 115]
    """
    return encoded_places(word, merge_of)[0]


def encoded_places(word: Word, merge_of: MergeOf) -> tuple[list[int], list[int]]:
    """The same tokens, and the index of the first symbol of each.

    >>> ranks = {(104, 117): (1, 257), (117, 103): (0, 256), (104, 256): (2, 258)}
    >>> encoded_places(list(b"hugs"), lambda left, right: ranks.get((left, right)))
    ([258, 115], [0, 3])
    """
    merging = Merging(word)
    for _ in merging.merges(merge_of):
        pass
    places = list(compress(range(len(merging.ids)), merging.is_there))
    return [merging.ids[place] for place in places], places


def encode_steps(word: Word, merge_of: MergeOf) -> Iterator[Applied]:
    """Yield the steps of `reference.encode`, consecutive uses of one pair merged into their last step.

    >>> ranks = {(1, 1): (0, 2), (2, 2): (1, 3)}
    >>> for step in encode_steps([1, 1, 1, 1], lambda left, right: ranks.get((left, right))):
    ...     print(step)
    Applied(word=[2, 2], pair=(1, 1), rank=0)
    Applied(word=[3], pair=(2, 2), rank=1)
    """
    merging = Merging(word)
    last: MergeRule | None = None
    for merge in merging.merges(merge_of):
        if last is not None and last.pair != merge.pair:
            yield Applied(list(merging.word()), last.pair, last.rank)
        last = merge
    if last is not None:
        yield Applied(list(merging.word()), last.pair, last.rank)


class MergeRule(NamedTuple):
    """A merge to apply: the pair, the rank, and the new id.

    >>> merging = Merging([1, 1, 3])
    >>> next(merging.merges(lambda left, right: (0, 2) if left == right else None))
    MergeRule(pair=(1, 1), rank=0, made=2)
    """

    pair: tuple[int, int]
    rank: int
    made: int


class Merging:
    """State of a word while it is merged: `ids`, indexed by the first symbol of each token, and the flags `is_there`.

    `edges`: symbols at which the left and the right token of the last merge that was yielded begin, and the one after.

    >>> merging = Merging([1, 1, 3])
    >>> list(merging.merges(lambda left, right: (0, 2) if left == right else None))
    [MergeRule(pair=(1, 1), rank=0, made=2)]
    >>> merging.word(), merging.edges
    ((2, 3), (0, 1, 2))
    """

    def __init__(self, word: Word) -> None:
        self.ids: list[int] = list(word)
        self.is_there = bytearray(b"\1") * len(self.ids)
        self.edges = (0, 0, 0)

    def word(self) -> tuple[int, ...]:
        """Current tokens.

        >>> Merging([1, 2]).word()
        (1, 2)
        """
        return tuple(compress(self.ids, self.is_there))

    def merges(self, merge_of: MergeOf, skips: Callable[[], bool] | None = None) -> Iterator[MergeRule]:
        """Apply every merge by rank, leftmost first among equals; yield each before it is applied.

        `skips`: called for every merge; True skips it until another one has been applied.

        >>> merging = Merging([1, 1, 3])
        >>> [merging.word() for _ in merging.merges(lambda left, right: (0, 2) if left == right else None)]
        [(1, 1, 3)]
        """
        ids, is_there = self.ids, self.is_there
        after = list(range(1, len(ids) + 1))  # index of the next token; len(ids) after the last one
        before = list(range(-1, len(ids) - 1))
        heap: list[tuple[int, int, int, int, int]] = []  # rank, place, left id, right id, new id
        for place in range(len(ids) - 1):
            known = merge_of(ids[place], ids[place + 1])
            if known is not None:
                heap.append((known[0], place, ids[place], ids[place + 1], known[1]))
        heapify(heap)
        skipped: list[tuple[int, int, int, int, int]] = []
        while heap:
            entry = rank, place, left, right, new_id = heappop(heap)
            second = after[place]
            if not is_there[place] or ids[place] != left or second == len(ids) or ids[second] != right:
                continue  # stale: one of the two has since merged with another neighbour
            if skips is not None and skips():
                skipped.append(entry)
                continue
            third = after[second]
            self.edges = place, second, third
            yield MergeRule((left, right), rank, new_id)
            ids[place], is_there[second] = new_id, 0
            after[place] = third
            if third < len(ids):
                before[third] = place
                known = merge_of(new_id, ids[third])
                if known is not None:
                    heappush(heap, (known[0], place, new_id, ids[third], known[1]))
            first = before[place]
            if first >= 0:
                known = merge_of(ids[first], new_id)
                if known is not None:
                    heappush(heap, (known[0], first, ids[first], new_id, known[1]))
            while skipped:
                heappush(heap, skipped.pop())
