"""Counting the distinct runs of words that merges may cross, by compiled scans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import regex

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.kernels import backend, wide_scan
from bpe_core.kernels.runs import RunTable
from bpe_core.kernels.scan import WordTable, spans
from bpe_core.text.batches import NormalizedBatch, in_batches, normalized_batch
from bpe_core.text.counting import MOST_KEPT, Counted, count_plainly, count_texts
from bpe_core.text.files import Text, each_text
from bpe_core.text.split_patterns import ACROSS_WORDS, WORD_RUNS
from bpe_core.text.splits import Split
from bpe_core.text.wide_splits import judged
from bpe_core.text.word_counts import WordCounts, WordSettings
from bpe_core.text.word_rows import part_places
from bpe_core.work import taking

_PER_BYTE = 60
"""Bytes that counting takes for each byte of a text."""

_SMALL = 100_000
"""Characters that the regex library splits in a fraction of a second."""

_MOST_AT_ONCE = 1 << 22
"""Maximum characters for which tables are allocated in advance."""

_LETTER = regex.compile(r"\p{L}")


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

    words    the distinct words, and the first text
    of_runs  which words each run consists of
    letters  bool[words]: whether each contains a letter

    >>> found = count_runs("low low. low low", WordSettings())
    >>> found.words.counts.words, found.words.counts.counts.tolist(), found.of_runs.words.tolist()
    (('low', ' low', '.'), [1, 3, 1], [0, 1, 2, 1, 1])
    """

    words: Counted
    of_runs: RunWords
    letters: Bools


class CutWords(NamedTuple):
    """Words cut into pieces.

    numbers  int32: index of each distinct piece, word after word
    offsets  int64[words + 1]: the pieces of word w are numbers[offsets[w]:offsets[w + 1]]
    text     UTF-8 of the distinct pieces, one after another
    edges    int64[distinct pieces + 1]: offsets of each in `text`

    >>> pieces = CutWords.of(b"low low.", np.array([0, 7, 8]))
    >>> pieces.text, pieces.numbers.tolist(), pieces.offsets.tolist()
    (b'low low.', [0, 1, 2], [0, 2, 3])
    """

    numbers: Int32s
    offsets: Int64s
    text: bytes
    edges: Int64s

    @classmethod
    def of(cls, words: bytes, offsets: Int64s) -> CutWords:
        """Cut words wherever a word of GPT-2's split begins; word w is words[offsets[w]:offsets[w + 1]].

        >>> CutWords.of(b"a b", np.array([0, 3])).edges.tolist()
        [0, 1, 3]
        """
        starts = np.union1d(spans(words, "gpt2")[0], offsets[:-1])
        table = WordTable()
        numbers = table.add_spans(words, starts, np.append(starts, len(words))[1:])
        return cls(numbers, np.searchsorted(starts, offsets), table.text.tobytes(), table.offsets.copy())


class SuperwordCounts(NamedTuple):
    """Words of both stages of SuperBPE.

    words   those of the first stage, and the first text
    across  those of the second
    pieces  the words of the second, cut into those of the first, which are the first distinct pieces; None if unknown

    >>> SuperwordCounts._fields
    ('words', 'across', 'pieces')
    """

    words: Counted
    across: Counted
    pieces: CutWords | None


def count_runs(texts: Text | Iterable[Text], settings: WordSettings) -> RunCounts:
    """Count the runs of words of letters; any other word is a run by itself. `settings`: with the split into words.

    The runs are the words of the pattern WORD_RUNS, found from the words of the named split, which is scanned faster.
    Raises as `count_words`.

    >>> found = count_runs("low low. low low", WordSettings()).of_runs
    >>> found.offsets.tolist(), found.counts.tolist()
    ([0, 2, 3, 5], [1, 1, 1])
    """
    every = list(each_text(texts))
    size = sum(map(len, every))
    if not backend.use_compiled_later(size, _SMALL):
        return _counted_plainly(count_plainly(every, _with_split(settings, WORD_RUNS[settings.split])), settings)
    words = _Words(settings.split, size)
    scanned = _scanned(every, settings, words.add)
    return words.found(_counted(words.words, settings, scanned))


def _counted_plainly(counted: Counted, settings: WordSettings) -> RunCounts:
    runs, known = counted.counts, dict[str, int]()
    found = [[known.setdefault(word, len(known)) for word in Split(settings.split).words(run)] for run in runs.words]
    data = [word.encode() for word in known]
    flat, sizes = np.array([number for numbers in found for number in numbers], np.int32), [*map(len, found)]
    counts = np.bincount(flat, np.repeat(runs.counts, sizes), len(known)).astype(np.int64)
    letters = np.array([_LETTER.search(word) is not None for word in known], np.bool_)
    words = replace(
        runs,
        text=b"".join(data),
        offsets=np.cumsum([0, *map(len, data)]),
        counts=counts,
        places=part_places(0, len(known)),
        settings=settings,
    )
    return RunCounts(Counted(words, counted.first_text), RunWords(flat, np.cumsum([0, *sizes]), runs.counts), letters)


def count_superwords(texts: Text | Iterable[Text], settings: WordSettings) -> SuperwordCounts:
    """Count the words of the texts, and those of SuperBPE's second stage, which the pattern ACROSS_WORDS matches.

    Raises as `count_words`.

    >>> found = count_superwords("on the one hand, 1200", WordSettings())
    >>> found.words.counts.words, found.across.counts.words
    (('on', ' the', ' one', ' hand', ',', ' 1200'), ('on the one hand, ', '120', '0'))
    """
    across = _with_split(settings, ACROSS_WORDS)
    every = list(each_text(texts))
    size = sum(map(len, every))
    if not backend.use_compiled_later(size, _SMALL):
        return SuperwordCounts(count_texts(every, settings), count_plainly(every, across), None)
    if settings.split not in WORD_RUNS:
        table = _roomy(size)
        scanned = _scanned(
            every,
            across,
            lambda batch: table.add_spans(batch.data, *wide_scan.spans(batch.data, batch.starts, batch.ends)),
        )
        return SuperwordCounts(count_texts(every, settings), _counted(table, across, scanned), None)
    words = _Cut(settings.split, size)
    scanned = _scanned(every, across, words.add)
    both = _counted(words.words, settings, scanned), _counted(words.across, across, scanned)
    return SuperwordCounts(*both, words.found())


def _with_split(settings: WordSettings, split: str) -> WordSettings:
    return WordSettings(split, settings.normalization, settings.lowercase, settings.strip_accents)


def _scanned(
    texts: Sequence[str], settings: WordSettings, add: Callable[[NormalizedBatch], object]
) -> tuple[int, str | None]:
    """Normalize the texts, and `add` every batch; return the number of surrogates, and the first text."""
    surrogates, first_text = 0, None
    for several in in_batches(texts):
        batch = normalized_batch(several, settings)
        surrogates += batch.surrogates
        first_text = batch.data[: batch.ends[0]].decode() if first_text is None else first_text
        with taking(_PER_BYTE * len(batch.data)):
            add(batch)
    first_text = first_text or ""
    return surrogates, first_text if len(first_text) <= MOST_KEPT else None


def _counted(table: WordTable, settings: WordSettings, scanned: tuple[int, str | None]) -> Counted:
    """The words of a table; `scanned`: as from `_scanned`."""
    places = part_places(0, len(table))
    counts = table.text.tobytes(), table.offsets.copy(), table.counts.copy(), places, settings
    return Counted(WordCounts(*counts, surrogates=scanned[0]), scanned[1])


def _roomy(size: int) -> WordTable:
    """A table allocated for the distinct words of most texts of this size."""
    size = min(size, _MOST_AT_ONCE)
    return WordTable(words=max(512, size // 128), text=max(512, size))


class _Cut:
    """Words of the second stage as words of the first, or parts of these."""

    def __init__(self, split: str, size: int) -> None:
        self.words, self.across = _roomy(size), _roomy(size)
        self._split = split
        self._parts = WordTable()
        self._plain: Bools = np.empty(0, np.bool_)
        self._numbers: list[Int32s] = [np.empty(0, np.int32)]
        self._sizes: list[Int64s] = [np.zeros(1, np.int64)]

    def add(self, batch: NormalizedBatch) -> None:
        """Count the words of both stages, and record the pieces of each new word of the second stage."""
        starts, numbers = self.words.number_texts(batch.data, batch.starts, batch.ends, self._split)
        self._plain = np.append(self._plain, wide_scan.are_letters(*_new_words(self.words, len(self._plain))))
        begins, ends = wide_scan.spans(batch.data, batch.starts, batch.ends, (starts, self._plain[numbers]))
        at = np.searchsorted(starts, begins)
        inside = np.flatnonzero(starts[np.minimum(at, len(starts) - 1)] != begins)
        if len(inside):
            starts, numbers = np.insert(starts, at[inside], begins[inside]), np.insert(numbers, at[inside], 0)
            at = np.searchsorted(starts, begins)
            parts = np.union1d(at[inside] - 1, at[inside])
            stops = np.minimum(np.append(starts, len(batch.data))[parts + 1], _at(ends, begins, starts[parts]))
            numbers[parts] = -1 - self._parts.add_spans(batch.data, starts[parts], stops)
        known = np.int32(len(self.across) - 1)
        newest = np.maximum.accumulate(np.append(known, self.across.add_spans(batch.data, begins, ends)))
        is_new, sizes = np.diff(newest) > 0, np.diff(np.append(at, len(numbers)))
        self._numbers.append(numbers[np.repeat(is_new, sizes)])
        self._sizes.append(sizes[is_new])

    def found(self) -> CutWords:
        """The result, from the words of all batches."""
        words, parts = self.words, self._parts
        numbers = np.concatenate(self._numbers)
        return CutWords(
            np.where(numbers < 0, len(words) - 1 - numbers, numbers) if len(parts) else numbers,
            np.cumsum(np.concatenate(self._sizes)),
            words.text.tobytes() + parts.text.tobytes(),
            np.append(words.offsets, words.offsets[-1] + parts.offsets[1:]),
        )


class _Words:
    """The distinct words so far, and the runs that contain them."""

    def __init__(self, split: str, size: int) -> None:
        self.words = _roomy(size)
        self._split = split
        size = max(1 << 14, min(size, _MOST_AT_ONCE))
        self._runs = RunTable(runs=size // 32, words=size // 4)
        self._letters: Bools = np.empty(0, np.bool_)
        self._in_runs: Bools = np.empty(0, np.bool_)

    def add(self, batch: NormalizedBatch) -> None:
        """Count the words and runs of a batch."""
        starts, numbers = self.words.number_texts(batch.data, batch.starts, batch.ends, self._split)
        self._judge_new_words()
        self._runs.add(numbers, np.searchsorted(starts, batch.starts), self._in_runs)

    def found(self, words: Counted) -> RunCounts:
        """The result, from the words of all batches."""
        runs = self._runs
        return RunCounts(words, RunWords(runs.words.copy(), runs.offsets.copy(), runs.counts.copy()), self._letters)

    def _judge_new_words(self) -> None:
        """Find which of the new words have letters, and which may be in a run."""
        letters, in_runs = judged(self._split, *_new_words(self.words, len(self._letters)))
        self._letters = np.concatenate((self._letters, letters))
        self._in_runs = np.concatenate((self._in_runs, in_runs))


def _new_words(table: WordTable, known: int) -> tuple[bytes, Int64s]:
    """UTF-8 and offsets of the words of a table that come after the `known` ones."""
    offsets = table.offsets
    return table.text[offsets[known] :].tobytes(), offsets[known:] - offsets[known]


def _at(values: Int64s, starts: Int64s, places: Int64s) -> Int64s:
    """The value of the last start at or before each place."""
    return values[np.searchsorted(starts, places, side="right") - 1]
