"""Snapshot of a training step: the corpus, the candidates for the next merge, and the changes by the last one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.bpe.corpus import Corpus, PairCounts
from bpe_core.bpe.engine import engine_for
from bpe_core.bpe.html_views import snapshot_html
from bpe_core.work import taking

_LISTED = 48
"""Bytes of an id in a list and in a tuple."""


@dataclass(frozen=True, slots=True)
class Merge:
    """One merge of a training.

    rank         place in the order of training, from 0
    left, right  ids that it joins
    token_id     id of the new token
    count        count of the pair when it was chosen

    >>> from bpe_core import TrainConfig, train
    >>> train("low low", TrainConfig(vocab_size=257)).merges
    (Merge(rank=0, left=108, right=111, token_id=256, count=2),)
    """

    rank: int
    left: int
    right: int
    token_id: int
    count: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """Candidate pair for the next merge.

    left, right  the ids of the pair
    count        its number of occurrences
    tied         whether another pair shares its count, the largest
    chosen       whether it is the next merge
    crosses      whether it is a pair of whole words (BoundlessBPE)

    >>> from bpe_core import TrainConfig, train
    >>> train("low low", TrainConfig(vocab_size=257)).at(0).candidates(1)
    [Candidate(left=108, right=111, count=2, tied=True, chosen=True)]
    """

    left: int
    right: int
    count: int
    tied: bool
    chosen: bool
    crosses: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class CountChange:
    """A pair whose count a merge changed, with the count before and after; `crosses`: as in Candidate.

    >>> from bpe_core import TrainConfig, train
    >>> train("low low", TrainConfig(vocab_size=257)).at(1).changes()[0]
    CountChange(left=108, right=111, before=2, after=0)
    """

    left: int
    right: int
    before: int
    after: int
    crosses: bool = field(default=False, repr=False)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """State after `step` merges; `merge` is the last of them (None at step 0).

    >>> from bpe_core import TrainConfig, train
    >>> snapshot = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).at(1)
    >>> snapshot.candidates(2)
    [Candidate(left=256, right=97, count=2, tied=True, chosen=True), \
Candidate(left=97, right=98, count=2, tied=True, chosen=False)]
    >>> snapshot.words()
    [((256, 97, 98, 100, 256, 97, 98, 97, 99), 1)]
    >>> snapshot.changes()[0], len(snapshot.pairs.count)
    (CountChange(left=97, right=97, before=4, after=0), 6)
    """

    step: int
    merge: Merge | None
    corpus: Corpus = field(repr=False)
    tie_break: str = field(repr=False)
    counted: npt.NDArray[np.int64] | None = field(repr=False)
    next_pair: tuple[int, int] | None = field(repr=False)
    before: Callable[[], Snapshot] | None = field(repr=False)
    token_bytes: Callable[[int], bytes] = field(repr=False)

    def _repr_html_(self) -> str:
        """Notebook view: the step's merge, the next candidates and the first words in tokens."""
        return snapshot_html(self)

    def candidates(self, n: int = 10) -> list[Candidate]:
        """Return the `n` best pairs for the next merge, in the order of the tie rule; all if `n` is large.

        After the last merge of the training, none is chosen. Raises ConfigError if `n` is not a whole number.
        """
        most = checks.whole_number(n, "n", None)
        pairs = self.pairs
        order = np.lexsort((*self.tie_keys(), -pairs.count))[: max(most, 0)]
        top = int(pairs.count.max(initial=0))
        tied = int((pairs.count == top).sum()) > 1
        rows = zip(pairs.left[order].tolist(), pairs.right[order].tolist(), pairs.count[order].tolist(), strict=True)
        return [
            Candidate(left, right, count, tied and count == top, (left, right) == self.next_pair)
            for left, right, count in rows
        ]

    def tie_keys(self) -> tuple[npt.NDArray[np.integer[Any]], ...]:
        """Sort keys of ties between `pairs`, smallest first; the last array is the primary key, as in `np.lexsort`.

        >>> from bpe_core import TrainConfig, train
        >>> train("low", TrainConfig(vocab_size=256, tie_break="lowest-ids")).at(0).tie_keys()[1].tolist()
        [108, 111]
        """
        if self.tie_break == "lowest-ids":
            return self.pairs.right, self.pairs.left
        return () if self.counted is None else (places_of(self.counted, self.pairs),)

    def changes(self) -> list[CountChange]:
        """Every pair whose count this step's merge changed: the merged pair, then the others, largest change first."""
        if self.merge is None or self.before is None:
            return []
        corpus, merge = self.before().corpus, self.merge
        changes = engine_for(len(corpus.ids)).count_changes(corpus, merge.left, merge.right, merge.token_id)
        merged, *others = (CountChange(*row) for row in changes)
        others.sort(key=lambda c: (-abs(c.after - c.before), c.left, c.right))
        return [merged, *others]

    def words(self, n: int | None = None) -> list[tuple[tuple[int, ...], int]]:
        """First `n` distinct words (all if None) as ids, each with its count, in first-seen order.

        Raises ConfigError unless `n` is None or a whole number, at least 0.
        """
        counts: list[int] = self.corpus.counts[: checks.how_many(n)].tolist()
        return [(tuple(word), count) for word, count in zip(self.corpus.words(len(counts)), counts, strict=True)]

    def frequent_words(self, n: int | None = None) -> list[tuple[tuple[int, ...], int]]:
        """The `n` most frequent distinct words (all if None) as in `words`; equal counts in first-seen order.

        Raises ConfigError unless `n` is None or a whole number, at least 0.

        >>> from bpe_core import TrainConfig, train
        >>> train("a low low", TrainConfig(vocab_size=258, split="words")).at(2).frequent_words(1)
        [((257,), 2)]
        """
        ids, offsets, counts = self.corpus
        order = np.argsort(-counts, kind="stable")[: checks.how_many(n)]
        symbols = int(np.diff(offsets)[order].sum())
        with taking(_LISTED * symbols):
            return [(tuple(ids[offsets[word] : offsets[word + 1]].tolist()), int(counts[word])) for word in order]

    def occurrences(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Ids of the distinct words, concatenated, and the count of each id: the count of its word.

        >>> from bpe_core import TrainConfig, train
        >>> snapshot = train("low low", TrainConfig(vocab_size=258, split="words")).at(1)
        >>> [column.tolist() for column in snapshot.occurrences()]
        [[256, 119], [2, 2]]
        """
        return self.corpus.ids, np.repeat(self.corpus.counts, np.diff(self.corpus.offsets))

    @cached_property
    def pairs(self) -> PairCounts:
        """Every adjacent pair and its count, in first-seen order."""
        return engine_for(len(self.corpus.ids)).pair_counts(self.corpus)


def places_of(counted: npt.NDArray[np.int64], pairs: PairCounts) -> npt.NDArray[np.int64]:
    """Index of each pair in `counted`, where every pair occurs.

    >>> places_of(np.array([[1, 2], [3, 4]]), PairCounts(np.array([3]), np.array([4]), np.array([9]))).tolist()
    [1]
    """
    keys = (counted[:, 0] << 32) | counted[:, 1]
    in_order = np.argsort(keys)
    wanted = (pairs.left.astype(np.int64) << 32) | pairs.right
    places: npt.NDArray[np.int64] = in_order[np.searchsorted(keys, wanted, sorter=in_order)]
    return places
