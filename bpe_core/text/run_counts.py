"""Counting the distinct runs of words that merges may cross, by compiled scans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import regex

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.kernels import backend, wide_scan
from bpe_core.kernels.scan import WordTable
from bpe_core.text.batches import NormalizedBatch, in_batches, normalized_batch
from bpe_core.text.counting import MOST_KEPT, Counted, count_plainly
from bpe_core.text.files import Text, each_text
from bpe_core.text.splits import Split
from bpe_core.text.wide_splits import ACROSS_WORDS, WORD_RUNS
from bpe_core.text.word_counts import WordCounts, WordSettings
from bpe_core.text.word_rows import part_places
from bpe_core.work import taking

_PER_BYTE = 60
"""Bytes that counting takes for each byte of a text."""

_SMALL = 100_000
"""Characters that the regex library splits in a fraction of a second."""

_LETTER = regex.compile(r"\p{L}")
_IN_RUNS = {split: regex.compile(pattern.split(")++")[0] + ")") for split, pattern in WORD_RUNS.items()}
"""The words that runs consist of, by split: the first group of its pattern."""


class RunWords(NamedTuple):
    """Words of the distinct runs, run after run.

    words    int32: index of the distinct word
    offsets  int64[runs + 1]: those of run r are words[offsets[r]:offsets[r + 1]]
    counts   int64[runs]

    >>> RunWords(np.array([0, 1], np.int32), np.array([0, 2]), np.array([3])).counts.tolist()
    [3]
    """

    words: Int32s
    offsets: Int64s
    counts: Int64s


class RunCounts(NamedTuple):
    """Distinct runs of words, and the words that they consist of, both in first-seen order.

    counted  the runs, and the first text
    of_runs  which words each run consists of
    text     UTF-8 of the distinct words, one after another
    offsets  int64[words + 1]: word w is text[offsets[w]:offsets[w + 1]]
    counts   int64[words]: count of each word
    letters  bool[words]: whether each contains a letter

    >>> found = count_runs("low low. low low", WordSettings())
    >>> found.text, found.offsets.tolist(), found.counts.tolist(), found.of_runs.words.tolist()
    (b'low low.', [0, 3, 7, 8], [1, 3, 1], [0, 1, 2, 1, 1])
    """

    counted: Counted
    of_runs: RunWords
    text: bytes
    offsets: Int64s
    counts: Int64s
    letters: Bools


def count_runs(texts: Text | Iterable[Text], settings: WordSettings) -> RunCounts:
    """Count the runs of words of letters; any other word is a run by itself. `settings`: with the split into words.

    The runs are the words of the pattern WORD_RUNS, found from the words of the named split, which is scanned faster.
    Raises as `count_words`.

    >>> counts = count_runs("low low. low low", WordSettings()).counted.counts
    >>> counts.words, counts.counts.tolist()
    (('low low', '.', ' low low'), [1, 1, 1])
    """
    of_runs = _with_split(settings, WORD_RUNS[settings.split])
    every = list(each_text(texts))
    if not backend.use_compiled(sum(map(len, every)), _SMALL):
        return _counted_plainly(count_plainly(every, of_runs), settings.split)
    words = _Words(settings.split)
    counted = _counted(every, of_runs, words.runs, words.note)
    return words.found(counted)


def _counted_plainly(counted: Counted, split: str) -> RunCounts:
    runs, known = counted.counts, dict[str, int]()
    found = [[known.setdefault(word, len(known)) for word in Split(split).words(run)] for run in runs.words]
    data = [word.encode() for word in known]
    flat, sizes = np.array([number for numbers in found for number in numbers], np.int32), [*map(len, found)]
    counts = np.bincount(flat, np.repeat(runs.counts, sizes), len(known)).astype(np.int64)
    letters = np.array([_LETTER.search(word) is not None for word in known], np.bool_)
    of_runs = RunWords(flat, np.cumsum([0, *sizes]), runs.counts)
    return RunCounts(counted, of_runs, b"".join(data), np.cumsum([0, *map(len, data)]), counts, letters)


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
    texts: Sequence[str],
    settings: WordSettings,
    spans_of: Callable[[NormalizedBatch], tuple[Int64s, Int64s]],
    note: Callable[[Int32s], None] = lambda numbers: None,
) -> Counted:
    """Count the spans of every batch; `note` is given the index of each."""
    table: WordTable | None = None
    surrogates, first_text = 0, None
    for several in in_batches(texts):
        batch = normalized_batch(several, settings)
        surrogates += batch.surrogates
        first_text = batch.data[: batch.ends[0]].decode() if first_text is None else first_text
        with taking(_PER_BYTE * len(batch.data)):
            starts, ends = spans_of(batch)
            table = table or WordTable(words=max(512, len(starts) // 4), text=len(batch.data))
            note(table.add_spans(batch.data, starts, ends))
    table = table or WordTable()
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
    """The distinct words so far, and those that each distinct run consists of."""

    def __init__(self, split: str) -> None:
        self._split = split
        self._table = WordTable()
        self._letters: Bools = np.empty(0, np.bool_)
        self._in_runs: Bools = np.empty(0, np.bool_)
        self._batch = np.empty(0, np.int32), np.empty(0, np.int64)
        self._runs = 0
        self._numbers: list[Int32s] = [np.empty(0, np.int32)]
        self._sizes: list[Int64s] = [np.zeros(1, np.int64)]

    def runs(self, batch: NormalizedBatch) -> tuple[Int64s, Int64s]:
        """Byte ranges of the runs of a batch."""
        starts, numbers = self._table.number_texts(batch.data, batch.starts, batch.ends, self._split)
        if not len(starts):
            self._batch = numbers, starts
            return starts, starts
        self._judge_new_words()
        in_runs = self._in_runs[numbers]
        texts = np.searchsorted(batch.starts, starts, side="right") - 1 if len(batch.starts) > 1 else np.zeros(1, int)
        joined = in_runs[1:] & in_runs[:-1]
        joined &= np.diff(texts) == 0 if len(texts) > 1 else True
        first = np.flatnonzero(np.append(True, ~joined))
        last = np.append(first[1:], len(starts)) - 1
        ends = np.append(starts[first[1:]], batch.ends[texts[-1]])
        self._batch = numbers, last + 1 - first
        return starts[first], np.minimum(ends, batch.ends[texts[last]]) if len(texts) > 1 else ends

    def note(self, runs: Int32s) -> None:
        """Keep the words of the runs that are new; `runs`: index of each run of the batch."""
        numbers, sizes = self._batch
        newest = np.maximum.accumulate(np.append(np.int32(self._runs - 1), runs))
        is_new = np.diff(newest) > 0
        self._runs = int(newest[-1]) + 1
        self._numbers.append(numbers[np.repeat(is_new, sizes)])
        self._sizes.append(sizes[is_new])

    def found(self, counted: Counted) -> RunCounts:
        """The result, from the runs of all batches."""
        offsets = np.cumsum(np.concatenate(self._sizes))
        of_runs = RunWords(np.concatenate(self._numbers), offsets, counted.counts.counts)
        table = self._table
        return RunCounts(
            counted, of_runs, table.text.tobytes(), table.offsets.copy(), table.counts.copy(), self._letters
        )

    def _judge_new_words(self) -> None:
        """Find which of the new words have letters, and which may stand in a run: those, and for o200k some marks."""
        known, offsets = len(self._letters), self._table.offsets
        text = self._table.text[offsets[known] :].tobytes()
        edges = offsets[known:] - offsets[known]
        letters = wide_scan.have_letters(text, edges)
        in_runs, matches = letters.copy(), _IN_RUNS[self._split].fullmatch
        for word in np.flatnonzero(~letters).tolist():
            in_runs[word] = matches(text[edges[word] : edges[word + 1]].decode()) is not None
        self._letters = np.concatenate((self._letters, letters))
        self._in_runs = np.concatenate((self._in_runs, in_runs))
