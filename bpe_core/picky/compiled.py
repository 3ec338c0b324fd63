"""Events of a PickyBPE training by the compiled loop of `kernels/picky_loop.py`: those of `reference.learn`."""

from __future__ import annotations

import numpy as np

from bpe_core.bpe.compiled import TIE_BREAKS
from bpe_core.bpe.corpus import Corpus, Plan, Progress
from bpe_core.kernels.backend import use_compiled_later
from bpe_core.kernels.picky_loop import PickyLoop
from bpe_core.picky import plain
from bpe_core.picky.events import EventTable, LearnedEvents

_SLICE = 256
"""Events that the loop makes at a time, in a few milliseconds."""

_SMALL = 300_000
"""Symbols of the distinct words times merges that plain Python handles in about a second."""

_LARGE_COUNT = 1 << 53
"""Number of tokens in a corpus above which the scores of the loop would be rounded."""


def learn_events(
    corpus: Corpus, plan: Plan, report: Progress, *, threshold: float, into: str, most_changes: int
) -> LearnedEvents:
    """Return the events of a training: compiled, or in plain Python for small ones until the loop is ready.

    threshold, into  as in `reference.learn`
    report           called periodically with the size of the vocabulary and its final size
    most_changes     training ends after the event that exceeds this number of changes

    >>> corpus, plan = Corpus.of([[0, 1, 2], [0, 1, 3]], [5, 1]), Plan(first_id=4, most=1)
    >>> learned = learn_events(corpus, plan, print, threshold=0.9, into="parts", most_changes=9)
    1 1
    >>> learned.table.event(0).replaced, [column.tolist() for column in learned.spelled]
    (6, [[0, 1], [0, 2]])
    """
    learn = _learn if is_compiled(corpus, plan) else plain.learn
    return learn(corpus, plan, report, threshold=threshold, into=into, most_changes=most_changes)


def is_compiled(corpus: Corpus, plan: Plan) -> bool:
    """Whether the compiled loop trains on a corpus.

    >>> is_compiled(Corpus.of([[0, 1, 2]], [1 << 53]), Plan(first_id=3, most=1))
    False
    """
    return corpus.token_count < _LARGE_COUNT and use_compiled_later(len(corpus.ids) * plan.most, _SMALL)


def _learn(
    corpus: Corpus, plan: Plan, report: Progress, *, threshold: float, into: str, most_changes: int
) -> LearnedEvents:
    loop = PickyLoop(
        corpus.ids,
        corpus.offsets,
        corpus.counts,
        first_new_id=plan.first_id,
        most=plan.most,
        tie_break=TIE_BREAKS[plan.tie_break],
        min_count=plan.min_count,
    )
    into_base, most_numbers = into == "base", 2 * most_changes
    while loop.run(_SLICE, threshold=threshold, into_base=into_base, most_changes=most_numbers):
        report(loop.size, plan.most)
        if len(loop.changes.changes) > most_numbers:
            break
    counted = loop.counted() if plan.tie_break == "first-counted" else np.empty((0, 2), np.int64)
    table = EventTable(loop.events[:, :-1].copy(), loop.pieces.copy())
    edges = np.append(0, loop.events[:, -1] // 2)
    return LearnedEvents(table, edges, loop.changes, counted, loop.spelled(), loop.has_pairs)
