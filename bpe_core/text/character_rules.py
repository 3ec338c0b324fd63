"""Division of a text by the class of each character, all words at once: no regular expression is matched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import ranges_of
from bpe_core.kernels import scan
from bpe_core.text.library_tables import WHITE_SPACE, member
from bpe_core.text.split_tables import LETTERS, PUNCTUATION_RANGES, stand_ins

Behavior = Literal["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
BEHAVIORS: tuple[Behavior, ...] = get_args(Behavior)
"""Treatment of matches in the tokenizers library."""

_DROPPED, _REST, _MATCHED = range(3)
_BETWEEN = {
    "Removed": [],
    "Isolated": [(_REST, _MATCHED), (_MATCHED, _REST), (_MATCHED, _MATCHED)],
    "MergedWithPrevious": [(_MATCHED, _REST), (_MATCHED, _MATCHED)],
    "MergedWithNext": [(_REST, _MATCHED), (_MATCHED, _MATCHED)],
    "Contiguous": [(_REST, _MATCHED), (_MATCHED, _REST)],
}
"""Pairs of classes between which a word ends."""


@dataclass(frozen=True, eq=False)
class CharacterRule:
    """Words of a text by the class of each character: dropped, matched, or any other.

    classes  uint8[0x110000]: class of every code point
    ends     bool (3, 3): whether a word ends between characters of two classes

    >>> rule = CharacterRule.of(member("2D"), "MergedWithPrevious", dropped=member(WHITE_SPACE))
    >>> rule.edges(np.array([*b"to-be  or"], np.uint32)).tolist()
    [[0, 3], [3, 5], [7, 9]]
    """

    classes: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.bool_]

    @classmethod
    def of(
        cls, matched: npt.NDArray[np.bool_], behavior: Behavior, *, dropped: npt.NDArray[np.bool_] | None = None
    ) -> CharacterRule:
        """Rule that divides at each matched character, and drops others. Both: bool[0x110000], by code point.

        >>> CharacterRule.of(member("41"), "Isolated").edges(np.array([*b"AAb"], np.uint32)).tolist()
        [[0, 1], [1, 2], [2, 3]]
        """
        classes = np.where(matched, np.uint8(_DROPPED if behavior == "Removed" else _MATCHED), np.uint8(_REST))
        if dropped is not None:
            classes[dropped] = _DROPPED
        ends = np.zeros((3, 3), np.bool_)
        ends[_DROPPED, 1:] = ends[1:, _DROPPED] = True
        for before, after in _BETWEEN[behavior]:
            ends[before, after] = True
        return cls(classes, ends)

    def edges(
        self, points: npt.NDArray[np.uint32], pieces: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.int64]:
        """Starts and ends of the words of a text, or of its pieces: int64 (words, 2), in characters.

        `points`: its code points. `pieces`: int64 (pieces, 2), in order, none empty; no word is outside of one.
        """
        classes = self.classes[points]
        size = classes.size
        is_edge = np.ones(size + 1, np.bool_)
        is_edge[1:size] = self.ends.ravel()[3 * classes[:-1] + classes[1:]]
        if pieces is not None:
            starts, stops = pieces[:, 0], pieces[:, 1]
            is_edge[starts] = is_edge[stops] = True
            inside = np.zeros(size + 1, np.int8)
            inside[starts] += 1
            inside[stops] -= 1
            classes[np.cumsum(inside[:-1], dtype=np.int8) == 0] = _DROPPED
        edges = np.flatnonzero(is_edge)
        kept = np.flatnonzero(classes[edges[:-1]] != _DROPPED)
        return ranges_of(edges[kept], edges[kept + 1])


def bert_rule() -> CharacterRule:
    """BERT's words: white space is dropped, and every punctuation character of the library is a word.

    >>> bert_rule().edges(np.array([*b"Oh,  no!"], np.uint32)).tolist()
    [[0, 2], [2, 3], [5, 7], [7, 8]]
    """
    return rule_of(PUNCTUATION_RANGES, "Isolated", WHITE_SPACE)


@cache
def letter_rule() -> CharacterRule:
    r"""Runs of letters, \w of Rust's regular expressions, and of other characters; white space is dropped.

    >>> letter_rule().edges(np.array([*b"no!! a"], np.uint32)).tolist()
    [[0, 2], [2, 4], [5, 6]]
    """
    letters = scan.with_stand_ins(scan.unicode_classes(((f"[{LETTERS}]", 1),)), stand_ins()) > 0
    return CharacterRule.of(letters, "Contiguous", dropped=member(WHITE_SPACE))


@lru_cache(maxsize=16)
def rule_of(matched: str, behavior: Behavior, dropped: str = "") -> CharacterRule:
    """Rule for characters in ranges of code points, written as for `member`.

    >>> rule_of("61-63", "Contiguous").edges(np.array([*b"abcd"], np.uint32)).tolist()
    [[0, 3], [3, 4]]
    """
    return CharacterRule.of(member(matched), behavior, dropped=member(dropped))
