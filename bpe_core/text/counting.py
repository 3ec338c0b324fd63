"""Counting the distinct words of texts, in first-seen order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from bpe_core import checks
from bpe_core.kernels import backend, scan
from bpe_core.text.batches import in_batches, normalized_batch
from bpe_core.text.files import Text, each_text
from bpe_core.text.split_tables import stand_ins
from bpe_core.text.splits import Split, compile_split, words
from bpe_core.text.word_counts import MOST_PARTS, CountSettings, WordCounts, WordSettings
from bpe_core.text.word_rows import part_places
from bpe_core.work import taking

Item = TypeVar("Item")
Made = TypeVar("Made")

MOST_KEPT = 10_000_000
"""Longest first text, in characters, that a training keeps to show it at any step."""

_PER_BYTE = 30
"""Bytes that counting takes for each byte of a text of short words."""

_SMALL = 100_000
"""Characters that the regex library splits in a fraction of a second."""


class Counted(NamedTuple):
    """Word counts, with the first text.

    first_text  normalized; "" if there are no texts, None if it exceeds MOST_KEPT characters

    >>> from bpe_core import TrainConfig
    >>> count_texts(["Low", "lower"], TrainConfig(lowercase=True)).first_text
    'low'
    """

    counts: WordCounts
    first_text: str | None


def count_words(texts: Text | Iterable[Text], config: CountSettings | None = None, *, part: int = 0) -> WordCounts:
    """Normalize, split and count texts, given as str or as file paths, which are read in blocks.

    Texts are read one at a time, so memory grows with the distinct words only. `config`: a TrainConfig; only its split
    and normalization matter here. `part`: index of these texts as a part of a corpus, 0 to 8,388,607, if other parts
    are counted elsewhere. Merged counts list the words in the order of the parts.

    Raises CorpusError if a text is not a str, if a file cannot be read, or if splitting a text takes too long, and
    ConfigError for a part that does not exist.

    >>> from bpe_core import TrainConfig
    >>> counts = count_words(["low lower low", "low"], TrainConfig(split="words"))
    >>> counts.words, counts.counts.tolist(), counts.places.tolist()
    (('low', 'lower'), [3, 1], [0, 1])
    """
    part = checks.whole_number(part, "part", 0, MOST_PARTS - 1)
    return count_texts(texts, WordSettings.of(config), part=part).counts


def count_texts(
    texts: Text | Iterable[Text], settings: CountSettings, *, part: int = 0, library: bool = False
) -> Counted:
    """Count as `count_words` does; also return the first text. The compiled scan counts the named splits.

    The regex library matches custom patterns, and small corpora until the kernels are ready. `library`: see Split.

    >>> from bpe_core import TrainConfig
    >>> counts = count_texts("low lower low", TrainConfig(split="words")).counts
    >>> counts.text, counts.offsets.tolist(), counts.counts.tolist()
    (b'lowlower', [0, 3, 8], [2, 1])
    """
    if settings.split not in scan.SPLITS:
        return count_plainly(texts, settings, part=part, library=library)
    stream = each_text(texts, settings.split)
    first: list[str] = []
    size = 0
    while not backend.use_compiled(size, _SMALL):
        following = next(stream, None)
        if following is None:
            return count_plainly(first, settings, part=part, library=library)
        first.append(following)
        size += len(following)
    table = scan.WordTable()
    seen = stand_ins() if library else ()
    surrogates = 0
    first_text: str | None = None
    for batch in _one_ahead(partial(normalized_batch, settings=settings), in_batches(chain(first, stream))):
        surrogates += batch.surrogates
        first_text = batch.data[: batch.ends[0]].decode() if first_text is None else first_text
        with taking(_PER_BYTE * len(batch.data)):
            if len(batch.starts) == 1:
                table.add(batch.data, settings.split, seen)
            else:
                table.add_texts(batch.data, batch.starts, batch.ends, settings.split, seen)
    counts = WordCounts(
        table.text.tobytes(),
        table.offsets.copy(),
        table.counts.copy(),
        part_places(part, len(table)),
        WordSettings.of(settings),
        ((part, part),),
        surrogates,
    )
    return Counted(counts, _kept(first_text))


def _one_ahead(work: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
    """Yield `work` of each item in order, computing the next result while the caller uses the last.

    Items are taken in the caller's thread, because the iterator may not be thread-safe.
    """
    with ThreadPoolExecutor(1) as ahead:
        waiting: Future[Made] | None = None
        for item in items:
            following = ahead.submit(work, item)
            if waiting is not None:
                yield waiting.result()
            waiting = following
        if waiting is not None:
            yield waiting.result()


def count_plainly(
    texts: Text | Iterable[Text], settings: CountSettings, *, part: int = 0, library: bool = False
) -> Counted:
    """Count as `count_texts` does, with the regex library and a dict.

    >>> from bpe_core import TrainConfig
    >>> count_plainly(["low lower low", "low"], TrainConfig(split="words")).counts.words
    ('low', 'lower')
    """
    pattern, split = compile_split(settings.split), Split(settings.split, library=True)
    counts: Counter[str] = Counter()  # a dict, in first-seen order
    surrogates = 0
    first_text: str | None = None
    for several in in_batches(each_text(texts, settings.split)):
        batch = normalized_batch(several, settings)
        surrogates += batch.surrogates
        for text in batch.texts():
            first_text = text if first_text is None else first_text
            counts.update((text[start:end] for start, end in split.spans(text)) if library else words(pattern, text))
    data = [word.encode() for word in counts]
    counted = WordCounts(
        b"".join(data),
        np.cumsum([0, *map(len, data)]),
        np.array(list(counts.values()), np.int64),
        part_places(part, len(data)),
        WordSettings.of(settings),
        ((part, part),),
        surrogates,
    )
    return Counted(counted, _kept(first_text))


def _kept(first_text: str | None) -> str | None:
    """Return the first text if it is short enough to keep; "" if there is none."""
    if first_text is None:
        return ""
    return first_text if len(first_text) <= MOST_KEPT else None
