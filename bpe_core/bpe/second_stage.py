"""Words of SuperBPE's second stage, in tokens of the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import cast

import numpy as np

from bpe_core.arrays import Bools, Int32s, Int64s
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.training import Training
from bpe_core.bpe.vocabulary import Symbols
from bpe_core.kernels import backend
from bpe_core.kernels.layout import lay_out_ids
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.kernels.word_encoder import PairTable, encode_symbols
from bpe_core.text.run_counts import CutWords

_SMALL = 20_000
"""Bytes that are encoded without the compiled kernels until these are ready."""

_CELLS, _STRIDE = 1 << 20, 4099
"""Cells of the table that says which pairs are in a set, and what separates the lefts of two pairs in it."""

_BLOCK = 1 << 14
"""Pieces looked at together: what is made for them fits in the processor's cache."""

_NONE = Words(np.empty(0, np.int32), np.zeros(1, np.int64))


@dataclass(frozen=True, eq=False)
class StageVocabulary:
    """Tokens of the first stage as the base symbols of the second.

    words  the training of the first stage

    >>> from bpe_core import TrainConfig, train
    >>> base = StageVocabulary(train("low low", TrainConfig(vocab_size=258)))
    >>> base.flat(b"low low", np.array([0, 7])).ids.tolist(), base.special_tokens, len(base.tokens)
    ([257, 32, 257], {}, 258)
    """

    words: Training
    mark_id = None

    def __len__(self) -> int:
        return self.words.vocab_size

    @cached_property
    def tokens(self) -> tuple[bytes, ...]:
        """Bytes of every id, from 0."""
        return tuple(self.words._tokens)

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Ids of the special tokens, by their text."""
        return self.words._base.special_tokens

    @property
    def without_bytes(self) -> frozenset[int]:
        """Ids that no merge joins: those of the special tokens.

        >>> from bpe_core import TrainConfig, train
        >>> StageVocabulary(train("", TrainConfig(special_tokens=("<s>",)))).without_bytes
        frozenset({0})
        """
        return frozenset(self.special_tokens.values())

    def flat(self, words: bytes, offsets: Int64s) -> Symbols:
        """Tokens of many words at once: word w is the UTF-8 words[offsets[w]:offsets[w + 1]].

        >>> from bpe_core import TrainConfig, train
        >>> StageVocabulary(train("low low", TrainConfig(vocab_size=258))).flat(b"lowlo", np.array([0, 3, 5])).widths
        array([3, 2], dtype=int32)
        """
        if backend.use_compiled(len(words), _SMALL):
            ids, edges = self.of_pieces(words, CutWords.of(words, offsets))
        else:
            model = cast("BpeModel", self.words.tokenizer().model)
            found = [model.encode_word(words[start:end].decode()).ids for start, end in pairwise(offsets.tolist())]
            ids = np.array([token for each in found for token in each], np.int32)
            edges = np.cumsum([0, *map(len, found)])
        return Symbols(ids, edges, np.array([*map(len, self.tokens)], np.int32)[ids])

    def of_pieces(self, text: bytes, pieces: CutWords, known: Words = _NONE) -> Words:
        """Tokens of the words of a text, which are cut into `pieces`. `known`: the tokens of the first distinct ones.

        The tokens of a word are those of its pieces, unless a merge can join the last token of a piece, or a token that
        it was made of at its end, with the first of the next one, or a token at its beginning. Such pieces are encoded
        together with those around them, up to where no merge joins even the base symbols that meet.

        >>> from bpe_core import TrainConfig, train
        >>> base = StageVocabulary(train("low low slowlow", TrainConfig(vocab_size=260)))
        >>> base.of_pieces(b"slow low", CutWords.of(b"slow low", np.array([0, 8]))).symbols.tolist()
        [115, 257, 258]
        """
        numbers, offsets, edges = pieces.numbers, pieces.offsets, pieces.edges
        first = len(known.offsets) - 1
        tokens = _together(known, self._encoded(pieces.text[edges[first] :], edges[first:] - edges[first]))
        near, joined = self._meeting(tokens, numbers, offsets)
        if len(joined):
            begins, ends = _groups(near, joined)
            sizes = np.diff(edges)
            stops = np.cumsum(sizes.take(numbers))
            table = WordTable()
            found = table.add_spans(text, stops[begins] - sizes[numbers[begins]], stops[ends - 1])
            numbers, offsets = _replaced(numbers, offsets, (begins, ends), len(tokens.offsets) - 1 + found)
            tokens = _together(tokens, self._encoded(table.text.tobytes(), table.offsets))
        sizes = np.diff(tokens.offsets).take(numbers)
        widths = np.add.reduceat(sizes, offsets[:-1]) if len(sizes) else sizes
        return Words(lay_out_ids([numbers], tokens), np.append(0, np.cumsum(widths)))

    @cached_property
    def _pairs(self) -> PairTable:
        lefts, rights = self.words._rows[:, :2].astype(np.int32).T
        return PairTable(lefts, rights, self.words.first_id + np.arange(len(lefts)))

    def _encoded(self, text: bytes, edges: Int64s) -> Words:
        if len(edges) == 1:
            return _NONE
        symbols = self.words._base.flat(text, edges)
        return encode_symbols(Words(symbols.ids, symbols.offsets), self._pairs).words

    def _meeting(self, tokens: Words, numbers: Int32s, offsets: Int64s) -> tuple[Int64s, Int64s]:
        """Pieces after which base symbols meet that a merge may join, and those of them where it may join tokens."""
        first, rows = self.words.first_id, self.words._rows[:, :2]
        left_of, right_of = (np.append(np.arange(first), column) for column in rows.T)
        begins, ends = _last_of(left_of), _last_of(right_of)
        symbols_of = tokens.symbols.astype(np.int64)
        firsts, lasts = symbols_of[tokens.offsets[:-1]], symbols_of[tokens.offsets[1:] - 1]
        symbols, merges = _PairSet(ends[rows[:, 0]], begins[rows[:, 1]]), _PairSet(*rows.T)
        near = symbols.neighbours(ends[lasts], begins[firsts], numbers)
        near = near[np.append(offsets[1:], -1)[np.searchsorted(offsets[1:], near + 1)] != near + 1]
        joined = np.zeros(len(near), np.bool_)
        at, left = np.arange(len(near)), lasts[numbers[near]]
        while len(at):
            those, lefts, rights = at, left, firsts[numbers[near[at] + 1]]
            while len(those):
                joined[those] |= merges.has(lefts, rights)
                deeper = rights >= first
                those, lefts, rights = those[deeper], lefts[deeper], left_of[rights[deeper]]
            deeper = left >= first
            at, left = at[deeper], right_of[left[deeper]]
        return near, near[joined]


class _PairSet:
    """Pairs of ids, looked up many at once."""

    def __init__(self, lefts: Int64s, rights: Int64s) -> None:
        self._keys = np.append(np.sort((lefts << 32) | rights), -1)
        self._is_there = np.zeros(_CELLS, np.bool_)
        self._is_there[self._cells(lefts, rights)] = True

    def neighbours(self, lefts: Int64s, rights: Int64s, numbers: Int32s) -> Int64s:
        """Indices of the numbers whose left may be a pair here with the right of the next; none that is is left out."""
        found, lefts = [np.empty(0, np.int64)], lefts * _STRIDE
        for start in range(0, len(numbers) - 1, _BLOCK):
            block = numbers[start : start + _BLOCK + 1]
            cells = (lefts.take(block[:-1]) + rights.take(block[1:])) & (_CELLS - 1)
            found.append(np.flatnonzero(self._is_there.take(cells)) + start)
        return np.concatenate(found)

    def has(self, lefts: Int64s, rights: Int64s) -> Bools:
        """Whether each pair is in the set."""
        found: Bools = self._is_there[self._cells(lefts, rights)]
        at = np.flatnonzero(found)
        keys = (lefts[at] << 32) | rights[at]
        found[at] = self._keys[np.searchsorted(self._keys[:-1], keys)] == keys
        return found

    def _cells(self, lefts: Int64s, rights: Int64s) -> Int64s:
        return (lefts * _STRIDE + rights) & (_CELLS - 1)


def _groups(near: Int64s, joined: Int64s) -> tuple[Int64s, Int64s]:
    """Begins and ends of the rows of near pieces that hold a joined one, each with the piece after it."""
    apart = np.flatnonzero(np.diff(near) != 1)
    begins, ends = near[np.append(0, apart + 1)], near[np.append(apart, -1)] + 2
    held = np.unique(np.searchsorted(begins, joined, side="right") - 1)
    return begins[held], ends[held]


def _replaced(numbers: Int32s, offsets: Int64s, groups: tuple[Int64s, Int64s], by: Int32s) -> tuple[Int32s, Int64s]:
    """Numbers of pieces, and the offsets of words among them, with one number in place of each group."""
    begins, ends = groups
    sizes = ends - begins - 1
    removed = np.repeat(begins + 1 - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    numbers = numbers.copy()
    numbers[begins] = by
    return np.delete(numbers, removed), offsets - np.searchsorted(removed, offsets)


def _last_of(part_of: Int64s) -> Int64s:
    """The base symbol that each token comes to by taking the same part again and again."""
    while True:
        further = part_of[part_of]
        if (further == part_of).all():
            return part_of
        part_of = further


def _together(one: Words, other: Words) -> Words:
    return Words(
        np.concatenate((one.symbols, other.symbols)), np.append(one.offsets, one.offsets[-1] + other.offsets[1:])
    )
