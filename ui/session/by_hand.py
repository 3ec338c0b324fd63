"""Session values of Unigram by hand, on the Algorithms page."""

from __future__ import annotations

from bpe_core.unigram.by_hand import read_counts, substring_counts
from ui.session.items import Item, is_a, or_none

LONGEST_LIST = 30_000
"""Maximum characters of a list of words or pieces with counts."""


def written(counts: dict[str, int]) -> str:
    """Format counts as the fields show them.

    >>> written({"hug": 10, "pug": 5})
    'hug 10\\npug 5'
    """
    return "\n".join(f"{text} {count}" for text, count in counts.items())


COURSE_WORDS = "hug 10\npug 5\npun 12\nbun 4\nhugs 5"
"""The corpus of the Hugging Face course."""

COURSE_PIECES = written(substring_counts(read_counts(COURSE_WORDS, "word")))

OPEN = Item("unigram by hand open", False, is_a(bool))
WORDS = Item("unigram by hand words", COURSE_WORDS, is_a(str))
PIECES = Item("unigram by hand pieces", COURSE_PIECES, is_a(str))
WORDPIECES = Item("wordpiece by hand pieces", "b h p ##g ##n ##s ##u ##gs hu hug", is_a(str))
"""Pieces for the longest match; by default those of the Hugging Face course after three merges."""

WORD: Item[str | None] = Item("unigram by hand word", None, or_none(is_a(str)))  # None: the corpus's first word
WITHOUT: Item[str | None] = Item("unigram by hand without", None, or_none(is_a(str)))
WORD_DRAFT = Item("unigram by hand word draft", "", is_a(str))
