"""SentencePiece's normalization by its table of replaced characters, as in the tokenizers library."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.errors import GET_AGAIN, ConfigError
from bpe_core.huggingface.normalizers import LibraryStep
from bpe_core.language import message
from bpe_core.sentencepiece.charsmap import longest_replacement
from bpe_core.text.normalization import Change, check_growth

_GRAPHEME = regex.compile(r"\X")
_NEWER = regex.compile(
    "[\u05c8\u05c9\u0b53\u0b54\u1ade\u1adf\u1aec-\u1af0\U00010ecb-\U00010ecf\U00010ef0-\U00010ef9\U00011df0"
    "\U0001d127\U0001d128\U0001d250-\U0001d252\U0001d25b\U0001d25c\U0001d25f\U0001d280\U0001d281]"
)
"""Characters that join the grapheme before them only in Unicode versions newer than the library's."""

_JOINS = regex.compile(r"[\p{M}\p{Grapheme_Extend}\p{Regional_Indicator}\u200d]")
"""Characters after which the end of a grapheme depends on the text before them."""

_LONGEST_SEEN = 64

_LONGEST_GRAPHEME = 5
"""Largest grapheme, in bytes, looked up as a whole."""

LONGEST_REPLACEMENT = 4_000
"""Longest replacement of a table entry, in bytes."""

MOST_BYTES = 10_000_000
"""Largest table, in bytes."""

_LEAF = 1 << 8
_FAR = 1 << 9
_LABEL = 1 << 31 | 0xFF


@dataclass(frozen=True)
class Precompiled(LibraryStep):
    """Replaces graphemes of up to five bytes, or else single characters, by a table.

    As in the library, the shortest entry that a grapheme begins with replaces all of it. Raises ConfigError for an
    invalid table.

    >>> Precompiled(bytes.fromhex("04000000 00000000")).change("a")[0]
    'a'
    """

    charsmap: bytes = field(repr=False)
    name: str = "charsmap"

    def __post_init__(self) -> None:
        size = int.from_bytes(self.charsmap[:4], "little") // 4
        if len(self.charsmap) < 4 + 4 * max(size, 1) or not size or len(self.charsmap) > MOST_BYTES:
            raise ConfigError(
                message(
                    "The charsmap has {bytes:,} bytes, of which its trie takes {trie:,}.",
                    bytes=len(self.charsmap),
                    trie=4 * size,
                ),
                limit=message(
                    "It is the size of its trie in four bytes, the trie, and replacements; at most {most:,}.",
                    most=MOST_BYTES,
                ),
                remedy=GET_AGAIN,
            )
        try:
            self.charsmap[4 + 4 * size :].decode()
        except UnicodeDecodeError as error:
            raise ConfigError(
                message("The replacements of the charsmap are not UTF-8 at byte {position:,}.", position=error.start),
                limit=message("They are UTF-8, each ended by a zero byte."),
                remedy=GET_AGAIN,
            ) from None
        longest = longest_replacement(self.charsmap)
        if longest > LONGEST_REPLACEMENT:
            raise ConfigError(
                message("A replacement of the charsmap has {longest:,} bytes.", longest=longest),
                limit=message("The longest allowed has {longest:,}.", longest=LONGEST_REPLACEMENT),
                remedy=GET_AGAIN,
            )

    @cached_property
    def _units(self) -> tuple[int, ...]:
        size = int.from_bytes(self.charsmap[:4], "little") // 4
        return tuple(np.frombuffer(self.charsmap, "<u4", size, 4).tolist())

    @cached_property
    def _replacements(self) -> bytes:
        return self.charsmap[4 + 4 * len(self._units) :]

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes, or a grapheme that counts as one.

        >>> Precompiled(bytes.fromhex("04000000 00000000 616200")).growth(False)
        2
        """
        return self._growth

    @cached_property
    def _growth(self) -> int:
        return max(1, longest_replacement(self.charsmap))

    def change(self, text: str) -> Change:
        """Replace by the table. New characters take the places of the replaced ones, one by one."""
        graphemes = _graphemes(text)
        distinct = set(graphemes)
        replaced = {each: found for each in distinct if (found := _looked_up(self, each)) is not None}
        texts = {each: "".join(new for new, _ in replaced[each]) if each in replaced else each for each in distinct}
        if all(len(new) == old for found in replaced.values() for new, old in found):  # each takes its own place
            positions = np.arange(len(text), dtype=np.int64)
            changed = "".join([texts[each] for each in graphemes]) if replaced else text
            return changed, np.stack((positions, positions + 1), axis=1)
        sizes = {each: [(len(each), len(each))] for each in distinct}
        sizes |= {each: [(len(new), old) for new, old in found] for each, found in replaced.items()}
        made, taken = np.array([size for each in graphemes for size in sizes[each]], np.int64).T
        check_growth(int(made.sum()), self.name)
        origins = _origins(made, taken)
        return "".join([texts[each] for each in graphemes]), np.stack((origins, origins + 1), axis=1)

    def divides(self, text: str, at: int) -> bool:
        """Whether the text can be divided here: both parts then change as they do in the whole.

        True between two graphemes unless the second one, or the first of the text, is removed entirely: removed
        characters shift the alignment of others.

        >>> table = Precompiled(bytes.fromhex("04000000 00000000"))
        >>> table.divides("ae\\u0301", 1), table.divides("ae\\u0301", 2)
        (True, False)
        """
        before, after = text[at - 1 : at], text[at : at + _LONGEST_SEEN]
        if _JOINS.match(before) or _NEWER.match(before) or len(_graphemes(before + after[0])) == 1:
            return False
        return self.begins(after) and self.begins(text)

    def begins(self, text: str) -> bool:
        """Whether the first grapheme leaves its first character or a replacement of it.

        >>> Precompiled(bytes.fromhex("04000000 00000000")).begins("a")
        True
        """
        first = _graphemes(text[:_LONGEST_SEEN])[0]
        found = _looked_up(self, first)
        return len(first) < _LONGEST_SEEN and (found is None or bool(found[0][0]))

    def about(self, text: str) -> str:
        """Approximation of the result of `change`, of about the same length.

        >>> Precompiled(bytes.fromhex("04000000 00000000")).about("a")
        'a'
        """
        graphemes = _graphemes(text)
        texts = {each: "".join(new for new, _ in _looked_up(self, each) or ((each, 1),)) for each in set(graphemes)}
        return "".join(map(texts.__getitem__, graphemes))

    def replacement(self, part: str) -> str | None:
        """Replacement of the shortest entry that this part begins with; None if there is none.

        >>> Precompiled(bytes.fromhex("04000000 00000000")).replacement("a") is None
        True
        """
        units, at = self._units, 0
        at ^= _offset(units[at])
        for byte in part.encode("utf-8", "surrogatepass"):
            at ^= byte
            if not byte or at >= len(units) or units[at] & _LABEL != byte:
                return None
            unit = units[at]
            at ^= _offset(unit)
            if unit & _LEAF:
                return self._at(units[at] & ~(1 << 31)) if at < len(units) else None
        return None

    def _at(self, begin: int) -> str | None:
        if begin > len(self._replacements):
            return None
        end = self._replacements.find(0, begin)
        try:
            return self._replacements[begin : None if end < 0 else end].decode()
        except UnicodeDecodeError:
            return None


def _graphemes(text: str) -> list[str]:
    if text.isascii() and "\r\n" not in text:
        return list(text)
    if not _NEWER.search(text):
        return _GRAPHEME.findall(text)
    return [text[found.start() : found.end()] for found in _GRAPHEME.finditer(_NEWER.sub("x", text))]


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & _FAR) >> 6)


@lru_cache(maxsize=65536)
def _looked_up(table: Precompiled, grapheme: str) -> tuple[tuple[str, int], ...] | None:
    """Replacements of a grapheme, each with the number of characters replaced. None without a table entry."""
    whole = table.replacement(grapheme) if len(grapheme.encode("utf-8", "surrogatepass")) <= _LONGEST_GRAPHEME else None
    if whole is not None:
        return ((whole, len(grapheme)),)
    parts = [table.replacement(char) for char in grapheme]
    if all(part is None for part in parts):
        return None
    return tuple((char if part is None else part, 1) for char, part in zip(grapheme, parts, strict=True))


def _origins(made: npt.NDArray[np.int64], taken: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Place that each new character comes from. In each part, `made` characters replace `taken` ones.

    New characters take the old places one by one, and surplus ones the last place. A place without a new character is
    skipped; but the library gives it to a surplus character directly before it, and if a text begins with such places,
    shifts the alignment of all characters back by as many.
    """
    starts = np.cumsum(taken) - taken
    ends = np.cumsum(made)
    within = np.arange(int(ends[-1]), dtype=np.int64) - np.repeat(ends - made, made)
    origins = np.repeat(starts, made) + np.minimum(within, np.repeat(taken - 1, made))
    kept = np.flatnonzero(made)
    if not len(kept):
        return origins
    further = kept[:-1][(made > taken)[kept[:-1]] & (made[kept[:-1] + 1] == 0)]
    if kept[-1] + 1 < len(made) and made[kept[-1]] > taken[kept[-1]]:
        further = np.append(further, kept[-1])
    origins[ends[further] - 1] = starts[further + 1]
    aligned: npt.NDArray[np.int64] = origins - starts[kept[0]]
    return aligned
