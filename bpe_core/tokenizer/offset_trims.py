"""Token offsets without white space, as in the tokenizers library's post-processors with `trim_offsets`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import regex

from bpe_core.text.byte_characters import byte_level

Numbers = npt.NDArray[np.int64]

_SPACES = regex.compile(rf"[{byte_level(b' ')}\p{{White_Space}}]*+")


def trimmed(
    spelled: Sequence[str], starts: Numbers, ends: Numbers, trims: Sequence[tuple[bool, bool]]
) -> tuple[Numbers, Numbers]:
    """Trimmed character offsets of a text's consecutive tokens; `spelled`: the tokens as the file spells them.

    trims: per trimming step, whether a single space at the start of the text counts as added, and stays; and whether
    the first token counts as such a start wherever it is in the text.

    >>> edges = trimmed(["Ġlow", "Ġlow"], np.array([0, 3]), np.array([3, 7]), [(True, True)])
    >>> [edge.tolist() for edge in edges]
    [[0, 4], [3, 7]]
    """
    leading = np.array([_spaces(token) for token in spelled], np.int64)
    trailing = np.array([_spaces(token[::-1]) for token in spelled], np.int64)
    for adds_space, at_start in trims:
        first = starts == 0
        first[:1] |= at_start
        removed = np.where(first & adds_space & (leading == 1), 0, leading)
        starts = np.where(leading > 0, np.minimum(starts + removed, ends), starts)
        ends = np.where(ends >= trailing, np.maximum(ends - trailing, starts), ends)
    return starts, ends


def _spaces(token: str) -> int:
    """Number of characters of white space, or Ġ, at the start of a token."""
    found = _SPACES.match(token)
    return 0 if found is None else found.end()
