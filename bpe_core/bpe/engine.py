"""Training engines: one interface, two implementations with identical results, and the choice between them."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from bpe_core.bpe import compiled, plain
from bpe_core.bpe.corpus import Corpus, CountedChange, Learned, PairCounts, Plan, Progress
from bpe_core.kernels import backend


class Engine(Protocol):
    """Operations of a training on a corpus. `plain` and `compiled` implement them with identical results.

    >>> engine: Engine = plain
    >>> learned = engine.learn(Corpus.of([[1, 2, 1, 2]], [1]), Plan(first_id=3, most=2), ignore_progress)
    >>> engine.replay(Corpus.of([[1, 2, 1, 2]], [1]), learned, 2, 3).words()
    [[4]]
    >>> engine.joined_at(Corpus.of([[1, 2, 1, 2]], [1]), learned, 3).tolist()[1:]
    [0, 1, 0]
    >>> engine.pair_counts(Corpus.of([[1, 2, 1, 2]], [1])).count.tolist()
    [2, 1]
    >>> engine.count_changes(Corpus.of([[1, 2]], [1]), 1, 2, 3)
    [CountedChange(left=1, right=2, before=1, after=0)]
    """

    def learn(self, corpus: Corpus, plan: Plan, report: Progress) -> Learned:
        """Merges of a training. An exception raised by `report` cancels it."""

    def replay(self, corpus: Corpus, learned: Learned, step: int, first_id: int) -> Corpus:
        """Corpus after the first `step` merges; the first merge makes the id `first_id`."""

    def joined_at(self, corpus: Corpus, learned: Learned, first_id: int) -> npt.NDArray[np.int32]:
        """int32, one per symbol of the distinct words: rank of the merge that joined it to the one before.

        NEVER for the first symbol of a word, and for symbols that no merge joined.
        """

    def pair_counts(self, corpus: Corpus) -> PairCounts:
        """Every adjacent pair with its count, overlaps included, in first-seen order."""

    def count_changes(self, corpus: Corpus, left: int, right: int, new_id: int) -> list[CountedChange]:
        """Every pair whose count changes when (left, right) merges into `new_id`, the merged pair first."""


def engine_for(work: int) -> Engine:
    """Return the engine for this amount of work: compiled, or plain Python for small work until the kernels are ready.

    `work`: symbols times passes over them (one for counting, one per merge for training).

    >>> engine_for(10**9).__name__
    'bpe_core.bpe.compiled'
    """
    return plain if is_small(work) else compiled


def is_small(work: int) -> bool:
    """Whether plain Python does this amount of work; `work` as for `engine_for`.

    >>> is_small(10**9)
    False
    """
    return not backend.use_compiled(work, _SMALL)


def engine_of(learned: Learned) -> Engine:
    """Return the engine that made these merges and can replay them.

    >>> engine_of(Learned(np.zeros((0, 4), np.int64))).__name__
    'bpe_core.bpe.plain'
    """
    return plain if learned.merged_at is None else compiled


def ignore_progress(done: int, total: int) -> None:
    """Default progress callback: a no-op.

    >>> ignore_progress(1, 2)
    """


_SMALL = 2_000_000
"""Symbols times passes that plain Python handles in well under a second."""
