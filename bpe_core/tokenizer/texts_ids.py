"""Ids of many texts in one array, from one scan of all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.text.normalization import Normalized
from bpe_core.text.splits import Split
from bpe_core.tokenizer.text_encoder import Segment, encode_text
from bpe_core.tokenizer.tokenizer import Special, Tokenizer

_SEPARATOR = -1
"""Stands between two texts in place of a special token's id."""
_BETWEEN: Segment = (Normalized("\n", "\n"), _SEPARATOR)


def ids_of_texts(tokenizer: Tokenizer, texts: Sequence[str], special: Special = "text") -> tuple[Int32s, Int64s]:
    """Ids of all texts, and the end of each text in them: those of `tokenizer.encode` for each text alone.

    Words are scanned and encoded for all texts together, which for short ones is several times faster. A split that is
    a chain of steps, or left to the model, depends on where a text begins: there each text is encoded alone. Raises as
    `Tokenizer.encode` does.

    >>> from bpe_core import load_pretrained
    >>> ids, ends = ids_of_texts(load_pretrained("gpt2"), ["low lower", "", "low"])
    >>> ids.tolist(), ends.tolist()
    ([9319, 2793, 9319], [2, 2, 3])
    """
    split = tokenizer.split
    if not isinstance(split, Split) or split.by_model:
        each = [tokenizer.encode(text, special=special).ids for text in texts]
        ends = np.cumsum([len(ids) for ids in each], dtype=np.int64)
        return np.concatenate([np.zeros(0, np.int32), *each]), ends
    segments: list[Segment] = []
    for text in texts:
        segments += tokenizer._segments(text, special)[0]
        segments.append(_BETWEEN)
    ids = encode_text(segments, split, tokenizer.model).ids
    between = ids == _SEPARATOR
    ends = np.flatnonzero(between) - np.arange(len(texts))
    return ids[~between], ends
