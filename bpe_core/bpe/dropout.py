"""BPE-dropout: merges are skipped at random while a word is encoded, so that one word has many segmentations.

In each round every applicable occurrence of a merge is skipped with probability p, and independently in each
round; of those left, the lowest rank is applied, leftmost first; encoding ends with a round in which none is left.
p = 0 is plain BPE, p = 1 gives the base symbols.

Source: Provilkov, Emelianenko and Voita, "BPE-Dropout: Simple and Effective Subword Regularization" (2020), algorithm
1. Two libraries differ from it:

tokenizers     `BPE(dropout=p)` keeps merges whose symbols are gone in its queue. When such an entry is not skipped, all
               that were skipped are tried again, although nothing has merged, so it merges somewhat more.
sentencepiece  `alpha` of a BPE model: a skipped merge is never tried again, so it merges less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar, cast

from bpe_core.bpe.word_encoding import Merging

Symbol = TypeVar("Symbol")

MergeOfSymbols = Callable[[Symbol, Symbol], "tuple[float, Symbol] | None"]
"""Lookup of a pair: (rank, new symbol), or None if the model has no such merge."""

Chance = Callable[[], float]
"""Source of random numbers from 0 up to but not including 1, as `random.Random(seed).random`."""

MOST_STATES = 20_000
"""Limit on the states of a word in `dropout_probabilities`, reached by words of about 16 symbols at the earliest."""


class WordPart(NamedTuple):
    """Token of a word, and the index of its first base symbol.

    >>> encode_with_dropout(["a", "b"], lambda left, right: (0, left + right), 0.0, lambda: 0.5)
    [WordPart(token='ab', first=0)]
    """

    token: Any
    first: int


def encode_plainly_with_dropout(
    word: Sequence[Symbol], merge_of: MergeOfSymbols[Symbol], dropout: float, chance: Chance
) -> list[WordPart]:
    """The definition in a few lines, for readers and tests. In a round, merges are tried by rank, leftmost first.

    The first that is not skipped has the lowest rank of those left, so the rest of the round needs no random numbers.

    >>> ranks = {("h", "u"): (1, "hu"), ("u", "g"): (0, "ug"), ("h", "ug"): (2, "hug")}
    >>> numbers = iter([0.05, 0.7])
    >>> encode_plainly_with_dropout("hug", lambda left, right: ranks.get((left, right)), 0.1, lambda: next(numbers))
    [WordPart(token='hu', first=0), WordPart(token='g', first=2)]
    """
    parts = [WordPart(symbol, at) for at, symbol in enumerate(word)]
    while True:
        for _rank, at, made in _applicable(parts, merge_of):
            if chance() >= dropout:
                parts[at : at + 2] = [WordPart(made, parts[at].first)]
                break
        else:
            return parts


def encode_with_dropout(
    word: Sequence[Symbol], merge_of: MergeOfSymbols[Symbol], dropout: float, chance: Chance
) -> list[WordPart]:
    """Result of `encode_plainly_with_dropout` by a heap: O(n log n / (1 − dropout)) for n symbols.

    >>> ranks = {("h", "u"): (1, "hu"), ("u", "g"): (0, "ug"), ("h", "ug"): (2, "hug")}
    >>> encode_with_dropout("hug", lambda left, right: ranks.get((left, right)), 0.1, lambda: 0.5)
    [WordPart(token='hug', first=0)]
    """
    merging = Merging(cast("Any", word))
    if dropout < 1.0:
        for _ in merging.merges(cast("Any", merge_of), lambda: chance() < dropout):
            pass
    return [WordPart(token, place) for place, token in enumerate(merging.ids) if merging.is_there[place]]


def dropout_probabilities(
    word: Sequence[Symbol], merge_of: MergeOfSymbols[Symbol], dropout: float
) -> dict[tuple[WordPart, ...], float] | None:
    """Exact probability of every segmentation of a word; None if more than MOST_STATES states can be reached.

    Merges by rank, m of them applicable: the k-th (from 0) is applied with probability (1 − p) pᵏ, and the word stays
    as it is with probability pᵐ.

    >>> ranks = {("h", "u"): (1, "hu"), ("u", "g"): (0, "ug"), ("h", "ug"): (2, "hug")}
    >>> found = dropout_probabilities("hug", lambda left, right: ranks.get((left, right)), 0.1)
    >>> [("-".join(part.token for part in parts), round(share, 4)) for parts, share in found.items()]
    [('h-u-g', 0.01), ('h-ug', 0.09), ('hu-g', 0.09), ('hug', 0.81)]
    """
    states: dict[tuple[WordPart, ...], float] = {tuple(WordPart(symbol, at) for at, symbol in enumerate(word)): 1.0}
    found: dict[tuple[WordPart, ...], float] = {}
    while states:
        following: dict[tuple[WordPart, ...], float] = {}
        for parts, reached in states.items():
            left = reached
            for _rank, at, made in _applicable(parts, merge_of):
                if not left:
                    break
                merged = (*parts[:at], WordPart(made, parts[at].first), *parts[at + 2 :])
                following[merged] = following.get(merged, 0.0) + left * (1.0 - dropout)
                left *= dropout
            if left:
                found[parts] = found.get(parts, 0.0) + left
            if len(following) + len(found) > MOST_STATES:
                return None
        states = {parts: share for parts, share in following.items() if share}
    return found


def _applicable(parts: Sequence[WordPart], merge_of: MergeOfSymbols[Symbol]) -> list[tuple[float, int, Symbol]]:
    """(rank, place, new symbol) of every merge that applies, by rank and then place."""
    known = ((at, merge_of(left.token, right.token)) for at, (left, right) in enumerate(pairwise(parts)))
    return sorted(((merge[0], at, merge[1]) for at, merge in known if merge is not None), key=lambda merge: merge[:2])
