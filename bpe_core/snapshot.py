"""Snapshot: the corpus at one step of a training, what the next choice looks at, and what the last one changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bpe_core.corpus import Corpus, PairCounts, count_changes, pair_counts


@dataclass(frozen=True, slots=True)
class Merge:
    """One merge: `rank` 0 is the first; `left` + `right` became `token_id` when the pair stood `count` times."""

    rank: int
    left: int
    right: int
    token_id: int
    count: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that the next merge could take. `tied`: shares the largest count with another; `chosen`: it is taken."""

    left: int
    right: int
    count: int
    tied: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class CountChange:
    """A pair whose count a merge changed."""

    left: int
    right: int
    before: int
    after: int


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The state after `step` merges; `merge` is the one that led here (None at step 0).

    >>> from bpe_core import TrainConfig, train
    >>> snapshot = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).at(1)
    >>> snapshot.candidates(2)
    [Candidate(left=256, right=97, count=2, tied=True, chosen=True), \
Candidate(left=97, right=98, count=2, tied=True, chosen=False)]
    >>> snapshot.words()
    [((256, 97, 98, 100, 256, 97, 98, 97, 99), 1)]
    """

    step: int
    merge: Merge | None
    corpus: Corpus = field(repr=False)
    tie_break: str = field(repr=False)
    next_pair: tuple[int, int] | None = field(repr=False)
    before: Callable[[], Snapshot] | None = field(repr=False)

    def candidates(self, n: int = 10) -> list[Candidate]:
        """The pairs that the next choice looks at, in the rule's order; every pair when n is large.

        None is chosen after the last merge of the training.
        """
        pairs = self.pairs
        order = np.argsort(-pairs.count, kind="stable")
        if self.tie_break == "lowest-ids":
            order = np.lexsort((pairs.right, pairs.left, -pairs.count))
        order = order[: max(n, 0)]
        top = int(pairs.count.max(initial=0))
        tied = int((pairs.count == top).sum()) > 1
        rows = zip(pairs.left[order].tolist(), pairs.right[order].tolist(), pairs.count[order].tolist(), strict=True)
        return [
            Candidate(left, right, count, tied and count == top, (left, right) == self.next_pair)
            for left, right, count in rows
        ]

    def changes(self) -> list[CountChange]:
        """Every pair whose count this step's merge changed, the merged one first, then by size of the change."""
        if self.merge is None or self.before is None:
            return []
        changes = count_changes(self.before().corpus, self.merge.left, self.merge.right, self.merge.token_id)
        merged, *others = (CountChange(*row) for row in changes)
        others.sort(key=lambda c: (-abs(c.after - c.before), c.left, c.right))
        return [merged, *others]

    def words(self, n: int | None = None) -> list[tuple[tuple[int, ...], int]]:
        """The first `n` distinct words (all when None) as ids, each with its count, in first-seen order."""
        counts: list[int] = self.corpus.counts[:n].tolist()
        return [(tuple(word), count) for word, count in zip(self.corpus.words(len(counts)), counts, strict=True)]

    @cached_property
    def pairs(self) -> PairCounts:
        """Every adjacent pair and its count, in first-seen order."""
        return pair_counts(self.corpus)
