"""Words of SuperBPE and BoundlessBPE by compiled scans: a word may be as long as the text, too long for a pattern."""

from __future__ import annotations

import numpy as np
import regex

from bpe_core.arrays import Bools, Int64s
from bpe_core.kernels import wide_scan
from bpe_core.kernels.scan import WordTable
from bpe_core.text.split_patterns import ACROSS_WORDS, WORD_RUNS

_OF_RUNS = {pattern: split for split, pattern in WORD_RUNS.items()}
_IN_RUNS = {split: regex.compile(pattern.split(")++")[0] + ")") for split, pattern in WORD_RUNS.items()}
"""The words that runs consist of, by split: the first group of its pattern."""

WIDE_PATTERNS = frozenset((ACROSS_WORDS, *_OF_RUNS))
"""Patterns of splits that `word_edges` scans."""


def word_edges(pattern: str, text: str) -> Int64s:
    """Start of each word in the UTF-8 of a text, then its size: int64[words + 1]. Lone surrogates are three bytes.

    pattern  one of WIDE_PATTERNS

    >>> word_edges(ACROSS_WORDS, "in été 12345").tolist(), word_edges(WORD_RUNS["gpt2"], "it's low, 12").tolist()
    ([0, 9, 12, 14], [0, 8, 9, 12])
    """
    data = text.encode("utf-8", "surrogatepass")
    if pattern == ACROSS_WORDS:
        begins, _ = wide_scan.spans(data, np.zeros(1, np.int64), np.array([len(data)]))
    else:
        table, split = WordTable(), _OF_RUNS[pattern]
        starts, numbers = table.number_texts(data, [0], [len(data)], split)
        joins = judged(split, table.text.tobytes(), table.offsets)[1][numbers]
        begins = starts[~(joins & np.append(False, joins[:-1]))]
    return np.append(begins, len(data))


def judged(split: str, text: bytes, offsets: Int64s) -> tuple[Bools, Bools]:
    """Whether each word text[offsets[w]:offsets[w + 1]] has letters, and whether it may be in a run: bool[words] each.

    Words with letters may be, and with o200k also some marks. `split`: the split into words, a name in WORD_RUNS.

    >>> [column.tolist() for column in judged("gpt2", b"low .", np.array([0, 3, 5]))]
    [[True, False], [True, False]]
    """
    letters = wide_scan.have_letters(text, offsets)
    in_runs, matches = letters.copy(), _IN_RUNS[split].fullmatch
    for word in np.flatnonzero(~letters).tolist():
        in_runs[word] = matches(text[offsets[word] : offsets[word + 1]].decode("utf-8", "surrogatepass")) is not None
    return letters, in_runs
