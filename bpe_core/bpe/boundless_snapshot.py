"""Snapshot of a step of BoundlessBPE: pairs inside words, and pairs of whole words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.bpe.corpus import PairCounts
from bpe_core.bpe.engine import engine_for
from bpe_core.bpe.snapshot import Candidate, CountChange, Snapshot, places_of


@dataclass(frozen=True, eq=False)
class BoundlessSnapshot(Snapshot):
    """State after `step` merges of BoundlessBPE; `pairs` are those inside words, then those of whole words.

    across        pairs of whole words, in the order of the tie rule
    crossed       whether the last merge joined words
    next_crosses  whether the next one does

    >>> from bpe_core import TrainConfig, train
    >>> snapshot = train("low low low low", TrainConfig(vocab_size=264, method="boundlessbpe")).at(3)
    >>> [(each.count, each.crosses, each.chosen) for each in snapshot.candidates()]
    [(2, True, True), (1, True, False)]
    >>> [(each.left, each.right, each.after) for each in snapshot.changes() if each.crosses]
    [(258, 258, 2), (257, 258, 1)]
    >>> snapshot.inside.count.tolist(), snapshot.pairs.count.tolist(), [key.tolist() for key in snapshot.tie_keys()]
    ([], [1, 2], [[1, 1]])
    """

    across: PairCounts = field(repr=False)
    crossed: bool = field(repr=False)
    next_crosses: bool = field(repr=False)

    @cached_property
    def inside(self) -> PairCounts:
        """Pairs inside words, in first-seen order."""
        return engine_for(len(self.corpus.ids)).pair_counts(self.corpus)

    @cached_property
    def pairs(self) -> PairCounts:
        """Pairs inside words, then pairs of whole words; one pair may be both."""
        both = self.inside, self.across
        left, right, count = (np.concatenate([getattr(each, name) for each in both]) for name in _COLUMNS)
        return PairCounts(left, right, count)

    def counts_of(self, left: int, right: int) -> tuple[int, int]:
        """Counts of a pair inside words and as words.

        >>> from bpe_core import TrainConfig, train
        >>> train("low low low low", TrainConfig(vocab_size=264, method="boundlessbpe")).at(3).counts_of(258, 258)
        (0, 2)
        """
        inside, across = (
            int(each.count[(each.left == left) & (each.right == right)].sum()) for each in (self.inside, self.across)
        )
        return inside, across

    def candidates(self, n: int = 10) -> list[Candidate]:
        """See `Snapshot.candidates`: in a tie, pairs inside words come first."""
        most = checks.whole_number(n, "n", None)
        pairs, counts = self.pairs, self.pairs.count
        top = int(counts.max(initial=0))
        tied = int((counts == top).sum()) > 1
        found = []
        for at in np.lexsort((*self.tie_keys(), -counts))[: max(most, 0)].tolist():
            pair, crosses = (int(pairs.left[at]), int(pairs.right[at])), at >= len(self.inside.count)
            chosen = pair == self.next_pair and crosses == self.next_crosses
            found.append(Candidate(*pair, int(counts[at]), tied and counts[at] == top, chosen, crosses))
        return found

    def tie_keys(self) -> tuple[npt.NDArray[np.integer[Any]], ...]:
        """See `Snapshot.tie_keys`."""
        crosses = (np.arange(len(self.pairs.count)) >= len(self.inside.count)).astype(np.int8)
        if self.tie_break == "lowest-ids":
            return self.pairs.right, self.pairs.left, crosses
        if self.counted is None:
            return (crosses,)
        return np.concatenate((places_of(self.counted, self.inside), np.arange(len(self.across.count)))), crosses

    def changes(self) -> list[CountChange]:
        """See `Snapshot.changes`: pairs of words that the merge made whole appear too."""
        if self.merge is None or self.before is None:
            return []
        merged = (self.merge.left, self.merge.right)
        before, after = self._across_of(self.before()), self._across_of(self)
        changes = [
            CountChange(*pair, before.get(pair, 0), after.get(pair, 0), True)
            for pair in dict.fromkeys((*before, *after))
        ]
        others = [change for change in changes if change.before != change.after]
        first: list[CountChange] = []
        if self.crossed:
            first = [CountChange(*merged, before.get(merged, 0), after.get(merged, 0), True)]
            others = [change for change in others if (change.left, change.right) != merged]
        else:
            first, rest = (inside := super().changes())[:1], inside[1:]
            others += rest
        return [*first, *sorted(others, key=lambda c: (-abs(c.after - c.before), c.left, c.right))]

    @staticmethod
    def _across_of(snapshot: Snapshot) -> dict[tuple[int, int], int]:
        assert isinstance(snapshot, BoundlessSnapshot)
        left, right, count = (getattr(snapshot.across, name).tolist() for name in _COLUMNS)
        return dict(zip(zip(left, right, strict=True), count, strict=True))


_COLUMNS = ("left", "right", "count")
