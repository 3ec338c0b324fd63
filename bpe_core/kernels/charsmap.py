"""SentencePiece's normalization, compiled: longest-match replacements by a table, and white-space removal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_core.arrays import Bytes, Int64s
from bpe_core.kernels.backend import Number, njit

if TYPE_CHECKING:
    from collections.abc import Iterable


class CharacterTable(NamedTuple):
    """Replacement table (precompiled charsmap), and symbols that stay unchanged.

    units, texts    a double-array trie, and the replacements, each with a terminating zero byte
    symbols         the concatenated symbols, by first byte, the longest first
    edges, first    offset of each symbol, and the index of the first symbol for every first byte

    >>> table = CharacterTable.of(b"\\4\\0\\0\\0" + b"\\0" * 4, [b"b", b"a", b"ab"])
    >>> table.units.tolist(), table.symbols.tobytes(), table.edges.tolist(), table.first[97:100].tolist()
    ([0], b'abab', [0, 2, 3, 4], [0, 2, 3])
    """

    units: NDArray[np.uint32]
    texts: Bytes
    symbols: Bytes
    edges: Int64s
    first: Int64s

    @classmethod
    def of(cls, charsmap: bytes, symbols: Iterable[bytes] = ()) -> CharacterTable:
        """Parse the table from bytes, without entries if there are none, and add the symbols."""
        size = min(int.from_bytes(charsmap[:4], "little"), len(charsmap) - 4) // 4 if len(charsmap) > 4 else 0
        units = np.frombuffer(charsmap, "<u4", size, 4) if size else np.zeros(0, np.uint32)
        known = sorted({symbol for symbol in symbols if symbol}, key=lambda symbol: (symbol[0], -len(symbol), symbol))
        return cls(
            units.astype(np.uint32),
            np.frombuffer(charsmap, np.uint8)[4 + 4 * size :].copy(),
            np.frombuffer(b"".join(known), np.uint8).copy(),
            np.cumsum([0, *map(len, known)], dtype=np.int64),
            np.searchsorted([symbol[0] for symbol in known], np.arange(257)).astype(np.int64),
        )

    @property
    def most_symbols(self) -> int:
        """Largest number of symbols with the same first byte.

        >>> CharacterTable.of(b"", [b"b", b"a", b"ab"]).most_symbols
        2
        """
        return int(np.diff(self.first).max())


def replaced(
    text: bytes, table: CharacterTable, *, removes_spaces: bool, mark_is_space: bool
) -> tuple[bytes, Int64s] | None:
    """The replaced text, and for each character where its origin begins, in characters, then the end of the last one.

    At each place the longest symbol matches, else the longest entry. `removes_spaces`: white space becomes single
    spaces, with none at the ends. `mark_is_space`: a final ▁ is removed like a space. Returns None if a symbol or an
    entry ends inside a character, or an entry has no text.

    >>> made, origins = replaced(" a  b ".encode(), CharacterTable.of(b""), removes_spaces=True, mark_is_space=True)
    >>> made, origins.tolist()
    (b'a b', [1, 2, 4, 5])
    """
    size, characters, made, origins = _replaced(
        np.frombuffer(text, np.uint8).copy(), table, removes_spaces, mark_is_space
    )
    return (made[:size].tobytes(), origins[: characters + 1]) if size >= 0 else None


def warm_up() -> None:
    """Compile the kernels of this module, or load them from disk.

    >>> warm_up()
    """
    replaced(b"a", CharacterTable.of(b"", [b"b"]), removes_spaces=True, mark_is_space=True)


@njit
def _longest(text: Bytes, at: Number, units: NDArray[np.uint32]) -> tuple[Any, Any]:
    """Place after the longest entry that begins here, and the place of its replacement; (`at`, 0) if none matches."""
    stop, value = np.int64(at), np.int64(0)
    if units.size == 0:
        return stop, value
    node = (np.int64(units[0]) >> 10) << ((np.int64(units[0]) & 512) >> 6)
    for place in range(at, text.size):
        node ^= np.int64(text[place])
        if node >= units.size or (np.int64(units[node]) & 0x800000FF) != text[place]:
            break
        unit = np.int64(units[node])
        node ^= (unit >> 10) << ((unit & 512) >> 6)
        if unit & 256 and node < units.size:
            stop, value = np.int64(place + 1), np.int64(units[node]) & 0x7FFFFFFF
    return stop, value


@njit
def _symbol(text: Bytes, at: Number, symbols: Bytes, edges: Int64s, first: Int64s) -> Any:
    """Place after the longest symbol that begins here; `at` if none matches."""
    for symbol in range(first[text[at]], first[np.int64(text[at]) + 1]):
        size = edges[symbol + 1] - edges[symbol]
        same = np.int64(0)
        while same < size and at + same < text.size and text[at + same] == symbols[edges[symbol] + same]:
            same += 1
        if same == size:
            return np.int64(at) + size
    return np.int64(at)


@njit
def _replaced(
    text: Bytes, table: CharacterTable, removes_spaces: bool, mark_is_space: bool
) -> tuple[Any, Any, Bytes, Int64s]:
    """Number of bytes (-1: not supported by this kernel) and of characters, the bytes, and the origins."""
    units, texts, symbols, edges, first = table
    made, origins = np.empty(text.size + 64, np.uint8), np.empty(text.size + 64, np.int64)
    size, characters = np.int64(0), np.int64(0)
    place, origin = np.int64(0), np.int64(0)
    after_space = removes_spaces
    while place < text.size:
        source, begin = text, place
        stop = _symbol(text, place, symbols, edges, first)
        if stop > place:
            end = stop
        else:
            stop, value = _longest(text, place, units)
            if stop > place:
                source, begin, end = texts, value, value
                while end < texts.size and texts[end] != 0:
                    end += 1
                if value > texts.size:
                    return np.int64(-1), np.int64(0), made, origins
        if stop == place:
            stop += 1
            while stop < text.size and (text[stop] & 0xC0) == 0x80:
                stop += 1
            end = stop
        if stop < text.size and (text[stop] & 0xC0) == 0x80:
            return np.int64(-1), np.int64(0), made, origins
        while after_space and begin < end and source[begin] == 32:
            begin += 1
        if size + (end - begin) >= made.size:
            room = 2 * (size + end - begin) + 64
            more, places = np.empty(room, np.uint8), np.empty(room, np.int64)
            for i in range(size):  # slices would be compiled with the words of an error, in a second
                more[i] = made[i]
            for i in range(characters):
                places[i] = origins[i]
            made, origins = more, places
        for byte in range(begin, end):
            made[size] = source[byte]
            size += 1
            if (source[byte] & 0xC0) != 0x80:
                origins[characters] = origin
                characters += 1
        if begin < end:
            after_space = removes_spaces and source[end - 1] == 32
        for byte in range(place, stop):
            origin += (text[byte] & 0xC0) != 0x80
        place = stop
    origins[characters] = origin
    while removes_spaces and size > 0:
        last = size - 1
        if mark_is_space and size > 2 and made[size - 3] == 0xE2 and made[size - 2] == 0x96 and made[size - 1] == 0x81:
            last = size - 3
        elif made[last] != 32:
            break
        size, characters = last, characters - 1
    return size, characters, made, origins
