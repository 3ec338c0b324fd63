"""Base symbols of words as in the tokenizers library: one token per character, looked up as the file spells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s, Int64s, sorted_place
from bpe_core.bpe.vocabulary import Symbols
from bpe_core.text.utf8 import begun_characters, utf8_lengths
from bpe_core.tokenizer.segmented_words import no_unknown

_NO_ID = -1


class _Spelled(NamedTuple):
    """Symbols of one character, and the number of bytes that each covers; `unknown` if it has no symbol."""

    ids: Sequence[int]
    widths: Sequence[int]
    unknown: bool = False


@dataclass(frozen=True)
class FileSymbols:
    """Base symbols as a tokenizer file defines them. Source: `BPE::merge_word` of the tokenizers library.

    ids          id of every token as the file spells it; every character of a word is looked up here
    levels       spelling of each byte if words are bytes (ByteLevel); empty if they are characters
    unknown_id   id for a character that is not a token; None omits such characters
    unknown      name of an unknown token missing from the file: such characters raise CorpusError; None otherwise
    fuses        whether consecutive unknown characters become one unknown token
    falls_back   whether a character that is not a token becomes its bytes, `<0x00>` to `<0xFF>`, if these are tokens
    prefix       prepended to every character but the first of a word (continuing_subword_prefix)
    suffix       appended to the last character of a word (end_of_word_suffix)

    An omitted character is covered by the token before it, or by the one after it at the start of a word. (The library
    instead shifts the tokens after it onto other characters.) If ByteLevel with byte fallback gives several tokens for
    one byte, the first covers it, and the others are empty.

    >>> base = FileSymbols({"a": 0, "b": 1, "b</w>": 2, "<unk>": 3}, unknown_id=3, suffix="</w>")
    >>> base.symbols("abxb"), base.mark
    ([0, 1, 3, 2], '</w>')
    >>> base.flat(b"abxb", np.array([0, 4])).widths.tolist()
    [1, 1, 1, 1]
    """

    ids: Mapping[str, int] = field(repr=False)
    levels: str = ""
    unknown_id: int | None = None
    fuses: bool = False
    falls_back: bool = False
    prefix: str = ""
    suffix: str = ""
    unknown: str | None = None

    @property
    def mark(self) -> str:
        """Ending of tokens that end a word, or ""."""
        return self.suffix

    mark_id: None = field(default=None, init=False)

    @cached_property
    def names(self) -> dict[int, str]:
        """Every token as the file spells it, by id; if several share an id, the first.

        >>> FileSymbols({"a": 5}).names
        {5: 'a'}
        """
        return {i: token for token, i in reversed([*self.ids.items()])}

    @cached_property
    def byte_ids(self) -> tuple[int, ...] | None:
        """Id of each byte value if every byte is a token, else None.

        >>> FileSymbols({"a": 0}).byte_ids is None
        True
        """
        spelled = self.levels or ([f"<0x{value:02X}>" for value in range(256)] if self.falls_back else [])
        found = [self.ids.get(each) for each in spelled]
        return tuple(i for i in found if i is not None) if found and None not in found else None

    @cached_property
    def char_ids(self) -> dict[str, int]:
        """Id of each character that is a token; empty if words are bytes.

        >>> FileSymbols({"a": 0, "ab": 1}).char_ids
        {'a': 0}
        """
        return {} if self.levels else {token: i for token, i in self.ids.items() if len(token) == 1}

    @cached_property
    def symbol_ids(self) -> frozenset[int]:
        """Ids of all symbols: of characters at any place in a word, of fallback bytes, and the unknown token.

        >>> sorted(FileSymbols({"a": 0, "b</w>": 1, "ab": 2, "?": 3}, unknown_id=3, suffix="</w>").symbol_ids)
        [0, 1, 3]
        """
        fallback = (self.ids.get(f"<0x{value:02X}>") for value in range(256 * self.falls_back))
        others = (each for each in (*fallback, self.unknown_id) if each is not None)
        return frozenset((*(int(i) for _, ids in self._tables for i in ids), *others))

    def symbols(self, word: str) -> list[int]:
        """Base symbols of a word. Raises CorpusError for an unknown character if `unknown` is set.

        >>> FileSymbols({"a": 0, "<0xC3>": 1, "<0xA9>": 2}, falls_back=True).symbols("aé")
        [0, 1, 2]
        """
        data = word.encode("utf-8", "surrogateescape")
        ids: list[int] = self.flat(data, np.array([0, len(data)])).ids.tolist()
        return ids

    def flat(self, words: bytes, offsets: Int64s) -> Symbols:
        """Base symbols of many words at once: word w is the UTF-8 words[offsets[w]:offsets[w + 1]].

        >>> base = FileSymbols({"a": 0, "?": 1}, unknown_id=1, fuses=True)
        >>> ids, edges, widths = base.flat("aéé".encode() + b"a", np.array([0, 5, 6]))
        >>> ids.tolist(), edges.tolist(), widths.tolist()
        ([0, 1, 0], [0, 2, 3], [1, 4, 1])
        """
        points, widths, first = self._characters(words, offsets)
        if not len(points):
            return Symbols(np.zeros(0, np.int32), np.zeros(len(offsets), np.int64), np.zeros(0, np.int32))
        place = self._places(len(points), first)
        ids = self._lookup(points, place)
        if (ids != _NO_ID).all():
            return Symbols(ids, first, widths)
        return self._with_others(ids, widths, points, place, first)

    # -- helpers ------------------------------------------------------------------------------------------------

    def _characters(self, words: bytes, offsets: Int64s) -> tuple[npt.NDArray[np.uint32], Int32s, Int64s]:
        """Characters (bytes, for ByteLevel), the byte length of each, and the index of each word's first one."""
        if self.levels:
            data = np.frombuffer(words, np.uint8)
            return data.astype(np.uint32), np.ones(len(data), np.int32), np.asarray(offsets, np.int64)
        text = words.decode()
        points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        return points, utf8_lengths(text).astype(np.int32), begun_characters(words)[offsets].astype(np.int64)

    def _places(self, count: int, first: Int64s) -> npt.NDArray[np.uint8]:
        """Per character: 1 if it gets the prefix (not first in its word), plus 2 if it ends the word."""
        place = np.zeros(count, np.uint8)
        filled = first[1:] > first[:-1]
        if self.prefix:
            place[:] = 1
            place[first[:-1][filled]] = 0
        if self.suffix:
            place[first[1:][filled] - 1] += 2
        return place

    def _spelling(self, point: int, place: int) -> str:
        char = self.levels[point] if self.levels else chr(point)
        return (self.prefix if place & 1 else "") + char + (self.suffix if place & 2 else "")

    @cached_property
    def _tables(self) -> tuple[tuple[npt.NDArray[np.uint32], Int32s], ...]:
        """For each place: the characters with a token there, ascending, and their ids."""
        tables = []
        for place in range(4):
            before, after = self.prefix if place & 1 else "", self.suffix if place & 2 else ""
            size = len(before) + len(after) + 1
            found = {
                token[len(before) : len(token) - len(after)]: i
                for token, i in self.ids.items()
                if len(token) == size and token.startswith(before) and token.endswith(after)
            }
            codes = {self.levels.index(char) if self.levels else ord(char): i for char, i in self._known(found)}
            order = sorted(codes)
            tables.append((np.array(order, np.uint32), np.array([codes[code] for code in order], np.int32)))
        return tuple(tables)

    def _known(self, found: Mapping[str, int]) -> list[tuple[str, int]]:
        return [(char, i) for char, i in found.items() if not self.levels or char in self.levels]

    def _lookup(self, points: npt.NDArray[np.uint32], place: npt.NDArray[np.uint8]) -> Int32s:
        """Id of each character, -1 for none."""
        ids = np.full(len(points), _NO_ID, np.int32)
        for number in np.unique(place).tolist():
            here = slice(None) if not place.any() else np.flatnonzero(place == number)
            codes, numbers = self._tables[number]
            if len(codes):
                at = np.minimum(np.searchsorted(codes, points[here]), len(codes) - 1)
                ids[here] = np.where(codes[at] == points[here], numbers[at], np.int32(_NO_ID))
        return ids

    def _with_others(
        self,
        ids: Int32s,
        widths: Int32s,
        points: npt.NDArray[np.uint32],
        place: npt.NDArray[np.uint8],
        first: Int64s,
    ) -> Symbols:
        """Symbols, with bytes, the unknown token or nothing for characters that are not tokens."""
        other = np.flatnonzero(ids == _NO_ID)
        keys = points[other].astype(np.int64) * 4 + place[other]
        kinds, which = np.unique(keys, return_inverse=True)
        spelled = [self._spelled(int(key) // 4, int(key) % 4) for key in kinds]
        unknown = np.array([each.unknown for each in spelled], np.bool_)
        if unknown.any() and not unknown.all():
            # The library adds a pending unknown token after the bytes that follow it; `_one_by_one` does the same.
            return self._one_by_one(ids, widths, points, place, first)
        counts = np.ones(len(ids), np.int64)
        counts[other] = np.array([len(each.ids) for each in spelled], np.int64)[which]
        is_unknown = np.zeros(len(ids), np.bool_)
        is_unknown[other] = unknown[which]
        if self.fuses and unknown.any():
            begins = np.zeros(len(ids), np.bool_)
            begins[first[:-1][first[:-1] < len(ids)]] = True
            counts[np.flatnonzero(is_unknown[1:] & is_unknown[:-1] & ~begins[1:]) + 1] = 0
        edges = np.concatenate(([0], np.cumsum(counts)))
        symbols = np.repeat(ids, counts)
        lengths = np.repeat(widths, counts)
        missing = np.repeat(ids == _NO_ID, counts)
        kept = counts[other] > 0
        flat_ids = [spelled[i].ids for i in which[kept].tolist()]
        flat_widths = [spelled[i].widths for i in which[kept].tolist()]
        symbols[missing] = np.array([i for each in flat_ids for i in each], np.int32)
        lengths[missing] = np.array([i for each in flat_widths for i in each], np.int32)
        _give(lengths, widths, counts, edges, first)
        return Symbols(symbols, edges[first], lengths)

    def _spelled(self, point: int, place: int) -> _Spelled:
        """Symbols of a character that is not a token."""
        text = self._spelling(point, place)
        width = 1 if self.levels else len(chr(point).encode())
        if self.falls_back:
            found = [self.ids.get(f"<0x{byte:02X}>") for byte in text.encode()]
            known = [i for i in found if i is not None]
            if len(known) == len(found):
                before, after = len(self.prefix.encode()) if place & 1 else 0, len(known)
                return _Spelled(known, [int(before <= i < before + width) for i in range(after)])
        if self.unknown_id is not None:
            return _Spelled((self.unknown_id,), (width,), unknown=True)
        if self.unknown is not None:
            raise no_unknown(text, self.unknown)
        return _Spelled((), ())

    def _one_by_one(
        self,
        ids: Int32s,
        widths: Int32s,
        points: npt.NDArray[np.uint32],
        place: npt.NDArray[np.uint8],
        first: Int64s,
    ) -> Symbols:
        symbols: list[int] = []
        lengths: list[int] = []
        edges = [0]
        for begin, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
            pending = 0
            for at in range(begin, end):
                width = int(widths[at])
                if ids[at] != _NO_ID:
                    if pending:
                        symbols.append(self.unknown_id or 0)
                        lengths.append(pending)
                        pending = 0
                    symbols.append(int(ids[at]))
                    lengths.append(width)
                    continue
                spelled = self._spelled(int(points[at]), int(place[at]))
                if spelled.unknown and pending and not self.fuses:
                    symbols.append(self.unknown_id or 0)
                    lengths.append(pending)
                    pending = width
                elif spelled.unknown:
                    pending += width
                else:
                    symbols += spelled.ids
                    lengths += spelled.widths
            if pending:
                symbols.append(self.unknown_id or 0)
                lengths.append(pending)
            edges.append(len(symbols))
        return Symbols(np.array(symbols, np.int32), np.array(edges, np.int64), np.array(lengths, np.int32))


def _give(lengths: Int32s, widths: Int32s, counts: Int64s, edges: Int64s, first: Int64s) -> None:
    """Add the bytes of characters without a symbol to the symbol before them in the word, or to the one after."""
    for at in np.flatnonzero(counts == 0).tolist():
        word = sorted_place(first, at, "right") - 1
        begin, end = int(edges[first[word]]), int(edges[first[word + 1]])
        if begin < end:
            lengths[max(int(edges[at]) - 1, begin)] += widths[at]
