"""Tokens of single lines of the compared text, for tooltips. Pure data, no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core import Comparison
from bpe_core.comparison.text_lines import line_starts
from bpe_core.payloads.chips import LONGEST_WORD, Chip, Word
from bpe_core.tokenizer.chips import chip

_MOST, _LEAST = 20_000, 6
"""Tokens drawn of all lines together, and of each line at least."""


def tokens_of_lines(comparison: Comparison, names: Sequence[str], lines: Sequence[int]) -> list[dict[str, Word]]:
    """The first tokens of each of these lines, numbered from 1, by tokenizer."""
    data = comparison.text.encode()
    bounds = np.append(line_starts(comparison.text), len(data))
    most = max(_LEAST, min(LONGEST_WORD, _MOST // max(1, len(names) * len(lines))))
    words: list[dict[str, Word]] = [{} for _line in lines]
    for name in names:
        ids, tokenizer = comparison.encoding(name).ids, comparison.tokenizer(name)
        edges = np.searchsorted(comparison.offsets(name)[0], bounds)
        made: dict[int, Chip] = {}
        for line, word in zip(lines, words, strict=True):
            first, end = edges[line - 1 : line + 1].tolist()
            text = data[bounds[line - 1] : bounds[line]]
            tokens = []
            for token_id in ids[first : min(end, first + most)].tolist():
                shown = made.get(token_id) or made.setdefault(token_id, chip(tokenizer, token_id))
                tokens.append(chip(tokenizer, token_id, text) if shown.has_bytes else shown)
            word[name] = Word(tuple(tokens), max(0, end - first - most))
    return words
