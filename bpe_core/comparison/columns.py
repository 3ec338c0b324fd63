"""Columns of the table of counts: tokens of each tokenizer, and bytes and characters per token."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_core.comparison.results import Row
from bpe_core.language import message, term
from bpe_core.payloads.chips import Column


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
