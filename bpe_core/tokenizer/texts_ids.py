"""Ids of many texts in one array, from one scan of all of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import cast

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.text.normalization import Normalized
from bpe_core.text.normalizers import Chain
from bpe_core.text.splits import Split, SplitText
from bpe_core.text.splitter import Splitter
from bpe_core.tokenizer.special_tokens import Segment
from bpe_core.tokenizer.text_encoder import encode_text
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

_SEPARATOR = -1
"""Placeholder for a special token's id between two texts."""
_BETWEEN: Segment = (Normalized("\n", "\n"), _SEPARATOR)


def ids_of_texts(tokenizer: Tokenizer, texts: Sequence[str], special: Special = "text") -> tuple[Int32s, Int64s]:
    """Ids of all texts, equal to those of `tokenizer.encode` for each text, and the end of each text in them.

    Words are scanned and encoded for all texts together, which for short ones is several times faster. If the split is
    left to the model, each text is encoded alone. Raises as `Tokenizer.encode` does.

    >>> from bpe_core import load_pretrained
    >>> ids, ends = ids_of_texts(load_pretrained("gpt2"), ["low lower", "", "low"])
    >>> ids.tolist(), ends.tolist()
    ([9319, 2793, 9319], [2, 2, 3])
    """
    if tokenizer.split.by_model:
        each = [tokenizer.encode(text, special=special).ids for text in texts]
        ends = np.cumsum([len(ids) for ids in each], dtype=np.int64)
        return np.concatenate([np.zeros(0, np.int32), *each]), ends
    segments: list[Segment] = []
    firsts: set[int] = set()
    for found in _segments_of_each(tokenizer, texts, special):
        for part, _ in found:
            firsts.add(id(part))
            if part.original:
                break
        segments += found
        segments.append(_BETWEEN)
    split = tokenizer.split
    if not isinstance(split, Split):
        split = cast("Splitter", _EachText(split, firsts))
    ids = encode_text(segments, split, tokenizer._remembered.long_texts).ids
    between = ids == _SEPARATOR
    ends = np.flatnonzero(between) - np.arange(len(texts))
    return ids[~between], ends


def _segments_of_each(tokenizer: Tokenizer, texts: Sequence[str], special: Special) -> Iterable[Sequence[Segment]]:
    """Normalized text of each text, divided at its special tokens."""
    normalizer, tokens = tokenizer.normalizer, tokenizer._special
    is_plain = special == "text" and not tokens.always_found and set(map(type, texts)) <= {str}
    if not is_plain or not isinstance(normalizer, Chain):
        return (tokenizer._segments(text, special)[0] for text in texts)
    return ([(part, None)] for part in normalizer.normalize_each(texts))


class _EachText:
    """A split, as needed for encoding, that applies `begins=True` to the beginning of every text, not just the first.

    firsts: `id` of the segments of each text up to the first one that is not empty.
    """

    by_model = False

    def __init__(self, split: Splitter, firsts: Container[int]) -> None:
        self._split, self._firsts = split, firsts
        self.pattern = split.pattern

    def apply(self, part: Normalized, *, begins: bool) -> SplitText:
        """Words of a segment."""
        return self._split.apply(part, begins=id(part) in self._firsts)
