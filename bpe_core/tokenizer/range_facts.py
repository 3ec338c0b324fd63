"""Facts about tokens stored as ranges of one text, without copying their bytes; and about tokens stored one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s
from bpe_core.text.scripts import CODES, PART, SPECIAL, script_codes, script_codes_of_ranges
from bpe_core.text.utf8 import character_starts, is_utf8
from bpe_core.tokenizer.token_ranges import TokenRanges
from bpe_core.tokenizer.tokenizer import Tokenizer

Codes = npt.NDArray[np.uint8]

_EDGE = 64
"""Bytes compared at either end of a token before the whole token."""


def text_facts(tokens: Sequence[bytes]) -> tuple[Int32s, Codes]:
    """Number of whole characters of each token, and its script code.

    >>> [column.tolist() for column in text_facts([b"low", b"\\xe3\\x81"])] == [[3, 0], [0, CODES[PART]]]
    True
    """
    texts = [data.decode("utf-8", "ignore") for data in tokens]
    scripts = script_codes(texts)
    scripts[[not is_utf8(data) for data in tokens]] = CODES[PART]
    return np.array([len(text) for text in texts], np.int32), scripts


def facts_of_ranges(tokenizer: Tokenizer, tokens: TokenRanges) -> dict[str, Any]:
    """Fields of `TokenFacts` for a tokenizer whose model has these tokens; time and memory grow with the text.

    >>> from unittest.mock import patch
    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low lower", TrainConfig(vocab_size=258))
    >>> with patch("bpe_core.bpe.training.all_tokens", return_value=None):
    ...     tokenizer = training.tokenizer()
    >>> facts = facts_of_ranges(tokenizer, tokenizer.model.tokens)
    >>> facts["ids"][-2:].tolist(), facts["byte_lengths"][-2:].tolist(), facts["ranks"][-2:].tolist()
    ([256, 257], [2, 3], [0, 1])
    """
    ids = np.array(tokenizer.ids, np.int64)
    special = np.isin(ids, list(tokenizer.special_tokens.values()))
    is_range = np.zeros(len(ids), np.bool_)
    is_range[~special] = tokens.starts[ids[~special]] >= 0
    single = {at: tokenizer.token_bytes(int(ids[at])) for at in np.flatnonzero(~is_range).tolist()}
    # tokens that are not ranges come after the text
    starts, lengths = np.zeros(len(ids), np.int64), np.zeros(len(ids), np.int64)
    starts[is_range], lengths[is_range] = tokens.starts[ids[is_range]], tokens.lengths[ids[is_range]]
    lengths[~is_range] = [len(token) for token in single.values()]
    starts[~is_range] = len(tokens.text) + np.cumsum(lengths[~is_range]) - lengths[~is_range]
    text_lengths = lengths - _mark_lengths(tokenizer, ids, single)
    char_lengths, scripts = np.zeros(len(ids), np.int32), np.zeros(len(ids), np.uint8)
    char_lengths[~is_range], scripts[~is_range] = text_facts(
        [token[: int(text_lengths[at])] for at, token in single.items()]
    )
    char_lengths[is_range], scripts[is_range] = _parts_of(tokens.text, starts[is_range], text_lengths[is_range])
    scripts[special] = CODES[SPECIAL]
    merges = tokenizer.model.merges
    ranks = [None if merges is None or special[at] else merges.rank_of(int(each)) for at, each in enumerate(ids)]
    data = tokens.text + b"".join(single.values())
    return {
        "ids": ids.astype(np.int32),
        "byte_lengths": text_lengths.astype(np.int32),
        "char_lengths": char_lengths,
        "scripts": scripts,
        "ranks": np.array([-1 if rank is None else rank for rank in ranks], np.int32),
        "duplicates": _duplicates(data, starts, lengths, ids, special),
        "_bytes": np.frombuffer(data, np.uint8).copy(),
        "_starts": starts,
        "_ends": starts + lengths,
    }


def _mark_lengths(tokenizer: Tokenizer, ids: npt.NDArray[np.int64], single: dict[int, bytes]) -> npt.NDArray[np.int64]:
    """Bytes of the end-of-word mark in each token; 0 without one."""
    ends = np.array([tokenizer.model.ends_word(int(token_id)) for token_id in ids], np.bool_)
    shortest = min((single[at] for at in np.flatnonzero(ends).tolist() if at in single), key=len, default=b"")
    return np.where(ends, len(shortest), 0)


def _parts_of(text: bytes, starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> tuple[Int32s, Codes]:
    """`text_facts` of ranges of a text."""
    edges = character_starts(text)
    first = np.searchsorted(edges, starts)
    last = np.searchsorted(edges, starts + lengths, side="right") - 1
    whole = (edges[first] == starts) & (edges[last] == starts + lengths)
    last = np.maximum(first, last)
    scripts = script_codes_of_ranges(text.decode(), first, last)
    scripts[~whole] = CODES[PART]
    return (last - first).astype(np.int32), scripts


def _duplicates(
    data: bytes,
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int64],
    ids: npt.NDArray[np.int64],
    special: npt.NDArray[np.bool_],
) -> Int32s:
    """For each token, the lowest other id with the same bytes, or -1. Tokens are read whole only if both ends agree."""
    groups: dict[Hashable, list[int]] = {}
    for at, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist(), strict=True)):
        if not special[at]:
            end = start + length
            key = length, data[start : min(start + _EDGE, end)], data[max(start, end - _EDGE) : end]
            groups.setdefault(key, []).append(at)
    duplicates = np.full(len(ids), -1, np.int32)
    for group in groups.values():
        same: dict[bytes, list[int]] = {}
        for at in group if len(group) > 1 else ():
            token = memoryview(data)[starts[at] : starts[at] + lengths[at]]
            same.setdefault(hashlib.blake2b(token).digest(), []).append(at)
        for first, *others in same.values():
            if others:
                duplicates[others] = ids[first]
                duplicates[first] = ids[others[0]]
    return duplicates
