"""Texts to distinct words with their counts, in the order in which they were first seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from bpe_core import compiled, scan
from bpe_core.config import TrainConfig
from bpe_core.normalize import normalize
from bpe_core.split import compile_split, words
from bpe_core.texts import Text, each_text


@dataclass(frozen=True)
class WordCounts:
    """The distinct words of a corpus in first-seen order, how often each stands, and what was repaired on the way.

    `surrogates`: lone surrogates that were replaced by U+FFFD.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    surrogates: int = 0


@dataclass(frozen=True, eq=False)
class FlatWords:
    """The same as flat arrays: word w is the UTF-8 text[offsets[w]:offsets[w + 1]] and stands counts[w] times."""

    text: bytes
    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    surrogates: int = 0


def count_words(texts: Text | Iterable[Text], config: TrainConfig) -> WordCounts:
    """Normalize, split and count; one text at a time, so that memory grows with the distinct words only.

    Raises CorpusError when a text is not a str, or when the split takes too long on it.

    >>> count_words(["low lower low", "low"], TrainConfig(split="words"))
    WordCounts(words=('low', 'lower'), counts=(3, 1), surrogates=0)
    """
    pattern = compile_split(config.split)
    counts: dict[str, int] = {}
    surrogates = 0
    for text in each_text(texts, config.split):
        normalized = normalize(text, config)
        surrogates += normalized.surrogates
        for word in words(pattern, normalized.text):
            counts[word] = counts.get(word, 0) + 1
    return WordCounts(tuple(counts), tuple(counts.values()), surrogates)


def count_flat_words(texts: Text | Iterable[Text], config: TrainConfig) -> FlatWords:
    """As `count_words`, into flat arrays, and by the compiled scan for the named splits.

    Patterns of your own go through the regex library, and so do small corpora until the scan is compiled.

    >>> flat = count_flat_words("low lower low", TrainConfig(split="words"))
    >>> flat.text, flat.offsets.tolist(), flat.counts.tolist()
    (b'lowlower', [0, 3, 8], [2, 1])
    """
    if config.split not in scan.SPLITS:
        return _flat(count_words(texts, config))
    stream = each_text(texts, config.split)
    first: list[str] = []
    if not compiled.is_ready():
        size = 0
        for text in stream:
            first.append(text)
            size += len(text)
            if size > _SMALL:
                break
        else:
            return _flat(count_words(first, config))
    table = scan.WordTable()
    surrogates = 0
    for text in chain(first, stream):
        normalized = normalize(text, config)
        surrogates += normalized.surrogates
        table.add(normalized.text.encode(), config.split)
    return FlatWords(table.text.tobytes(), table.offsets.copy(), table.counts.copy(), surrogates)


_SMALL = 100_000
"""Characters that the regex library splits in a small part of a second."""


def _flat(counted: WordCounts) -> FlatWords:
    data = [word.encode() for word in counted.words]
    sizes: Sequence[int] = [len(word) for word in data]
    return FlatWords(b"".join(data), np.cumsum([0, *sizes]), np.array(counted.counts, np.int64), counted.surrogates)
