"""Token offsets without white space, as in the tokenizers library's post-processors with `trim_offsets`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.text.byte_characters import byte_level

Numbers = npt.NDArray[np.int64]

_SPACES = regex.compile(rf"[{byte_level(b' ')}\p{{White_Space}}]*+")


def trims_of(post_processor: Mapping[str, Any] | None) -> tuple[bool, ...]:
    """`add_prefix_space` of each trimming step of a post-processor, in order.

    >>> trims_of({"type": "ByteLevel", "trim_offsets": True, "add_prefix_space": False}), trims_of(None)
    ((False,), ())
    """
    if post_processor is None:
        return ()
    if post_processor["type"] == "Sequence":
        return tuple(trim for each in post_processor["processors"] for trim in trims_of(each))
    trims = post_processor["type"] in ("ByteLevel", "RobertaProcessing") and "add_prefix_space" in post_processor
    return (post_processor["add_prefix_space"],) if trims and post_processor.get("trim_offsets") else ()


def trimmed(spelled: Sequence[str], starts: Numbers, ends: Numbers, trims: Sequence[bool]) -> tuple[Numbers, Numbers]:
    """Trimmed character offsets of a text's consecutive tokens; `spelled`: the tokens as the file spells them.

    With `add_prefix_space`, a single space at the start of the text counts as added, and stays.

    >>> edges = trimmed(["Ġlow", "Ġlow"], np.array([0, 3]), np.array([3, 7]), [True])
    >>> [edge.tolist() for edge in edges]
    [[0, 4], [3, 7]]
    """
    leading = np.array([_spaces(token) for token in spelled], np.int64)
    trailing = np.array([_spaces(token[::-1]) for token in spelled], np.int64)
    for adds_space in trims:
        first = (np.arange(len(starts)) == 0) | (starts == 0)
        removed = np.where(first & adds_space & (leading == 1), 0, leading)
        starts = np.where(leading > 0, np.minimum(starts + removed, ends), starts)
        ends = np.where(ends >= trailing, np.maximum(ends - trailing, starts), ends)
    return starts, ends


def _spaces(token: str) -> int:
    """Number of characters of white space, or Ġ, at the start of a token."""
    found = _SPACES.match(token)
    return 0 if found is None else found.end()
