"""Counting the distinct runs of words that merges may cross, by compiled scans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import regex

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.kernels import backend, wide_scan
from bpe_core.kernels.scan import WordTable
from bpe_core.text.batches import NormalizedBatch, in_batches, normalized_batch
from bpe_core.text.counting import MOST_KEPT, Counted, count_plainly
from bpe_core.text.files import Text, each_text
from bpe_core.text.wide_splits import ACROSS_WORDS, WORD_RUNS
from bpe_core.text.word_counts import WordCounts, WordSettings
from bpe_core.text.word_rows import part_places
from bpe_core.work import taking

_PER_BYTE = 60
"""Bytes that counting takes for each byte of a text."""

_SMALL = 100_000
"""Characters that the regex library splits in a fraction of a second."""

_IN_RUNS = {split: regex.compile(pattern.split(")++")[0] + ")") for split, pattern in WORD_RUNS.items()}
"""The words that runs consist of, by split: the first group of its pattern."""


def count_runs(texts: Text | Iterable[Text], settings: WordSettings) -> Counted:
    """Count the runs of words of letters; any other word is a run by itself. `settings`: with the split into words.

    The counts are those of the pattern WORD_RUNS, found from the words of the named split, which is scanned faster.
    Raises as `count_words`.

    >>> counts = count_runs("low low. low low", WordSettings()).counts
    >>> counts.words, counts.counts.tolist()
    (('low low', '.', ' low low'), [1, 1, 1])
    """
    of_runs = _with_split(settings, WORD_RUNS[settings.split])
    every = list(each_text(texts))
    if not backend.use_compiled(sum(map(len, every)), _SMALL):
        return count_plainly(every, of_runs)
    return _counted(every, of_runs, _Words(settings.split).runs)


def count_superwords(texts: Text | Iterable[Text], settings: WordSettings) -> Counted:
    """Count the words of SuperBPE's second stage, those of the pattern ACROSS_WORDS; `settings`: with any split.

    Raises as `count_words`.

    >>> count_superwords("on the one hand, 1200", WordSettings()).counts.words
    ('on the one hand, ', '120', '0')
    """
    across = _with_split(settings, ACROSS_WORDS)
    every = list(each_text(texts))
    if not backend.use_compiled_later(sum(map(len, every)), _SMALL):
        return count_plainly(every, across)
    return _counted(every, across, lambda batch: wide_scan.spans(batch.data, batch.starts, batch.ends))


def _with_split(settings: WordSettings, split: str) -> WordSettings:
    return WordSettings(split, settings.normalization, settings.lowercase, settings.strip_accents)


def _counted(
    texts: Sequence[str], settings: WordSettings, spans_of: Callable[[NormalizedBatch], tuple[Int64s, Int64s]]
) -> Counted:
    table = WordTable()
    surrogates, first_text = 0, None
    for several in in_batches(texts):
        batch = normalized_batch(several, settings)
        surrogates += batch.surrogates
        first_text = batch.data[: batch.ends[0]].decode() if first_text is None else first_text
        with taking(_PER_BYTE * len(batch.data)):
            table.add_spans(batch.data, *spans_of(batch))
    counts = WordCounts(
        table.text.tobytes(),
        table.offsets.copy(),
        table.counts.copy(),
        part_places(0, len(table)),
        settings,
        surrogates=surrogates,
    )
    first_text = first_text or ""
    return Counted(counts, first_text if len(first_text) <= MOST_KEPT else None)


class _Words:
    """The distinct words so far, and which of them may stand in a run with others."""

    def __init__(self, split: str) -> None:
        self._split = split
        self._table = WordTable()
        self._in_runs: Bools = np.empty(0, np.bool_)

    def runs(self, batch: NormalizedBatch) -> tuple[Int64s, Int64s]:
        """Byte ranges of the runs of a batch."""
        starts, numbers = self._table.number_texts(batch.data, batch.starts, batch.ends, self._split)
        if not len(starts):
            return starts, starts
        in_runs = self._of(numbers)
        texts = np.searchsorted(batch.starts, starts, side="right") - 1
        joined = in_runs[1:] & in_runs[:-1] & (texts[1:] == texts[:-1])
        first = np.flatnonzero(np.append(True, ~joined))
        ends = np.minimum(np.append(starts[1:], len(batch.data)), batch.ends[texts])
        return starts[first], ends[np.append(first[1:], len(starts)) - 1]

    def _of(self, numbers: Int32s) -> Bools:
        """Whether each of these words may stand in a run."""
        known, offsets = len(self._in_runs), self._table.offsets
        text = self._table.text[offsets[known] :].tobytes()
        edges = (offsets[known:] - offsets[known]).tolist()
        matches = _IN_RUNS[self._split].fullmatch
        new = np.fromiter((matches(word) is not None for word in self._decoded(text, edges)), np.bool_, len(edges) - 1)
        self._in_runs = np.concatenate((self._in_runs, new))
        return self._in_runs[numbers]

    @staticmethod
    def _decoded(text: bytes, edges: list[int]) -> Iterator[str]:
        return (text[start:end].decode() for start, end in pairwise(edges))
