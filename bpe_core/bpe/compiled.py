"""Training engine backed by the compiled kernels of `kernels/merge_loop.py`.

`engine.Engine` documents the functions; `plain.py` implements them in plain Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s
from bpe_core.bpe.corpus import NEVER, Corpus, CountedChange, Learned, PairCounts, Plan, Progress
from bpe_core.bpe.parity_reference import SHARE
from bpe_core.kernels import fair_loop, merge_loop
from bpe_core.work import taking

TIE_BREAKS = {
    "first-seen": merge_loop.FIRST_SEEN,
    "lowest-ids": merge_loop.LOWEST_IDS,
    "first-counted": merge_loop.FIRST_COUNTED,
}
"""Numbers of the tie rules in the kernels."""

_SLICE = 256
"""Merges between two progress reports: a few milliseconds at most."""

_LEARNED, _REPLAYED, _JOINED, _COUNTED = 57, 12, 26, 28
"""Memory in bytes of each function, per symbol of the distinct words."""

_FORCED = 120
"""Memory in bytes of each step of a parity-aware training, per language."""

_WORD, _PAIR = 40, 144
"""Memory in bytes of counting pairs, per word and per distinct pair: its tables double as they grow."""

_FEW_PAIRS = 500_000
"""Upper bound of the distinct pairs below which they are not estimated."""

_CELLS, _SLICE_OF_IDS = 1 << 25, 1 << 18
"""Cells of the table in which distinct pairs are estimated, and symbols hashed at a time."""


def learn(corpus: Corpus, plan: Plan, report: Progress) -> Learned:
    """Return the merges of a training; `report` is called before the first merge and after every 256.

    >>> learn(Corpus.of([[1, 2, 1, 2]], [1]), Plan(first_id=3, most=2), lambda done, total: None).rows.tolist()
    [[1, 2, 2, 2], [3, 3, 1, 1]]
    """
    with taking(_LEARNED * len(corpus.ids)):
        return _learned(corpus, plan, report)


def _learned(corpus: Corpus, plan: Plan, report: Progress) -> Learned:
    report(0, plan.most)
    loop = merge_loop.MergeLoop(
        corpus.ids,
        corpus.offsets,
        corpus.counts,
        first_new_id=plan.first_id,
        max_merges=plan.most,
        tie_break=TIE_BREAKS[plan.tie_break],
        min_count=plan.min_count,
        forced=plan.forced,
    )
    while loop.stop_reason == merge_loop.RUNNING:
        loop.run(_SLICE)
        report(loop.made, plan.most)
    rows = np.column_stack((loop.pairs, loop.counts, loop.replaced))
    counted = loop.counted() if plan.tie_break == "first-counted" else None
    return Learned(rows, loop.merged_at.copy(), loop.merged_ends.copy(), counted)


def fair_merges(
    corpora: Sequence[Corpus], units: Sequence[int], plan: Plan, report: Progress, *, window: int = 0
) -> fair_loop.FairLoop:
    """Merges of a parity-aware training, as `parity_reference.learn_fairly`; `report` as for `learn`.

    >>> corpora = [Corpus.of([[0, 1, 2]], [4]), Corpus.of([[3, 4]], [6])]
    >>> found = fair_merges(corpora, [12, 6], Plan(first_id=5, most=3), lambda done, total: None)
    >>> found.served.tolist(), found.counts.tolist()
    ([1, 0, 0], [[0, 6], [4, 0], [4, 0]])
    """
    symbols, languages = sum(len(corpus.ids) for corpus in corpora), len(corpora)
    with taking(_LEARNED * symbols + _FORCED * languages * plan.most):
        report(0, plan.most)
        loop = fair_loop.FairLoop(
            [merge_loop.Words(corpus.ids, corpus.offsets) for corpus in corpora],
            [corpus.counts for corpus in corpora],
            units,
            first_new_id=plan.first_id,
            most=plan.most,
            tie_break=TIE_BREAKS[plan.tie_break],
            min_count=plan.min_count,
            window=window,
            share=SHARE,
            forced=plan.forced,
        )
        while loop.run(_SLICE):
            report(loop.made, plan.most)
        return loop


def common_words(
    loop: fair_loop.FairLoop, corpora: Sequence[Corpus], numbers: Sequence[Int32s], both: Corpus
) -> Learned:
    """Convert the merges of a parity-aware training to merges of one corpus with the words of all languages.

    numbers  int32[words] of each language: index in `both` of each of its words, in first-seen order

    >>> corpora = [Corpus.of([[0, 1, 2]], [4]), Corpus.of([[3, 4], [0, 1, 2]], [6, 1])]
    >>> loop = fair_merges(corpora, [12, 9], Plan(first_id=5, most=3), lambda done, total: None)
    >>> learned = common_words(loop, corpora, [np.array([0]), np.array([1, 0])], Corpus.of([[0, 1, 2], [3, 4]], [5, 6]))
    >>> learned.rows.tolist(), learned.merged_at.tolist(), learned.merged_ends.tolist()
    ([[3, 4, 6, 6], [0, 1, 5, 5], [6, 2, 5, 5]], [5, 1, 1], [0, 1, 2, 3])
    """
    of_words = np.concatenate(numbers).astype(np.int64)
    sizes = np.concatenate([np.diff(corpus.offsets) for corpus in corpora]) + 1  # cells, with the separator
    begins = np.cumsum(sizes) - sizes
    is_first = np.diff(np.maximum.accumulate(of_words), prepend=-1) > 0
    cells = np.where(is_first, both.offsets[of_words] + of_words - begins, NEVER).astype(np.int32)
    moved = np.append(np.int32(0), np.repeat(cells, sizes))[loop.merged_at]
    is_kept = moved != NEVER
    ends = np.append(0, np.cumsum(is_kept))[loop.merged_ends]
    rows = np.column_stack((loop.pairs, loop.counts.sum(axis=1), loop.replaced.sum(axis=1)))
    return Learned(rows, (loop.merged_at + moved)[is_kept], ends)


def replay(corpus: Corpus, learned: Learned, step: int, first_id: int) -> Corpus:
    """Return the corpus after the first `step` merges, replayed from the places that `learn` recorded.

    >>> corpus = Corpus.of([[1, 2, 1, 2]], [1])
    >>> learned = learn(corpus, Plan(first_id=3, most=2), lambda done, total: None)
    >>> replay(corpus, learned, 1, 3).words()
    [[3, 3]]
    """
    merged_at, merged_ends = _places(learned)
    before = merge_loop.Words(corpus.ids, corpus.offsets)
    with taking(_REPLAYED * len(corpus.ids)):
        words = merge_loop.replay(before, merged_at, merged_ends, step, first_new_id=first_id)
    return Corpus(words.symbols, words.offsets, corpus.counts)


def joined_at(corpus: Corpus, learned: Learned, first_id: int) -> npt.NDArray[np.int32]:
    """Rank of the merge that joined each symbol to the one before it, or NEVER.

    `learned` must come from `learn` of this module.

    >>> corpus = Corpus.of([[1, 2, 1, 2]], [1])
    >>> learned = learn(corpus, Plan(first_id=3, most=2), lambda done, total: None)
    >>> joined_at(corpus, learned, 3).tolist()[1:]
    [0, 1, 0]
    """
    with taking(_JOINED * len(corpus.ids)):
        merged_at, merged_ends = _places(learned)
        sizes = [1] * first_id  # symbols per token: a merge is recorded at the first symbol of its left token
        for left, right in learned.rows[:, :2].tolist():
            sizes.append(sizes[left] + sizes[right])
        replaced = np.diff(merged_ends)
        seconds = merged_at + np.repeat(np.array(sizes, np.int64)[learned.rows[:, 0]], replaced)
        # The kernels' cells include a separator between words and at either end.
        cells = np.full(len(corpus.ids) + len(corpus.counts) + 1, NEVER, np.int32)
        cells[seconds] = np.repeat(np.arange(len(learned.rows), dtype=np.int32), replaced)
        joined: npt.NDArray[np.int32] = cells[np.arange(len(corpus.ids)) + corpus.word_ids + 1]
        return joined


def pair_counts(corpus: Corpus) -> PairCounts:
    """Every adjacent pair with its count, overlaps included, in first-seen order.

    >>> pair_counts(Corpus.of([[1, 1, 1], [1, 2]], [10, 5])).count.tolist()
    [20, 5]
    """
    with taking(lambda: _size_of_pairs(corpus)):
        found = merge_loop.pair_counts(merge_loop.Words(corpus.ids, corpus.offsets), corpus.counts)
        order = np.argsort(found.firsts)
        return PairCounts(found.lefts[order], found.rights[order], found.counts[order])


def _size_of_pairs(corpus: Corpus) -> int:
    """Bytes that counting the pairs takes."""
    pairs = min(len(corpus.ids) - len(corpus.counts), (int(corpus.ids.max(initial=0)) + 1) ** 2)
    if pairs > _FEW_PAIRS:
        pairs = min(pairs, _about_distinct_pairs(corpus.ids))
    return _COUNTED * len(corpus.ids) + _WORD * len(corpus.counts) + _PAIR * pairs


def _about_distinct_pairs(ids: npt.NDArray[np.int32]) -> int:
    """Estimate of the distinct pairs by linear counting: how many of many cells are hit by their hashes.

    >>> ids = np.arange(1000, dtype=np.int32)
    >>> abs(_about_distinct_pairs(np.concatenate([ids, ids])) - 1000) < 10
    True
    """
    hit = np.zeros(_CELLS, bool)
    for start in range(0, len(ids) - 1, _SLICE_OF_IDS):
        part = ids[start : start + _SLICE_OF_IDS + 1].astype(np.uint64)
        hashes = (part[:-1] * np.uint64(0x9E3779B97F4A7C15) + part[1:]) * np.uint64(0xD6E8FEB86659FD93)
        hit[hashes >> np.uint64(39)] = True
    free = _CELLS - int(np.count_nonzero(hit))
    return ceil(_CELLS * log(_CELLS / max(1, free)))


def count_changes(corpus: Corpus, left: int, right: int, new_id: int) -> list[CountedChange]:
    """Every pair whose count changes when (left, right) merges into `new_id`, the merged pair first.

    >>> count_changes(Corpus.of([[1, 2, 3]], [5]), 1, 2, 4)[1:]
    [CountedChange(left=2, right=3, before=5, after=0), CountedChange(left=4, right=3, before=0, after=5)]
    """
    words = merge_loop.Words(corpus.ids, corpus.offsets)
    columns = merge_loop.count_changes(words, corpus.counts, left, right, new_id)
    return [CountedChange(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _places(learned: Learned) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Places of the merges. Only the result of `learn` of this module has them."""
    assert learned.merged_at is not None
    assert learned.merged_ends is not None
    return learned.merged_at, learned.merged_ends
