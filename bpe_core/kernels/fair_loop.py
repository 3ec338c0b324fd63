"""Merges of parity-aware training, compiled: `merge_loop` on symbols that are tagged with their language.

The symbol s of language l is s × languages + l, so no pair belongs to two languages, and each language has its own
counts and first places of pairs. A step chooses the best pair of one language, and merges it in all of them, one after
another: its merge in language l is the merge l of the step, and makes the next id of that language.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.kernels import merge_loop
from bpe_core.kernels.merge_loop import FIRST_SEEN, MergeLoop, Words


class FairLoop:
    """Parity-aware training in resumable runs; `bpe.parity_reference` has its definition.

    words, counts  the distinct words of each language, and how often each occurs
    units          size of each language's text
    first_new_id   step m makes the id `first_new_id` + m
    most           limit on the number of steps
    window, share  a language with more than `share` equal shares of the last `window` choices is passed over
    forced         (left, right) pairs to merge first; their steps serve no language, which is -1
    tie_break, min_count  as for MergeLoop

    >>> one = Words(np.array([0, 1, 2], np.int32), np.array([0, 3]))
    >>> other = Words(np.array([3, 4], np.int32), np.array([0, 2]))
    >>> loop = FairLoop([one, other], [np.array([4]), np.array([6])], [12, 6], first_new_id=5, most=3)
    >>> loop.run(2), loop.run(2), loop.run(2), loop.served.tolist(), loop.pairs.tolist()
    (2, 1, 0, [1, 0, 0], [[3, 4], [0, 1], [6, 2]])
    >>> loop.counts.tolist(), loop.replaced.tolist()
    ([[0, 6], [4, 0], [4, 0]], [[0, 6], [4, 0], [4, 0]])
    >>> loop.made, loop.merged_at.tolist(), loop.merged_ends.tolist()  # in the words of all languages
    (3, [5, 1, 1], [0, 1, 2, 3])
    """

    def __init__(
        self,
        words: Sequence[Words],
        counts: Sequence[Int64s],
        units: Sequence[int],
        *,
        first_new_id: int,
        most: int,
        tie_break: int = FIRST_SEEN,
        min_count: int = 1,
        window: int = 0,
        share: int = 2,
        forced: Sequence[tuple[int, int]] = (),
    ) -> None:
        languages = len(words)
        offsets = [np.diff(each.offsets) for each in words]
        self._loop = MergeLoop(
            np.concatenate([each.symbols * languages + at for at, each in enumerate(words)]),
            np.append(0, np.cumsum(np.concatenate(offsets))),
            np.concatenate(counts),
            first_new_id=first_new_id,
            max_merges=most,
            tie_break=tie_break,
            min_count=min_count,
            forced=forced,
            languages=languages,
        )
        self._most = len(self._loop._loop.records) // languages
        self._fair = merge_loop._Fair(
            heaps=np.empty((languages, len(self._loop._loop.pairs), 3), np.int64),
            sizes=np.zeros(languages, np.int64),
            units=np.array(units, np.int64),
            tokens=np.array([size @ count for size, count in zip(offsets, counts, strict=True)], np.int64),
            is_able=np.ones(languages, np.bool_),
            recent=np.zeros(languages, np.int64),
            served=np.empty(self._most, np.int64),
            window=window,
            most_of_window=share * window,
        )
        merge_loop._fill_heaps(self._loop._loop, self._fair.heaps, self._fair.sizes)

    def run(self, steps: int) -> int:
        """Run up to `steps` more steps and return their number; fewer only at the end. Releases the GIL."""
        before = self.made
        stop = min(before + steps, self._most)
        while merge_loop._run_fair(self._loop._loop, self._fair, stop) == merge_loop._GROW:
            self._loop._grow()
            heaps = np.empty((len(self._fair.sizes), len(self._loop._loop.pairs), 3), np.int64)
            for old, new, size in zip(self._fair.heaps, heaps, self._fair.sizes.tolist(), strict=True):
                new[:size] = old[:size]
            self._fair = self._fair._replace(heaps=heaps)
        return self.made - before

    @property
    def made(self) -> int:
        """Number of steps made."""
        return self._loop.made // len(self._fair.sizes)

    @property
    def served(self) -> Int64s:
        """int64[made]: language of each step, or -1."""
        return self._fair.served[: self.made]

    @property
    def pairs(self) -> Int64s:
        """int64[made, 2]: left and right id."""
        return self._loop.pairs[:: len(self._fair.sizes)]

    @property
    def counts(self) -> Int64s:
        """int64[made, languages]: count of each pair when merged, overlaps included."""
        return self._loop.counts.reshape(self.made, len(self._fair.sizes))

    @property
    def replaced(self) -> Int64s:
        """int64[made, languages]: replacements of each pair."""
        return self._loop.replaced.reshape(self.made, len(self._fair.sizes))

    @property
    def merged_at(self) -> Int32s:
        """int32: places of all replacements, as those of a MergeLoop on the words of all languages."""
        return self._loop.merged_at[: self.merged_ends[-1]]

    @property
    def merged_ends(self) -> Int64s:
        """int64[made + 1]: as those of a MergeLoop."""
        return self._loop.merged_ends[:: len(self._fair.sizes)]


def warm_up() -> None:
    """Compile the kernels of this training, or load them from disk.

    >>> warm_up()
    """
    word = Words(np.array([0, 1], np.int32), np.array([0, 2]))
    FairLoop([word, word], [np.ones(1, np.int64)] * 2, [2, 2], first_new_id=2, most=1).run(1)
