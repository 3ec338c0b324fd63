"""Counting the distinct runs of words that merges may cross, by compiled scans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import regex

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.kernels import backend, wide_scan
from bpe_core.kernels.scan import WordTable, spans
from bpe_core.text.batches import NormalizedBatch, in_batches, normalized_batch
from bpe_core.text.counting import MOST_KEPT, Counted, count_plainly, count_texts
from bpe_core.text.files import Text, each_text
from bpe_core.text.split_patterns import ACROSS_WORDS, WORD_RUNS
from bpe_core.text.splits import Split
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


def count_superwords(texts: Text | Iterable[Text], settings: WordSettings) -> SuperwordCounts:
    """Count the words of the texts, and those of SuperBPE's second stage, which are those of the pattern ACROSS_WORDS.

    Raises as `count_words`.

    >>> found = count_superwords("on the one hand, 1200", WordSettings())
    >>> found.words.counts.words, found.across.counts.words
    (('on', ' the', ' one', ' hand', ',', ' 1200'), ('on the one hand, ', '120', '0'))
    """
    across = _with_split(settings, ACROSS_WORDS)
    every = list(each_text(texts))
    if not backend.use_compiled_later(sum(map(len, every)), _SMALL):
        return SuperwordCounts(count_texts(every, settings), count_plainly(every, across), None)
    if settings.split not in WORD_RUNS:
        found = _counted(every, across, lambda batch: wide_scan.spans(batch.data, batch.starts, batch.ends))
        return SuperwordCounts(count_texts(every, settings), found, None)
    words = _Cut(settings.split)
    found = _counted(every, across, words.spans, words.note)
    counts = replace(found.counts, settings=settings, **words.columns)
    return SuperwordCounts(Counted(counts, found.first_text), found, words.found())


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


def _at(values: Int64s, starts: Int64s, places: Int64s) -> Int64s:
    """The value of the last start that is not behind each place."""
    return values[np.searchsorted(starts, places, side="right") - 1]


class _Numbered:
    """The distinct words so far, and those that each distinct span consists of."""

    def __init__(self, split: str) -> None:
        self._split = split
        self._table = WordTable()
        self._batch = np.empty(0, np.int32), np.empty(0, np.int64)
        self._runs = 0
        self._numbers: list[Int32s] = [np.empty(0, np.int32)]
        self._sizes: list[Int64s] = [np.zeros(1, np.int64)]

    def note(self, runs: Int32s) -> None:
        """Keep the words of the spans that are new; `runs`: index of each span of the batch."""
        numbers, sizes = self._batch
        newest = np.maximum.accumulate(np.append(np.int32(self._runs - 1), runs))
        is_new = np.diff(newest) > 0
        self._runs = int(newest[-1]) + 1
        self._numbers.append(numbers[np.repeat(is_new, sizes)])
        self._sizes.append(sizes[is_new])


class _Cut(_Numbered):
    """Words of the second stage as words of the first, or parts of these."""

    def __init__(self, split: str) -> None:
        super().__init__(split)
        self._parts = WordTable()

    def spans(self, batch: NormalizedBatch) -> tuple[Int64s, Int64s]:
        """Byte ranges of the words of the second stage of a batch."""
        starts, numbers = self._table.number_texts(batch.data, batch.starts, batch.ends, self._split)
        begins, ends = wide_scan.spans(batch.data, batch.starts, batch.ends)
        at = np.searchsorted(starts, begins)
        inside = np.flatnonzero(np.append(starts, -1)[at] != begins)
        if len(inside):
            starts, numbers = np.insert(starts, at[inside], begins[inside]), np.insert(numbers, at[inside], 0)
            at = np.searchsorted(starts, begins)
            parts = np.union1d(at[inside] - 1, at[inside])
            stops = np.minimum(np.append(starts, len(batch.data))[parts + 1], _at(ends, begins, starts[parts]))
            numbers[parts] = -1 - self._parts.add_spans(batch.data, starts[parts], stops)
        self._batch = numbers, np.diff(np.append(at, len(numbers)))
        return begins, ends

    @property
    def columns(self) -> dict[str, Any]:
        """The words of the first stage, as fields of WordCounts."""
        table = self._table
        return {
            "text": table.text.tobytes(),
            "offsets": table.offsets.copy(),
            "counts": table.counts.copy(),
            "places": part_places(0, len(table)),
        }

    def found(self) -> CutWords:
        """The result, from the words of all batches."""
        words, parts = self._table, self._parts
        numbers = np.concatenate(self._numbers)
        return CutWords(
            np.where(numbers < 0, len(words) - 1 - numbers, numbers),
            np.cumsum(np.concatenate(self._sizes)),
            words.text.tobytes() + parts.text.tobytes(),
            np.append(words.offsets, words.offsets[-1] + parts.offsets[1:]),
        )


class _Words(_Numbered):
    """The distinct words so far, and those that each distinct run consists of."""

    def __init__(self, split: str) -> None:
        super().__init__(split)
        self._letters: Bools = np.empty(0, np.bool_)
        self._in_runs: Bools = np.empty(0, np.bool_)

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
