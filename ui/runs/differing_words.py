"""Words of a text that the algorithms segment differently. Pure data, no Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

import regex

from bpe_core.language import message
from bpe_core.payloads.chips import Column, Table
from ui.runs.algorithm_run import AlgorithmRun
from ui.session.algorithms import TITLES

_WORD = regex.compile(
    r"\p{Han}+\p{Hiragana}{0,5}|\p{Katakana}[\p{Katakana}ー]*|\p{Hiragana}+"
    r"|[\p{L}--\p{Han}--\p{Hiragana}--\p{Katakana}][[\p{L}\p{M}]--\p{Han}--\p{Hiragana}--\p{Katakana}]*",
    regex.VERSION1,
)
"""Words to offer: characters of one script; in scripts without spaces, a stem with its ending."""

WORD_LENGTHS = range(2, 17)
_MOST_TRIED = 400
_MOST_SHOWN = 60
_ROOM = 9
"""Width of a column in Latin letters, including the marks between pieces."""


@dataclass(frozen=True)
class DifferingWords:
    """Words of a text with the segmentation by each algorithm.

    Words that fit into a column come first, those with the most distinct segmentations at the top.
    """

    words: tuple[str, ...]
    table: Table


def script_words(text: str) -> list[tuple[int, int]]:
    """(start, end) of the words in a text: characters of one script, as in `frequent_words`.

    >>> script_words("駅の時計。")
    [(0, 2), (2, 4)]
    """
    return [match.span() for match in _WORD.finditer(text)]


def frequent_words(text: str) -> list[str]:
    """The words of a text, most frequent first, ties in first-seen order.

    >>> frequent_words("low lower low 駅の時計は動く。 I")
    ['low', 'lower', '駅の', '時計は', '動く']
    """
    counts = Counter(word for word in _WORD.findall(text) if len(word) in WORD_LENGTHS)
    return [word for word, _ in counts.most_common(_MOST_TRIED)]


def _drawn_width(word: str) -> int:
    """Approximate width of a word in Latin letters; wide characters (Japanese, Chinese) count as two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in word)


def differing(runs: Mapping[str, AlgorithmRun], words: Sequence[str]) -> DifferingWords:
    """The words in the final pieces of every algorithm, without those that all segment identically."""
    found: list[tuple[int, str, list[tuple[str, ...]]]] = []
    for word in words:
        pieces = [run.segment(word, run.steps).bare for run in runs.values()]
        if len(set(pieces)) > 1:
            found.append((len(set(pieces)), word, pieces))
    found.sort(key=lambda each: (_drawn_width(each[1]) > _ROOM, -each[0]))
    shown = found[:_MOST_SHOWN]
    columns = [Column(TITLES[name], ["|".join(pieces[at]) for _, _, pieces in shown]) for at, name in enumerate(runs)]
    differing_words = tuple(word for _, word, _ in shown)
    return DifferingWords(differing_words, Table(Column(message("Word"), differing_words), *columns))
