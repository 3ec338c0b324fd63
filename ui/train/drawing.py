"""Convert a training for views: merges as a table, and words of its split as spans. Pure data."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

import numpy as np

from bpe_core import Merge, Tokenizer, Training
from bpe_core.language import message
from bpe_core.payloads.chips import Cell, Chip, Column, Drawn, Table
from bpe_core.payloads.spans import TokenSpans
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.splits import compile_split
from bpe_core.text.splits import spans as split_spans
from bpe_core.text.utf8 import utf8_lengths
from bpe_core.tokenizer.chips import chip, chip_in_pair, pair_chips

_EXAMPLES = 20_000
"""Characters of a text that are searched for the characters that byte pieces belong to."""


def examples_of(text: str) -> bytes:
    """The beginning of a text, where the characters are found that byte pieces belong to."""
    return text[:_EXAMPLES].encode("utf-8", "replace")


def merges_table(
    training: Training, tokenizer: Tokenizer, ranks: Sequence[int], text: bytes = b"", chosen: Container[int] = ()
) -> Table:
    """Table of merges: the pair, the new token, its bytes, its count, and the remaining tokens.

    `chosen`: ranks of the merges that were chosen instead of the rule; they are marked.
    """
    merges = training.merges

    def drawn(cell: Callable[[Merge], Cell]) -> Drawn:
        return Drawn(ranks, lambda rank: cell(merges[rank]))

    def pair(side: int) -> Drawn:
        return drawn(lambda merge: chip_in_pair(tokenizer, merge.left, merge.right, side, text))

    return Table(
        (
            Column(message("Merge"), drawn(lambda merge: merge.rank + 1), "number"),
            Column(message("Left"), pair(0), "chip"),
            Column(message("Right"), pair(1), "chip"),
            Column(message("New token"), drawn(lambda merge: chip(tokenizer, merge.token_id, text)), "chip"),
            Column(message("Bytes"), drawn(lambda merge: _hex(tokenizer.token_bytes(merge.token_id)))),
            Column(message("Id"), drawn(lambda merge: merge.token_id), "number"),
            Column(message("Count"), drawn(lambda merge: merge.count), "number"),
            Column(message("Tokens"), drawn(lambda merge: training.token_count(merge.rank + 1)), "number"),
            *([Column("", [message("chosen") if rank in chosen else "" for rank in ranks])] if chosen else []),
        )
    )


def merged_pairs(
    training: Training, tokenizer: Tokenizer, ranks: Iterable[int], text: bytes = b""
) -> list[tuple[Chip, Chip]]:
    """The pair of each of these merges."""
    merges = (training.merges[rank] for rank in ranks)
    return [pair_chips(tokenizer, merge.left, merge.right, text) for merge in merges]


def _hex(data: bytes, longest: int = 8) -> str:
    return data[:longest].hex(" ").upper() + (" …" if len(data) > longest else "")


def word_spans(text: str, split: str) -> TokenSpans:
    """The words of a split as spans, numbered in order."""
    safe = replace_surrogates(text)[0]
    edges = np.array(list(split_spans(compile_split(split), safe)), np.int64).reshape(-1, 2)
    byte_at = np.concatenate(([0], np.cumsum(utf8_lengths(safe))))
    return TokenSpans.of(safe, np.arange(len(edges)), byte_at[edges[:, 0]], byte_at[edges[:, 1]])
