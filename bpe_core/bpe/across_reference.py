"""SuperBPE and BoundlessBPE in their plainest form, for readers and as the baseline of tests.

Nothing here is optimized. A text is a list of words, a word a list of ids; `reference.py` has the shared parts.

Sources: Liu, Hayase, Hofmann, Oh, Smith and Choi, "SuperBPE: Space Travel for Language Models" (2025); Schmidt,
Reddy, Tanner and Pinter, "Boundless Byte Pair Encoding: Breaking the Pre-tokenization Barrier" (2025).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bpe_core.bpe.reference import Pair, Word, choose, count_pairs, learn, merge

Texts = Sequence[Sequence[Word]]
"""Texts in words of ids."""


def learn_superbpe(words: Texts, across: Texts, *, first_id: int, transition: int, most: int) -> list[Pair]:
    """Pairs that SuperBPE merges: inside `words` up to `transition` ids, then inside `across`, the same texts.

    >>> words, across = [[[0, 1], [2, 0, 1]]], [[[0, 1, 2, 0, 1]]]
    >>> learn_superbpe(words, across, first_id=3, transition=4, most=6)
    [(0, 1), (3, 2), (4, 3)]
    """
    pairs: list[Pair] = []
    for texts, size in ((words, transition), (across, most)):
        every = [word for text in texts for word in text]
        steps = learn(every, [1] * len(every), first_id=first_id, most=size - first_id, forced=pairs)
        pairs = [(step.left, step.right) for step in steps]
    return pairs


class Join(NamedTuple):
    """A merge of BoundlessBPE: the pair, how often it occurred, and whether it joins two whole words.

    >>> Join((256, 257), 3, True).crosses
    True
    """

    pair: Pair
    times: int
    crosses: bool


def learn_boundless(texts: Texts, is_word: Callable[[list[int]], bool], *, first_id: int, most: int) -> list[Join]:
    """Merges of BoundlessBPE up to `most` ids, ties by first occurrence; pairs inside words come before pairs of words.

    `is_word`: whether base symbols contain a letter, so that a word of them may join another.

    >>> texts = [[[0, 1], [2, 0, 1], [2, 0, 1], [2, 0, 1]]]
    >>> learn_boundless(texts, lambda symbols: 0 in symbols, first_id=3, most=6)
    [Join(pair=(0, 1), times=4, crosses=False), Join(pair=(2, 3), times=3, crosses=False), \
Join(pair=(4, 4), times=2, crosses=True)]
    """
    now = [[list(word) for word in text] for text in texts]
    letters = [[is_word(list(word)) for word in text] for text in texts]
    made: list[Join] = []
    while len(made) < most - first_id:
        inside = count_pairs([word for text in now for word in text], [1] * sum(map(len, now)))
        across: dict[Pair, int] = {}
        for text, has_letter in zip(now, letters, strict=True):
            for (left, one), (right, other) in pairwise(zip(text, has_letter, strict=True)):
                if len(left) == len(right) == 1 and one and other:
                    across[left[0], right[0]] = across.get((left[0], right[0]), 0) + 1
        if not inside and not across:
            return made
        best = [(max(found.values(), default=0), kind) for kind, found in enumerate((inside, across))]
        crosses = best[1][0] > best[0][0]
        found = across if crosses else inside
        pair, new = choose(found, "first-seen"), first_id + len(made)
        made.append(Join(pair, found[pair], crosses))
        for number, text in enumerate(now):
            if crosses:
                now[number], letters[number] = _joined(text, letters[number], pair, new)
            else:
                now[number] = [merge(word, pair, new) for word in text]
    return made


def _joined(text: list[list[int]], letters: list[bool], pair: Pair, new: int) -> tuple[list[list[int]], list[bool]]:
    """The text with every occurrence of the pair as two whole words joined; occurrences inside a word stay."""
    words: list[list[int]] = []
    kept: list[bool] = []
    at = 0
    while at < len(text):
        if text[at : at + 2] == [[pair[0]], [pair[1]]] and letters[at] and letters[at + 1]:
            words.append([new])
            kept.append(True)
            at += 2
        else:
            words.append(text[at])
            kept.append(letters[at])
            at += 1
    return words, kept
