"""Encoding one word with a heap: the result of reference.encode, in n log n steps instead of n squared."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from bpe_core.bpe.reference import Applied, MergeOf, Pair, Word


def encode_word(word: Word, merge_of: MergeOf) -> list[int]:
    """Apply the merge of the lowest rank that any adjacent pair has, leftmost first, until none applies.

    >>> ranks = {(104, 117): (1, 257), (117, 103): (0, 256), (104, 256): (2, 258)}
    >>> encode_word(list(b"hugs"), lambda left, right: ranks.get((left, right)))
    [258, 115]
    """
    return encoded_places(word, merge_of)[0]


def encoded_places(word: Word, merge_of: MergeOf) -> tuple[list[int], list[int]]:
    """The same tokens, and the place of the first symbol of each.

    >>> ranks = {(104, 117): (1, 257), (117, 103): (0, 256), (104, 256): (2, 258)}
    >>> encoded_places(list(b"hugs"), lambda left, right: ranks.get((left, right)))
    ([258, 115], [0, 3])
    """
    ids: list[int] = list(word)
    after = list(range(1, len(ids) + 1))  # the place of the next token; len(ids) after the last one
    before = list(range(-1, len(ids) - 1))
    gone = -1
    heap: list[tuple[int, int, int, int, int]] = []  # rank, place, left id, right id, new id
    for place in range(len(ids) - 1):
        known = merge_of(ids[place], ids[place + 1])
        if known is not None:
            heap.append((known[0], place, ids[place], ids[place + 1], known[1]))
    heapify(heap)
    while heap:
        _, place, left, right, new_id = heappop(heap)
        second = after[place]
        if ids[place] != left or second == len(ids) or ids[second] != right:
            continue  # one of the two has been merged with another neighbour since
        ids[place], ids[second] = new_id, gone
        third = after[second]
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
    places = [place for place, token_id in enumerate(ids) if token_id != gone]
    return [ids[place] for place in places], places


def encode_steps(word: Word, merge_of: MergeOf) -> Iterator[Applied]:
    """What `reference.encode` yields, with consecutive uses of one pair as one step: the last of them.

    Besides the words that it yields, it takes n log n steps.

    >>> ranks = {(1, 1): (0, 2), (2, 2): (1, 3)}
    >>> for step in encode_steps([1, 1, 1, 1], lambda left, right: ranks.get((left, right))):
    ...     print(step)
    Applied(word=[2, 2], pair=(1, 1), rank=0)
    Applied(word=[3], pair=(2, 2), rank=1)
    """
    ids, places = list(word), list(range(len(word)))  # the tokens, and the place of the first symbol of each
    heap: list[tuple[int, int, int, int, int]] = []  # rank, place, left id, right id, new id

    def wait(at: int) -> None:
        known = merge_of(ids[at], ids[at + 1])
        if known is not None:
            heappush(heap, (known[0], places[at], ids[at], ids[at + 1], known[1]))

    for at in range(len(ids) - 1):
        wait(at)
    last: tuple[Pair, int] | None = None
    while heap:
        rank, place, left, right, new_id = heappop(heap)
        at = bisect_left(places, place)
        if at + 1 >= len(ids) or places[at] != place or (ids[at], ids[at + 1]) != (left, right):
            continue  # one of the two has been merged with another neighbour since
        if last is not None and last[0] != (left, right):
            yield Applied(ids.copy(), *last)
        last = (left, right), rank
        ids[at] = new_id
        del ids[at + 1], places[at + 1]
        if at + 1 < len(ids):
            wait(at)
        if at:
            wait(at - 1)
    if last is not None:
        yield Applied(ids, *last)
