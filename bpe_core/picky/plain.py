"""PickyBPE training in plain Python: follows `reference.py` and needs no compiled kernels."""

from __future__ import annotations

import numpy as np

from bpe_core.arrays import Int32s
from bpe_core.bpe.corpus import Corpus, Plan, Progress
from bpe_core.bpe.reference import Pair, merge
from bpe_core.picky import reference
from bpe_core.picky.events import EventTable, LearnedEvents, PickyEvent, PickyMerge


def learn(
    corpus: Corpus, plan: Plan, report: Progress, *, threshold: float, into: str, most_changes: int
) -> LearnedEvents:
    """Return the events of a training; parameters as in `compiled.learn_events`.

    >>> corpus, plan = Corpus.of([[0, 1, 2], [0, 1, 3]], [5, 1]), Plan(first_id=4, most=1)
    >>> learned = learn(corpus, plan, lambda done, total: None, threshold=0.9, into="parts", most_changes=9)
    >>> learned.table.event(0).replaced, learned.edges, learned.changes.tolist()
    (6, [0, 4], [[0, 4], [1, -1], [3, 4], [4, -1]])
    >>> [column.tolist() for column in learned.spelled], learned.size, learned.has_pairs, learned.counted.tolist()
    ([[0, 1], [0, 2]], 1, True, [])
    """
    words, counts, at = corpus.words(), corpus.counts.tolist(), corpus.ids.copy()
    counted: dict[Pair, None] = {}
    symbols: dict[int, list[int]] = {token: [token] for token in range(plan.first_id)}
    events: list[PickyEvent] = []
    changes: list[Int32s] = [np.empty((0, 2), np.int32)]
    edges, size = [0], 0
    first_id, most, tie_break, min_count, _ = plan
    for event in reference.learn(
        words,
        counts,
        first_id=first_id,
        most=most,
        threshold=threshold,
        into=into,
        tie_break=tie_break,
        min_count=min_count,
        counted=counted,
    ):
        events.append(event)
        if isinstance(event, PickyMerge):
            size += event.is_new
            pair = event.left, event.right
            symbols.setdefault(event.token_id, symbols[event.left] + symbols[event.right])
            words = [merge(word, pair, event.token_id) for word in words]
        else:
            size -= 1
            words = [reference.split(word, event.token_id, event.pieces) for word in words]
        tokens = [token for word in words for token in word]
        before, at = at, np.full_like(at, -1)
        at[np.cumsum([0, *(len(symbols[token]) for token in tokens)])[:-1]] = tokens
        places = np.flatnonzero(at != before).astype(np.int32)
        changes.append(np.column_stack((places, at[places])))
        edges.append(edges[-1] + len(places))
        report(size, most)
        if edges[-1] > most_changes:
            break
    made = list(symbols.values())[first_id:]
    return LearnedEvents(
        EventTable.of(events),
        edges,
        np.concatenate(changes),
        np.array(list(counted), np.int64).reshape(-1, 2),
        (np.array([symbol for each in made for symbol in each], np.int32), np.cumsum([0, *map(len, made)])),
        any(len(word) > 1 for word in words),
    )
