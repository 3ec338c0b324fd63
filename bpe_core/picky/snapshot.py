"""State of a PickyBPE training after one of its events."""

from __future__ import annotations

from dataclasses import dataclass, field

from bpe_core.bpe.snapshot import Candidate, Snapshot
from bpe_core.picky.events import PickyEvent


@dataclass(frozen=True, eq=False)
class PickySnapshot:
    """State after `step` events; `event` is the last of them (None at step 0), `following` the next (None at the end).

    >>> from bpe_core import TrainConfig, train_picky
    >>> config = TrainConfig(unit="char", split="words", vocab_size=9)
    >>> snapshot = train_picky("low low low lower slow", config).at(2)
    >>> [pair.count for pair in snapshot.candidates(3)]
    [1, 1, 1]
    >>> snapshot.words(2), snapshot.following
    ([((8,), 3), ((8, 1, 4), 1)], Removal(token_id=7, pieces=(2, 3), made=8, used=5, count=5, remaining=0))
    """

    step: int
    event: PickyEvent | None
    following: PickyEvent | None
    snapshot: Snapshot = field(repr=False)

    def words(self, n: int | None = None) -> list[tuple[tuple[int, ...], int]]:
        """First `n` distinct words (all if None) as ids, each with its count, in first-seen order.

        Raises ConfigError unless `n` is None or a whole number, at least 0.
        """
        return self.snapshot.words(n)

    def candidates(self, n: int = 10) -> list[Candidate]:
        """The `n` best pairs, in the order of the tie rule; none is `chosen` if the next event is a removal.

        Raises ConfigError if `n` is not a whole number.
        """
        return self.snapshot.candidates(n)
