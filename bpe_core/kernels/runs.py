"""Distinct runs of words, and the tokens of words that are cut into pieces, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.kernels.backend import Number, njit
from bpe_core.kernels.merge_loop import _LOW, Words, _hash

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class RunTable:
    """Distinct runs of words in first-seen order, each with its count. A word is the index of a distinct word.

    >>> table = RunTable(runs=1, words=1)
    >>> in_runs = np.array([True, True, False])
    >>> table.add([0, 1, 2, 0, 1, 1], [0, 5], in_runs)  # the last word is a text of its own
    >>> table.words.tolist(), table.offsets.tolist(), table.counts.tolist()
    ([0, 1, 2, 1], [0, 2, 3, 4], [2, 1, 1])
    """

    def __init__(self, *, runs: int = 1 << 9, words: int = 1 << 10) -> None:
        """Create an empty table with room for `runs` distinct runs of `words` words before it grows."""
        runs = 1 << (runs - 1).bit_length()
        self._table = _Table(
            state=np.zeros(_STATE_FIELDS, np.int64),
            alone=np.zeros(1, np.int32),
            slots=np.zeros(2 * runs, np.int64),
            words=np.empty(words, np.int32),
            offsets=np.zeros(runs + 1, np.int64),
            counts=np.zeros(runs, np.int64),
        )

    def __len__(self) -> int:
        return int(self._table.state[_RUNS])

    @property
    def words(self) -> Int32s:
        """int32: words of all runs, one after another."""
        return self._table.words[: self.offsets[-1]]

    @property
    def offsets(self) -> Int64s:
        """int64[runs + 1]: run r is words[offsets[r]:offsets[r + 1]]."""
        return self._table.offsets[: len(self) + 1]

    @property
    def counts(self) -> Int64s:
        """int64[runs]: count of each run."""
        return self._table.counts[: len(self)]

    def add(self, words: ArrayLike, texts: ArrayLike, in_runs: Bools) -> None:
        """Count the runs of some texts: longest sequences of words that may be in one. Other words are single runs.

        texts    index of the first word of each text
        in_runs  bool[distinct words]
        """
        numbers, table = np.require(words, np.int32, ["C", "W"]), self._table
        ends = np.append(np.asarray(texts, np.int64), numbers.size)
        if in_runs.size > table.alone.size:
            self._table = table._replace(alone=_longer(table.alone, max(in_runs.size, 2 * table.alone.size)))
        self._table.state[_AT] = self._table.state[_TEXT] = 0
        while not _add_runs(self._table, numbers, ends, in_runs):
            self._grow()

    def _grow(self) -> None:
        """Double the capacity for runs or for words, or both, with room for the run that did not fit."""
        table, size = self._table, int(self._table.state[_SIZE])
        if self.words.size + size > table.words.size:
            self._table = table = table._replace(words=_longer(table.words, 2 * table.words.size + size))
        runs = table.counts.size
        if len(self) == runs:
            self._table = table._replace(
                slots=np.zeros(4 * runs, np.int64),
                offsets=_longer(table.offsets, 2 * runs + 1),
                counts=_longer(table.counts, 2 * runs),
            )
            _fill_slots(self._table)


def near_pieces(
    pieces: tuple[Int32s, Int64s], sizes: Int64s, ends: tuple[Int64s, Int64s], is_near: Bools
) -> tuple[Int64s, Int64s]:
    """Pieces that may be joined with the next one of their word, and where they begin in the concatenated words.

    pieces   index of each distinct piece, word after word; and the offsets of each word among them
    sizes    bytes of each distinct piece
    ends     of each distinct piece, a number for its end, and one for its beginning
    is_near  bool: whether a piece is one, at the index (number for its end + number for the beginning of the next)
             modulo its size, a power of two

    >>> is_near = np.array([False, True])
    >>> pieces, ends = (np.array([0, 1, 0, 1], np.int32), np.array([0, 3, 4])), (np.array([0, 2]), np.array([0, 1]))
    >>> [column.tolist() for column in near_pieces(pieces, np.array([3, 5]), ends, is_near)]
    [[0], [0]]
    """
    size = pieces[0].size + 1
    near, begins = np.empty(size, np.int64), np.empty(size, np.int64)
    lasts, firsts = (column.astype(np.int64) for column in ends)
    found = _find_near(pieces, sizes, (lasts, firsts), is_near, near, begins)
    return near[:found].copy(), begins[:found].copy()


def tokens_of_pieces(numbers: Int32s, offsets: Int64s, tokens: Words) -> Words:
    """Tokens of words made of pieces: word w has the pieces numbers[offsets[w]:offsets[w + 1]]. `tokens`: of each
    piece.

    >>> tokens = Words(np.array([7, 8, 9], np.int32), np.array([0, 2, 3]))
    >>> [column.tolist() for column in tokens_of_pieces(np.array([1, 0, 1], np.int32), np.array([0, 2, 3]), tokens)]
    [[9, 7, 8, 9], [0, 3, 4]]
    """
    return Words(*_tokens_of_pieces(numbers, offsets, tokens.symbols, tokens.offsets))


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    table, two = RunTable(runs=1, words=1), np.zeros(2, np.int32)
    table.add(two, [0], np.ones(1, np.bool_))
    ends, offsets = np.zeros(1, np.int64), np.array([0, 2])
    near_pieces((two, offsets), ends, (ends, ends), np.zeros(1, np.bool_))
    tokens_of_pieces(two, offsets, Words(two, offsets))


# Fields of _Table.state: number of distinct runs; where counting resumes, in which text, and the words of the run that
# did not fit.
_RUNS, _AT, _TEXT, _SIZE, _STATE_FIELDS = 0, 1, 2, 3, 4


class _Table(NamedTuple):
    state: Int64s
    alone: Int32s  # of each word, the run of it alone, plus one; 0 for none
    slots: Int64s  # hash table of the runs of several words: part of the hash << 32 | run + 1; 0 is empty
    words: Int32s
    offsets: Int64s
    counts: Int64s


def _longer(array: Any, size: int) -> Any:
    grown = np.zeros(size, array.dtype)
    grown[: array.size] = array
    return grown


@njit
def _add_runs(table: _Table, numbers: Int32s, ends: Int64s, in_runs: Bools) -> Any:
    """Count the runs of numbers; False if the table must grow first."""
    state, alone, words, offsets, counts = table.state, table.alone, table.words, table.offsets, table.counts
    runs, at, text = state[_RUNS], state[_AT], state[_TEXT]
    while at < numbers.size:
        while ends[text] <= at:
            text += 1
        end, stop = at + 1, ends[text]
        if in_runs[numbers[at]]:
            while end < stop and in_runs[numbers[end]]:
                end += 1
        begin = offsets[runs]
        if runs >= counts.size or begin + end - at > words.size:
            state[_RUNS], state[_AT], state[_TEXT], state[_SIZE] = runs, at, text, end - at
            return False
        if end - at == 1:
            run: Number = np.int64(alone[numbers[at]]) - 1
            if run < 0:
                alone[numbers[at]] = runs + 1
        else:
            slot = _slot_of(table.slots, words, offsets, numbers[at:end])
            run = (table.slots[slot] & np.int64(_LOW)) - 1
            if run < 0:
                table.slots[slot] = _entry(_mixed(numbers[at:end]), runs)
        if run < 0:
            run = runs
            for i in range(at, end):
                words[begin + i - at] = numbers[i]
            runs += 1
            offsets[runs] = begin + end - at
        counts[run] += 1
        at = end
    state[_RUNS] = runs
    return True


@njit
def _mixed(run: Int32s) -> Number:
    """Hash of the words of a run."""
    mixed: Number = np.int64(run.size)
    for i in range(run.size):
        mixed = _hash(mixed ^ np.int64(run[i]))
    return mixed


@njit
def _entry(mixed: Number, run: Number) -> Number:
    return ((mixed >> np.int64(32)) << np.int64(32)) | (run + 1)


@njit
def _slot_of(slots: Int64s, words: Int32s, offsets: Int64s, run: Int32s) -> Number:
    """Slot of a run of several words, or the empty one where it belongs."""
    mask = slots.size - 1
    mixed = _mixed(run)
    slot = mixed & mask
    while slots[slot] != 0:
        if slots[slot] >> np.int64(32) == mixed >> np.int64(32):
            known = (slots[slot] & np.int64(_LOW)) - 1
            begin = offsets[known]
            if offsets[known + 1] - begin == run.size:
                i = 0
                while i < run.size and words[begin + i] == run[i]:
                    i += 1
                if i == run.size:
                    break
        slot = (slot + 1) & mask
    return slot


@njit
def _fill_slots(table: _Table) -> None:
    words, offsets, slots = table.words, table.offsets, table.slots
    for run in range(table.state[_RUNS]):
        if offsets[run + 1] - offsets[run] > 1:
            own = words[offsets[run] : offsets[run + 1]]
            slots[_slot_of(slots, words, offsets, own)] = _entry(_mixed(own), np.int64(run))


@njit
def _find_near(
    pieces: tuple[Int32s, Int64s],
    sizes: Int64s,
    ends: tuple[Int64s, Int64s],
    is_near: Bools,
    near: Int64s,
    begins: Int64s,
) -> Number:
    numbers, offsets = pieces
    lasts, firsts = ends
    mask = is_near.size - 1
    found = at = np.int64(0)
    for word in range(offsets.size - 1):
        for i in range(offsets[word], offsets[word + 1]):
            near[found], begins[found] = i, at
            at += sizes[numbers[i]]
            if i + 1 < offsets[word + 1]:
                found += is_near[(lasts[numbers[i]] + firsts[numbers[i + 1]]) & mask]
    return found


@njit
def _tokens_of_pieces(numbers: Int32s, offsets: Int64s, symbols: Int32s, firsts: Int64s) -> tuple[Int32s, Int64s]:
    edges = np.zeros(offsets.size, np.int64)
    total = np.int64(0)
    for word in range(offsets.size - 1):
        for i in range(offsets[word], offsets[word + 1]):
            total += firsts[numbers[i] + 1] - firsts[numbers[i]]
        edges[word + 1] = total
    ids = np.empty(total, np.int32)
    token = 0
    for each in range(numbers.size):
        for i in range(firsts[numbers[each]], firsts[numbers[each] + 1]):
            ids[token] = symbols[i]
            token += 1
    return ids, edges
