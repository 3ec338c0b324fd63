"""Events of a PickyBPE training by the compiled loop of `kernels/picky_loop.py`: those of `merging.Learner`."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_core.arrays import Int32s
from bpe_core.bpe.corpus import Corpus, Plan
from bpe_core.kernels import picky_loop
from bpe_core.kernels.backend import use_compiled_later
from bpe_core.picky.events import PickyEvent, PickyMerge, Removal
from bpe_core.picky.merging import Learner

_TIE_BREAKS = {
    "first-seen": picky_loop.FIRST_SEEN,
    "lowest-ids": picky_loop.LOWEST_IDS,
    "first-counted": picky_loop.FIRST_COUNTED,
}

SLICE = 256
"""Events that the loop makes at a time, in a few milliseconds."""

_SMALL = 50_000
"""Symbols of the distinct words that plain Python handles in about a second."""

_LARGE_COUNT = 1 << 53
"""Tokens of a corpus from which the scores of the loop would be rounded."""


def learner_for(corpus: Corpus, plan: Plan, *, most_changes: int) -> Learner | CompiledLearner:
    """Return the learner for a corpus: compiled, or in plain Python for small ones until the loop is ready.

    >>> corpus = Corpus.of([[0, 1, 2]], [1 << 53])
    >>> type(learner_for(corpus, Plan(first_id=3, most=1), most_changes=10)).__name__
    'Learner'
    """
    if corpus.token_count < _LARGE_COUNT and use_compiled_later(len(corpus.ids), _SMALL):
        return CompiledLearner(corpus, plan, most_changes=most_changes)
    return Learner(corpus, plan)


class CompiledLearner:
    """PickyBPE training with the attributes and results of `merging.Learner`; `counted` only if ties need it.

    `changes` and `edges` may be ahead of the events yielded, by as much as the loop makes at a time; it stops where
    `changes` becomes longer than `most_changes`.

    >>> learner = CompiledLearner(Corpus.of([[0, 1, 2], [0, 1, 3]], [5, 1]), Plan(first_id=4, most=1))
    >>> next(learner.events(threshold=0.9, into="parts")).replaced, learner.changes.tolist(), learner.edges
    (6, [0, 4, 1, -1, 3, 4, 4, -1], [8])
    >>> learner.symbols(0), learner.symbols(4), learner.made, learner.size, learner.has_pairs
    ((0,), (0, 1), 1, 1, True)
    >>> learner.counted
    []
    """

    def __init__(self, corpus: Corpus, plan: Plan, *, most_changes: int = 1 << 62) -> None:
        self.edges: list[int] = []
        self._first_id = plan.first_id
        self._most_changes = most_changes
        self._has_order = plan.tie_break == "first-counted"
        self._loop = picky_loop.PickyLoop(
            corpus.ids,
            corpus.offsets,
            corpus.counts,
            first_new_id=plan.first_id,
            most=plan.most,
            tie_break=_TIE_BREAKS[plan.tie_break],
            min_count=plan.min_count,
        )

    @property
    def size(self) -> int:
        """Number of tokens in the vocabulary, without the base symbols."""
        return self._loop.size

    @property
    def made(self) -> int:
        """Number of tokens that were ever made."""
        return self._loop.made

    @property
    def has_pairs(self) -> bool:
        """Whether two tokens are side by side in any word."""
        return self._loop.has_pairs

    @property
    def changes(self) -> Int32s:
        """int32: place and token of every change in order."""
        return self._loop.changes

    @property
    def counted(self) -> list[tuple[int, int]]:
        """Every pair that was ever counted, in that order; empty unless ties need it."""
        return [(left, right) for left, right in self._loop.counted().tolist()] if self._has_order else []

    def symbols(self, token: int) -> tuple[int, ...]:
        """Base symbols of a token."""
        return (token,) if token < self._first_id else self._loop.spelled(token)

    def events(self, threshold: float, into: str) -> Iterator[PickyEvent]:
        """Yield the events; arguments as of `reference.learn`."""
        while self._loop.run(SLICE, threshold=threshold, into_base=into == "base", most_changes=self._most_changes):
            records, all_pieces = self._loop.events(len(self.edges)), self._loop.pieces
            self.edges += [record[-1] for record in records]
            for kind, one, two, three, four, five, six, seven, _ in records:
                if kind == picky_loop.REMOVAL:
                    pieces = tuple(all_pieces[six:seven].tolist())
                    yield Removal(one, pieces, made=two, used=three, count=four, remaining=five)
                else:
                    yield PickyMerge(one, two, three, four, five, six, seven, kind == picky_loop.NEW_MERGE)
