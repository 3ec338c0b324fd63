"""Texts in which a normalizer or a split replaced spaces by ▁, converted back for comparison with others.

Tokenizers library files replace spaces by ▁, and prepend one to a text, before the model: by a Metaspace step, or by
Prepend and Replace. The mark is a spelling of the space, and not a reason for a disagreement.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.text.normalization import Normalized
from bpe_core.text.splits import WORD_MARK
from bpe_core.text.utf8 import code_points, text_of
from bpe_core.tokenizer.tokenizer import Tokenizer


class Unmarked(NamedTuple):
    """Text without marks: its UTF-8, and the new byte offset for each byte offset of the marked text, int32.

    >>> from bpe_core.huggingface.normalizers import Replace
    >>> from bpe_core.text.normalizers import Chain
    >>> unmarked = without_marks(Chain((Replace(" ", "▁"),)).normalize("a b"))
    >>> unmarked.utf8, unmarked.offsets.tolist()
    (b'a b', [0, 1, 2, 2, 2, 3])
    """

    utf8: bytes
    offsets: npt.NDArray[np.int32]


_MARK = ord(WORD_MARK)


def puts_mark_in_front(tokenizer: Tokenizer) -> bool | None:
    """Whether a tokenizer that replaces spaces by ▁ also prepends it to a text; None if it writes none.

    >>> from bpe_core import load_pretrained
    >>> puts_mark_in_front(load_pretrained("t5-small")), puts_mark_in_front(load_pretrained("gpt2"))
    (True, None)
    """
    seen = [tokenizer.split.apply(tokenizer.normalizer.normalize(text), begins=True)[0].text for text in ("1", "1 1")]
    if WORD_MARK + "1" not in seen[1].removeprefix(WORD_MARK):
        return None
    return seen[0].startswith(WORD_MARK)


def without_marks(text: Normalized) -> Unmarked:
    """The text with spaces for ▁, and without ▁ prepended to a character; ▁ of the original stays.

    >>> from bpe_core.huggingface.pretokenizers import Metaspace
    >>> from bpe_core.huggingface.split_chain import SplitChain
    >>> without_marks(SplitChain((Metaspace(),)).apply(Normalized.of("a b"), begins=True)[0]).utf8
    b'a b'
    """
    sizes = np.diff(text.character_starts).astype(np.int8)
    size = len(text.utf8)
    if text.spans is None or not len(sizes):
        return Unmarked(text.utf8, np.arange(size + 1, dtype=np.int32))
    points = code_points(text.text).copy()
    originals = code_points(text.original + "\0")
    marks = points == _MARK
    added = marks & np.append((text.spans[1:] == text.spans[:-1]).all(axis=1), False)
    marks &= originals[text.spans[:, 0]] != _MARK
    points[marks] = ord(" ")
    utf8 = text_of(points[~added]).encode()
    kept = sizes.copy()
    kept[marks] = 1
    kept[added] = 0
    starts = np.concatenate(([0], np.cumsum(kept, dtype=np.int32)), dtype=np.int32)
    offsets = np.arange(size + 1, dtype=np.int32)
    offsets[:-1] -= np.repeat((text.character_starts[:-1] - starts[:-1]).astype(np.int32), sizes)
    np.minimum(offsets[:-1], np.repeat(starts[1:], sizes), out=offsets[:-1])
    offsets[-1] = len(utf8)
    return Unmarked(utf8, offsets)
