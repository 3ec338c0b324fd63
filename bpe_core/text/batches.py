"""Normalization of many short texts at once: joined by newlines, with the offsets of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.normalizer_settings import NormalizationSettings, normalizer_of

LONGEST = 1 << 18
"""Maximum characters of a text that is joined with others; a longer one alone is work enough for all cores."""

_SIZE = 1 << 22
"""Characters per batch."""

_MOST = 1 << 17
"""Texts per batch."""


class NormalizedBatch(NamedTuple):
    """Normalized texts, in input order.

    data         UTF-8 of all texts, separated by newlines
    starts, ends int64[texts]: byte range of each text in `data`
    surrogates   number of lone surrogates replaced by U+FFFD

    >>> from bpe_core import TrainConfig
    >>> batch = normalized_batch(["Low", "é\\n"], TrainConfig(lowercase=True))
    >>> batch.data.decode(), batch.starts.tolist(), batch.ends.tolist(), batch.texts()
    ('low\\né\\n', [0, 4], [3, 7], ['low', 'é\\n'])
    """

    data: bytes
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    surrogates: int

    def texts(self) -> list[str]:
        """List of the texts."""
        return [
            self.data[start:end].decode() for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        ]


def in_batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Batches of the texts in order: short ones joined, each long one separately.

    >>> [len(batch) for batch in in_batches(["a", "b", "c" * 300_000, "d"])]
    [2, 1, 1]
    """
    waiting: list[str] = []
    size = 0
    for text in texts:
        length = len(text)
        if waiting and (length > LONGEST or size + length > _SIZE or len(waiting) >= _MOST):
            yield waiting
            waiting, size = [], 0
        waiting.append(text)
        size += length
        if length > LONGEST:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def normalized_batch(texts: Sequence[str], settings: NormalizationSettings) -> NormalizedBatch:
    """Normalize the texts by the settings of a training, each independently.

    No form composes a newline with its neighbours or reorders marks across it, and none makes or removes one. For the
    lower case of Σ, a newline ends a word as the end of a text does. So the joining newlines can be found again by
    counting.

    >>> from bpe_core import TrainConfig
    >>> normalized_batch(["e", "\\u0301", "ΑΣ", "Α"], TrainConfig(normalization="NFC", lowercase=True)).texts()
    ['e', '\u0301', 'ας', 'α']
    """
    if not normalizer_of(settings).steps:
        with suppress(UnicodeEncodeError):  # lone surrogates, which are replaced below
            data = "\n".join(texts).encode()
            each = texts if data.isascii() else [text.encode() for text in texts]
            ends = np.cumsum(np.fromiter(map(len, each), np.int64, len(texts)) + 1) - 1
            starts = np.concatenate((np.zeros(1, np.int64), ends + 1))[: len(texts)]
            return NormalizedBatch(data, starts, ends, 0)
    joined, surrogates = replace_surrogates("\n".join(texts))
    data = normalizer_of(settings).text(joined).encode()
    if len(texts) == 1:
        return NormalizedBatch(data, np.zeros(1, np.int64), np.array([len(data)]), surrogates)
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    inside = np.fromiter((text.count("\n") for text in texts), np.int64, len(texts))
    between = newlines[np.cumsum(inside + 1)[:-1] - 1] if texts else newlines
    starts = np.concatenate(([0], between + 1))[: len(texts)]
    ends = np.concatenate((between, [len(data)]))[: len(texts)]
    return NormalizedBatch(data, starts, ends, surrogates)
