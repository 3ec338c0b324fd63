"""Byte-pair encoding in its plainest form, for readers, for the lessons, and as the baseline of tests.

Nothing here is optimized. A word is a list of ids; a corpus is a list of distinct words with their counts, in
first-seen order. Every other implementation in this package must give the same results.

Source: Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units" (2016). The tie rule
"first-seen" is that of Karpathy's minbpe, "lowest-ids" that of the tokenizers library, "first-counted" that of programs
that keep one Counter of all pairs and update it: after each merge they take the pairs of every changed word out, put
those of the merged word in, and call `max`. A Counter keeps a key whose count has fallen to zero, and `max` returns the
first of equal keys: the pair that was counted before all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeVar

Pair = tuple[int, int]
Word = Sequence[int]
Symbol = TypeVar("Symbol")


@dataclass(frozen=True, slots=True)
class LearnedMerge:
    """One merge of a training: the pair, its count when chosen, and the number of occurrences replaced.

    `replaced` is smaller than `count` if occurrences overlap: `aaa` counts (a, a) twice, but only one is replaced.

    >>> next(learn([[1, 1, 1]], [1], first_id=2, most=1))
    LearnedMerge(left=1, right=1, count=2, replaced=1)
    """

    left: int
    right: int
    count: int
    replaced: int


def learn(
    words: Sequence[Word],
    counts: Sequence[int],
    *,
    first_id: int,
    most: int,
    tie_break: str = "first-seen",
    min_count: int = 1,
    forced: Sequence[Pair] = (),
    counted: dict[Pair, None] | None = None,
) -> Iterator[LearnedMerge]:
    """Merge the most frequent pair, up to `most` times; the first new id is `first_id`.

    `forced` pairs are merged first, whatever their counts. Ends early if no pair is left, or if the best one occurs
    fewer than `min_count` times. `tie_break`: see `choose`; for "first-counted", `counted` is filled with every pair in
    that order.

    >>> word = list(b"aaabdaaabac")
    >>> [(step.left, step.right, step.count) for step in learn([word], [1], first_id=256, most=3)]
    [(97, 97, 4), (256, 97, 2), (257, 98, 2)]
    """
    current = [list(word) for word in words]
    counted = {} if counted is None else counted
    for rank in range(most):
        pairs = count_pairs(current, counts)
        if tie_break == "first-counted":
            counted.update(dict.fromkeys(pairs))
            pairs = {pair: pairs[pair] for pair in counted if pair in pairs}
        if rank < len(forced):
            pair = forced[rank]
        elif not pairs:
            return
        else:
            pair = choose(pairs, tie_break)
            if pairs[pair] < min_count:
                return
        after = [merge(word, pair, first_id + rank) for word in current]
        replaced = sum(n * (len(old) - len(new)) for old, new, n in zip(current, after, counts, strict=True))
        yield LearnedMerge(pair[0], pair[1], pairs.get(pair, 0), replaced)
        current = after
    if tie_break == "first-counted":
        counted.update(dict.fromkeys(count_pairs(current, counts)))


def count_pairs(words: Sequence[Word], counts: Sequence[int]) -> dict[Pair, int]:
    """Count of every adjacent pair, overlaps included; keys in first-seen order.

    >>> count_pairs([[1, 1, 1], [1, 2]], [10, 5])
    {(1, 1): 20, (1, 2): 5}
    """
    pairs: dict[Pair, int] = {}
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs


def choose(pairs: Mapping[Pair, int], tie_break: str) -> Pair:
    """Return the pair with the largest count; in a tie, the one with the lowest ids, or else the first of `pairs`.

    For "first-seen", `pairs` are in the order in which they occur now. For "first-counted", they are in the order in
    which they first occurred in any state of the words so far: those of the base symbols, then those that each merge
    made, both word by word and from left to right.

    >>> pairs = {(7, 8): 3, (1, 2): 3, (5, 5): 1}
    >>> choose(pairs, "first-seen"), choose(pairs, "lowest-ids")
    ((7, 8), (1, 2))
    """
    if tie_break == "lowest-ids":
        return min(pairs, key=lambda pair: (-pairs[pair], pair))
    return max(pairs, key=pairs.__getitem__)


def merge(word: Sequence[Symbol], pair: tuple[Symbol, Symbol], new_id: Symbol) -> list[Symbol]:
    """Replace every occurrence of the pair in the word, left to right, without overlap.

    >>> merge([1, 1, 1, 2], (1, 1), 9)
    [9, 1, 2]
    """
    merged: list[Symbol] = []
    position = 0
    while position < len(word):
        if tuple(word[position : position + 2]) == pair:
            merged.append(new_id)
            position += 2
        else:
            merged.append(word[position])
            position += 1
    return merged


MergeOf = Callable[[int, int], "tuple[int, int] | None"]
"""Lookup of a pair: (rank, new id), or None if the model has no such merge."""


class Applied(NamedTuple):
    """One merge applied while encoding: the word after it, the pair, and its rank.

    >>> next(encode([1, 1, 3], lambda left, right: (0, 2) if left == right else None))
    Applied(word=[2, 3], pair=(1, 1), rank=0)
    """

    word: list[int]
    pair: Pair
    rank: int


def encode(word: Word, merge_of: MergeOf) -> Iterator[Applied]:
    """Apply the merge of the lowest rank that any adjacent pair has, leftmost first, until none applies.

    One occurrence is replaced at a time, as tiktoken does. The last word yielded, if any, is the encoding.

    >>> ranks = {(104, 117): (1, 257), (117, 103): (0, 256), (104, 256): (2, 258)}
    >>> for step in encode(list(b"hug"), lambda left, right: ranks.get((left, right))):
    ...     print(step)
    Applied(word=[104, 256], pair=(117, 103), rank=0)
    Applied(word=[258], pair=(104, 256), rank=2)
    """
    current = list(word)
    while True:
        found = [
            (known[0], at, known[1])
            for at, pair in enumerate(pairwise(current))
            if (known := merge_of(*pair)) is not None
        ]
        if not found:
            return
        rank, at, new_id = min(found)
        pair = (current[at], current[at + 1])
        current = [*current[:at], new_id, *current[at + 2 :]]
        yield Applied(current, pair, rank)


def encoded(word: Word, merge_of: MergeOf) -> Word:
    """Return the word after all merges that apply.

    >>> encoded([1, 1, 1], lambda left, right: (0, 2) if left == right == 1 else None)
    [2, 1]
    """
    for applied in encode(word, merge_of):
        word = applied.word
    return word
