"""Counting the distinct words of texts, in the order in which they are first seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import ReadOnlyArrays
from bpe_core.kernels import backend, scan
from bpe_core.text.batches import in_batches, normalized_batch
from bpe_core.text.files import Text, each_text
from bpe_core.text.normalizers import NormalizationSettings
from bpe_core.text.splits import compile_split, words


class CountSettings(NormalizationSettings, Protocol):
    """The settings that counting words needs: how texts are normalized and split. A `TrainConfig` has them.

    >>> from bpe_core import TrainConfig
    >>> settings: CountSettings = TrainConfig(split="words")
    >>> settings.split
    'words'
    """

    @property
    def split(self) -> str:
        """The name of a split, or a regular expression; see `compile_split`."""


@dataclass(frozen=True)
class WordCounts:
    """The distinct words of a corpus in first-seen order, and how often each occurs.

    words       the words
    counts      how often each occurs, at least 1
    surrogates  how many lone surrogates of the texts were replaced by U+FFFD
    first_text  see FlatWords

    >>> from bpe_core import TrainConfig
    >>> counted = count_words(["low lower", "low"], TrainConfig(split="words"))
    >>> counted.words, counted.counts, counted.first_text
    (('low', 'lower'), (2, 1), 'low lower')
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    surrogates: int = 0
    first_text: str | None = field(default="", repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class FlatWords(ReadOnlyArrays):
    """What WordCounts holds, as flat, read-only arrays.

    text        the UTF-8 of all words, one after another; word w is text[offsets[w]:offsets[w + 1]]
    offsets     int64[words + 1]: byte offsets into `text`
    counts      int64[words]: how often each word occurs
    surrogates  how many lone surrogates of the texts were replaced by U+FFFD
    first_text  the first text, normalized; "" if there are no texts, None if it exceeds MOST_KEPT characters

    >>> from bpe_core import TrainConfig
    >>> count_flat_words("low lower low", TrainConfig(split="words")).text
    b'lowlower'
    """

    text: bytes
    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    surrogates: int = 0
    first_text: str | None = ""


def count_words(texts: Text | Iterable[Text], settings: CountSettings) -> WordCounts:
    """Normalize, split and count. Texts are read one at a time, so memory grows with the distinct words only.

    Raises CorpusError if a text is not a str, if a file cannot be read, or if splitting a text takes too long.

    >>> from bpe_core import TrainConfig
    >>> count_words(["low lower low", "low"], TrainConfig(split="words"))
    WordCounts(words=('low', 'lower'), counts=(3, 1), surrogates=0)
    """
    pattern = compile_split(settings.split)
    counts: Counter[str] = Counter()  # a dict, in first-seen order
    surrogates = 0
    first_text: str | None = None
    for several in in_batches(each_text(texts, settings.split)):
        batch = normalized_batch(several, settings)
        surrogates += batch.surrogates
        for text in batch.texts():
            first_text = text if first_text is None else first_text
            counts.update(words(pattern, text))
    return WordCounts(tuple(counts), tuple(counts.values()), surrogates, _kept(first_text))


def count_flat_words(texts: Text | Iterable[Text], settings: CountSettings) -> FlatWords:
    """What `count_words` counts, as flat arrays; the named splits are counted by the compiled scan.

    Custom patterns are matched by the regex library, and so are small corpora until the kernels are ready. Raises the
    same errors as `count_words`.

    >>> from bpe_core import TrainConfig
    >>> flat = count_flat_words("low lower low", TrainConfig(split="words"))
    >>> flat.text, flat.offsets.tolist(), flat.counts.tolist()
    (b'lowlower', [0, 3, 8], [2, 1])
    """
    if settings.split not in scan.SPLITS:
        return _flat(count_words(texts, settings))
    stream = each_text(texts, settings.split)
    first: list[str] = []
    size = 0
    while not backend.use_compiled(size, _SMALL):
        following = next(stream, None)
        if following is None:
            return _flat(count_words(first, settings))
        first.append(following)
        size += len(following)
    table = scan.WordTable()
    surrogates = 0
    first_text: str | None = None
    for several in in_batches(chain(first, stream)):
        batch = normalized_batch(several, settings)
        surrogates += batch.surrogates
        first_text = batch.data[: batch.ends[0]].decode() if first_text is None else first_text
        if len(several) == 1:
            table.add(batch.data, settings.split)
        else:
            table.add_texts(batch.data, batch.starts, batch.ends, settings.split)
    return FlatWords(table.text.tobytes(), table.offsets.copy(), table.counts.copy(), surrogates, _kept(first_text))


MOST_KEPT = 10_000_000
"""The longest first text, in characters, that a training keeps in order to show it at any step."""

_SMALL = 100_000
"""Characters that the regex library splits in a fraction of a second."""


def _kept(first_text: str | None) -> str | None:
    """The first text if it is short enough to keep; "" if there is none."""
    if first_text is None:
        return ""
    return first_text if len(first_text) <= MOST_KEPT else None


def _flat(counted: WordCounts) -> FlatWords:
    data = [word.encode() for word in counted.words]
    sizes: Sequence[int] = [len(word) for word in data]
    return FlatWords(
        b"".join(data),
        np.cumsum([0, *sizes]),
        np.array(counted.counts, np.int64),
        counted.surrogates,
        counted.first_text,
    )
