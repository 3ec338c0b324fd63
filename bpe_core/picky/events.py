"""Events of a PickyBPE training: merges, and removals of tokens that merges have left almost without use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class PickyMerge:
    """A merge: every `left` + `right` became `token_id`.

    count                    count of the pair when it was chosen, overlaps included
    replaced                 occurrences that were replaced: `count`, or fewer if `left` is `right`
    left_count, right_count  occurrences of the two tokens before the merge
    is_new                   whether it adds a token to the vocabulary; False if the token was there by another pair

    >>> from bpe_core import TrainConfig, train_picky
    >>> train_picky("low low lower", TrainConfig(unit="char", split="words", vocab_size=8)).events[0]
    PickyMerge(left=2, right=3, token_id=6, count=3, replaced=3, left_count=3, right_count=3, is_new=True)
    """

    left: int
    right: int
    token_id: int
    count: int
    replaced: int
    left_count: int
    right_count: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Removal:
    """A removal: `token_id` left the vocabulary, and what was left of it was split into `pieces`.

    made       token of the merge that has used it up
    used       occurrences of the token that the merge replaced
    count      its occurrences before the merge
    remaining  its occurrences that were split

    >>> from bpe_core import TrainConfig, train_picky
    >>> event = train_picky("low low lower", TrainConfig(unit="char", split="words", vocab_size=8)).events[2]
    >>> event, event.score
    (Removal(token_id=6, pieces=(2, 3), made=7, used=3, count=3, remaining=0), 1.0)
    """

    token_id: int
    pieces: tuple[int, ...]
    made: int
    used: int
    count: int
    remaining: int

    @property
    def score(self) -> float:
        """Intersection over self, 0.0 … 1.0: the share of the token's occurrences that the merge replaced."""
        return self.used / self.count


PickyEvent: TypeAlias = PickyMerge | Removal
