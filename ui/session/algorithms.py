"""Session values of the Algorithms page."""

from __future__ import annotations

from collections.abc import Collection

from bpe_core.bpe.config import UNKNOWN as UNKNOWN_TOKEN
from bpe_core.sentencepiece.settings import ModelType
from bpe_core.sentencepiece.training import MODEL_TYPES, NORMALIZATION_RULES, NormalizationRule
from bpe_core.unigram.lattice import UNKNOWN_RULES, UnknownRule
from bpe_core.unigram.training import LARGEST_SEED
from bpe_core.wordpiece.training import RULES, SPECIAL_TOKENS, WordPieceRule
from ui.session.items import Item, is_a, is_count, number_in, one_of, or_none

TITLES = {
    "bpe": "BPE",
    "picky": "PickyBPE",
    "superbpe": "SuperBPE",
    "boundlessbpe": "BoundlessBPE",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
    "sentencepiece": "SentencePiece",
}
"""Titles of the algorithms, in page order."""

ALGORITHMS = tuple(TITLES)

SIDE_BY_SIDE_AT_FIRST = ("bpe", "wordpiece", "unigram", "sentencepiece")
"""Algorithms that are shown unless others are chosen."""

MOST_SIDE_BY_SIDE = 4

MOST_PIECES = 5_000
"""Largest vocabulary trained on the Algorithms page."""

LONGEST_SPECIAL = 200
"""Maximum characters of special tokens, with spaces between them."""


def are_side_by_side(value: object) -> bool:
    """Whether this is a choice of one to four algorithms."""
    return (
        isinstance(value, list)
        and 1 <= len(value) <= MOST_SIDE_BY_SIDE
        and all(isinstance(each, str) and each in ALGORITHMS for each in value)
        and len(set(value)) == len(value)
    )


def is_line(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_SPECIAL and " ".join(value.split()) == value


def is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(each, str) for each in value)


SIZE: Item[int | None] = Item(
    "algorithms size", None, or_none(number_in(1, MOST_PIECES))
)  # None: one that fits the text
SIZE_DRAFT: Item[int | None] = Item("algorithms size draft", None, or_none(number_in(1, MOST_PIECES)))
MODEL: Item[ModelType] = Item("algorithms sentencepiece model", "bpe", one_of(*MODEL_TYPES))
BYTES = Item("algorithms sentencepiece bytes", False, is_a(bool))
NORMALIZATION: Item[NormalizationRule] = Item(
    "algorithms sentencepiece normalization", "nmt_nfkc", one_of(*NORMALIZATION_RULES)
)
MERGES_BY: Item[WordPieceRule] = Item("algorithms wordpiece merges by", "score", one_of(*RULES))
UNKNOWN: Item[UnknownRule] = Item("algorithms unigram unknown", "characters", one_of(*UNKNOWN_RULES))
SEED: Item[int | None] = Item("algorithms unigram seed", None, or_none(number_in(1, LARGEST_SEED)))
"""None: derived from the vocabulary size."""

SHRINK = Item("algorithms unigram shrink", 10, number_in(1, 100))
SPECIAL = Item("algorithms wordpiece special tokens", " ".join(SPECIAL_TOKENS), is_line)
SPECIAL_DRAFT = Item("algorithms wordpiece special tokens draft", "", is_a(str))
FIRST = Item("algorithms unigram special tokens", UNKNOWN_TOKEN, is_line)
FIRST_DRAFT = Item("algorithms unigram special tokens draft", "", is_a(str))
SIDE_BY_SIDE: Item[list[str]] = Item("algorithms side by side", [*SIDE_BY_SIDE_AT_FIRST], are_side_by_side)
SIDE_BY_SIDE_DRAFT: Item[list[str]] = Item("algorithms side by side draft", [], is_a(list))
CROSSING = Item("algorithms superbpe crossing", 80, number_in(1, 100))
THRESHOLD = Item("algorithms picky threshold", 90, number_in(1, 100))
STEP = Item("algorithms step", 0, is_count)
PLAYING = Item("algorithms playing", False, is_a(bool))
STOPPED = Item("algorithms training cancelled", "", is_a(str))
AT = Item("algorithms word and pieces at", "end", one_of("end", "step"))
MOVED = Item("algorithms word and pieces moved", False, is_a(bool))
WORD: Item[str | None] = Item(
    "algorithms word", None, or_none(is_a(str))
)  # None: a word that the algorithms segment differently
SENTENCE_DRAFT = Item("algorithms sentence draft", "", is_a(str))
SENTENCE: Item[str | None] = Item(
    "algorithms sentence", None, or_none(is_a(str))
)  # None: the followed word, or a sentence of the text
PIECE = Item("algorithms piece", ("", ""), is_pair)
"""Title of the algorithm and spelling of the clicked piece of the sentence."""
SHOWN = Item("algorithms pieces shown", "all", one_of("all", "shared", *ALGORITHMS))
FIND = Item("algorithms pieces found", "", is_a(str))
TABLES_OPEN = Item("algorithms step tables open", False, is_a(bool))
VOCABULARIES_OPEN = Item("algorithms vocabularies open", False, is_a(bool))
FILTERS_DRAWN = Item("algorithms filters drawn", ("all", ""), is_a(tuple))
OVERVIEW_OPEN = Item("algorithms overview open", False, is_a(bool))


def in_page_order(names: Collection[str]) -> tuple[str, ...]:
    """Algorithms in the order of the page.

    >>> in_page_order(["unigram", "bpe"])
    ('bpe', 'unigram')
    """
    return tuple(name for name in ALGORITHMS if name in names)
