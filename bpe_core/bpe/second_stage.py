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
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.runs import near_pieces, tokens_of_pieces
from bpe_core.kernels.scan import WordTable
from bpe_core.kernels.word_encoder import PairTable, encode_symbols
from bpe_core.text.run_counts import CutWords

_SMALL = 20_000
"""Bytes that are encoded without the compiled kernels until these are ready."""

_CELLS, _STRIDE = 1 << 20, 4099
"""Cells of the hash table of a set of pairs, and the factor of the left id in the hash."""

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
        if backend.use_compiled_later(len(words), _SMALL):
            ids, edges = self.of_pieces(words, CutWords.of(words, offsets))
        else:
            model = cast("BpeModel", self.words.tokenizer().model)
            found = [model.encode_word(words[start:end].decode()).ids for start, end in pairwise(offsets.tolist())]
            ids = np.array([token for each in found for token in each], np.int32)
            edges = np.cumsum([0, *map(len, found)])
        return Symbols(ids, edges, np.array([*map(len, self.tokens)], np.int32)[ids])

    def of_pieces(self, text: bytes, pieces: CutWords, known: Words = _NONE) -> Words:
        """Tokens of the words of a text, which are cut into `pieces`. `known`: the tokens of the first distinct ones.

        The tokens of a word are those of its pieces, unless a merge can join tokens across an edge between two pieces:
        the last token of one, or a token at the end of its merge tree, with the first token of the next, or one at the
        beginning of its tree. Such pieces are encoded together with their neighbours, up to edges where no merge can
        join even the base symbols.

        >>> from bpe_core import TrainConfig, train
        >>> base = StageVocabulary(train("low low slowlow", TrainConfig(vocab_size=260)))
        >>> base.of_pieces(b"slow low", CutWords.of(b"slow low", np.array([0, 8]))).symbols.tolist()
        [115, 257, 258]
        """
        numbers, offsets, edges = pieces.numbers, pieces.offsets, pieces.edges
        first, sizes = len(known.offsets) - 1, np.diff(edges)
        tokens = _together(known, self._encoded(pieces.text[edges[first] :], edges[first:] - edges[first]))
        near, begins, joined = self._meeting(tokens, (numbers, offsets), sizes)
        if joined.any():
            firsts, lasts = _groups(near, joined)
            last, table = near[lasts], WordTable()
            ends = begins[lasts] + sizes[numbers[last]] + sizes[numbers[last + 1]]
            found = table.add_spans(text, begins[firsts], ends)
            tokens = _together(tokens, self._encoded(table.text.tobytes(), table.offsets))
            tokens = _together(tokens, Words(tokens.symbols[:0], np.zeros(2, np.int64)))  # empty, for others of a group
            numbers = numbers.copy()
            numbers[_between(near[firsts], last + 1) + 1] = len(tokens.offsets) - 2
            numbers[near[firsts]] = len(edges) - 1 + found
        return tokens_of_pieces(numbers, offsets, tokens)

    @cached_property
    def _pairs(self) -> PairTable:
        lefts, rights = self.words._rows[:, :2].astype(np.int32).T
        return PairTable(lefts, rights, self.words.first_id + np.arange(len(lefts)))

    def _encoded(self, text: bytes, edges: Int64s) -> Words:
        if len(edges) == 1:
            return _NONE
        symbols = self.words._base.flat(text, edges)
        return encode_symbols(Words(symbols.ids, symbols.offsets), self._pairs).words

    def _meeting(self, tokens: Words, pieces: tuple[Int32s, Int64s], sizes: Int64s) -> tuple[Int64s, Int64s, Bools]:
        """Pieces whose last base symbol may merge with the first one of the next piece, as from `near_pieces`, and
        whether tokens may merge there, too.
        """
        first, rows = self.words.first_id, self.words._rows[:, :2]
        left_of, right_of = (np.append(np.arange(first), column) for column in rows.T)
        begins, ends = _last_of(left_of), _last_of(right_of)
        symbols_of = tokens.symbols.astype(np.int64)
        firsts, lasts = symbols_of[tokens.offsets[:-1]], symbols_of[tokens.offsets[1:] - 1]
        symbols, merges = _PairSet(ends[rows[:, 0]], begins[rows[:, 1]]), _PairSet(*rows.T)
        numbers = pieces[0]
        near, starts = near_pieces(pieces, sizes, (_STRIDE * ends[lasts], begins[firsts]), symbols.is_there)
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
        return near, starts, joined


class _PairSet:
    """Pairs of ids, looked up many at once."""

    def __init__(self, lefts: Int64s, rights: Int64s) -> None:
        self._keys = np.append(np.sort((lefts << 32) | rights), -1)
        self.is_there = np.zeros(_CELLS, np.bool_)
        self.is_there[self._cells(lefts, rights)] = True

    def has(self, lefts: Int64s, rights: Int64s) -> Bools:
        """Whether each pair is in the set."""
        found: Bools = self.is_there[self._cells(lefts, rights)]
        at = np.flatnonzero(found)
        keys = (lefts[at] << 32) | rights[at]
        found[at] = self._keys[np.searchsorted(self._keys[:-1], keys)] == keys
        return found

    def _cells(self, lefts: Int64s, rights: Int64s) -> Int64s:
        return (lefts * _STRIDE + rights) & (_CELLS - 1)


def _groups(near: Int64s, joined: Bools) -> tuple[Int64s, Int64s]:
    """Indices of the first and the last piece of each run of near pieces with a joined one."""
    apart = np.flatnonzero(np.diff(near) != 1)
    firsts, lasts = np.append(0, apart + 1), np.append(apart, len(near) - 1)
    held = np.logical_or.reduceat(joined, firsts)
    return firsts[held], lasts[held]


def _between(begins: Int64s, ends: Int64s) -> Int64s:
    """All numbers of the ranges begin … end - 1."""
    sizes = ends - begins
    return np.repeat(ends - np.cumsum(sizes), sizes) + np.arange(sizes.sum())


def _last_of(part_of: Int64s) -> Int64s:
    """Base symbol at the end of the chain of each token's left, or right, parts."""
    while True:
        further = part_of[part_of]
        if (further == part_of).all():
            return part_of
        part_of = further


def _together(one: Words, other: Words) -> Words:
    return Words(
        np.concatenate((one.symbols, other.symbols)), np.append(one.offsets, one.offsets[-1] + other.offsets[1:])
    )
