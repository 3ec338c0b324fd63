"""Results of a comparison: the counts of a tokenizer, the agreement of two, and a place where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bpe_core.comparison.causes import Cause
from bpe_core.language import message, term
from bpe_core.payloads.chips import Column


class Row(NamedTuple):
    """Counts of one tokenizer on the text. Words are separated by white space; a ratio without words is 0.0.

    >>> from bpe_core import compare, load_pretrained
    >>> compare("hello world", {"GPT-2": load_pretrained("gpt2")}).rows
    [Row(name='GPT-2', tokens=2, bytes_per_token=5.5, chars_per_token=5.5, tokens_per_word=1.0)]
    """

    name: str
    tokens: int
    bytes_per_token: float
    chars_per_token: float
    tokens_per_word: float


class Agreement(NamedTuple):
    """Number of inner boundaries that two tokenizers share, with the left one as the reference.

    precision          share of the right one's boundaries that are also the left one's
    recall             share of the left one's boundaries that are also the right one's
    f1                 their harmonic mean; all three are 1.0 if neither has a boundary
    shared, only_left,
    only_right         numbers of boundaries

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
    >>> comparison.agreement("a", "b")
    Agreement(precision=1.0, recall=0.3333333333333333, f1=0.5, shared=1, only_left=2, only_right=0)
    """

    precision: float
    recall: float
    f1: float
    shared: int
    only_left: int
    only_right: int


class Disagreement(NamedTuple):
    """Region between two shared boundaries that two tokenizers segment differently, with the cause.

    `start`, `end`: byte offsets in the UTF-8 of the text. `explanation` is plain text with the evidence.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
    >>> comparison.disagreements("a", "b")[0].explanation
    "Neither split cuts here. b has a token of 3 spaces, “···” (262); a's vocabulary of 50,257 ids lacks \
it, so a takes “·” (220) + “·” (220) + “·” (220)."
    """

    start: int
    end: int
    left_ids: tuple[int, ...]
    right_ids: tuple[int, ...]
    cause: Cause
    explanation: str


def count_columns(rows: Sequence[Row]) -> tuple[Column, ...]:
    """Name, tokens, bytes per token and characters per token of each tokenizer.

    >>> from bpe_core import compare, load_pretrained
    >>> columns = count_columns(compare("low", {"GPT-2": load_pretrained("gpt2")}).rows)
    >>> [column.cells for column in columns]
    [['GPT-2'], [1], [3.0], [3.0]]
    """
    return (
        Column("", [row.name for row in rows]),
        Column(term("number", "Tokens"), [row.tokens for row in rows], "number"),
        Column(message("Bytes/token"), [row.bytes_per_token for row in rows], "number", digits=2),
        Column(message("Chars/token"), [row.chars_per_token for row in rows], "number", digits=2),
    )
