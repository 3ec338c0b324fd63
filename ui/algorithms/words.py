"""The words of a text that the algorithms cut differently: pure data, no Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from ui.algorithms.member import TITLES, Member
from ui.token_view import Column, Table

_WORD = regex.compile(
    r"\p{Han}+\p{Hiragana}{0,5}|\p{Katakana}[\p{Katakana}ー]*|\p{Hiragana}+"
    r"|[\p{L}--\p{Han}--\p{Hiragana}--\p{Katakana}][[\p{L}\p{M}]--\p{Han}--\p{Hiragana}--\p{Katakana}]*",
    regex.VERSION1,
)
"""What is offered as a word: letters, and where no spaces are written, a stem with its ending."""

LENGTHS = range(2, 17)
_MOST_TRIED = 400
_MOST_SHOWN = 60


@dataclass(frozen=True)
class Words:
    """Words of a text, those that are cut in the most ways first, and how each algorithm cuts them."""

    words: tuple[str, ...]
    table: Table


def frequent_words(text: str) -> list[str]:
    """The words of a text, the most frequent first, equals in first-seen order.

    >>> frequent_words("low lower low 駅の時計は動く。 I")
    ['low', 'lower', '駅の', '時計は', '動く']
    """
    counts = Counter(word for word in _WORD.findall(text) if len(word) in LENGTHS)
    return [word for word, _ in counts.most_common(_MOST_TRIED)]


def differing(members: Mapping[str, Member], words: Sequence[str]) -> Words:
    """The words in the pieces of every algorithm at its end; those that all cut alike are left out."""
    found: list[tuple[int, str, list[tuple[str, ...]]]] = []
    for word in words:
        cuts = [member.cut(word, member.steps).bare for member in members.values()]
        if len(set(cuts)) > 1:
            found.append((len(set(cuts)), word, cuts))
    found.sort(key=lambda each: -each[0])
    shown = found[:_MOST_SHOWN]
    columns = [Column(TITLES[name], ["|".join(cuts[at]) for _, _, cuts in shown]) for at, name in enumerate(members)]
    return Words(tuple(word for _, word, _ in shown), Table((Column("Word", [word for _, word, _ in shown]), *columns)))
