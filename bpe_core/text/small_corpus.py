"""Word counting for trainings in plain Python, which reject large texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bpe_core.errors import CorpusError
from bpe_core.language import message
from bpe_core.text.counting import count_plainly
from bpe_core.text.files import each_text
from bpe_core.text.word_counts import CountSettings, WordCounts

MOST_BYTES = 100 * 1024
"""Limit on the UTF-8 bytes of all texts for WordPiece and Unigram training."""


def count_small(texts: str | Iterable[str], settings: CountSettings, *, most: int = MOST_BYTES) -> WordCounts:
    """Distinct words of small texts and their counts, in first-seen order.

    Raises CorpusError if a text is not a str, if the texts exceed `most` bytes of UTF-8 in total, or if they contain
    no words.

    >>> from bpe_core import TrainConfig
    >>> count_small("low lower low", TrainConfig(split="words"))
    <WordCounts: 2 words that occur 3 times>
    """
    counted = count_plainly(bounded(texts, most), settings).counts
    if not len(counted):
        raise CorpusError(
            message("The corpus holds no words: it is empty, or white space alone."),
            limit=message("Training needs at least one word."),
            remedy=message("Use a text with words in it."),
        )
    return counted


def bounded(texts: str | Iterable[str], most: int) -> Iterator[str]:
    """Yield the texts one by one. Raises CorpusError as soon as they exceed `most` bytes of UTF-8 in total.

    >>> list(bounded(["low", "lower"], 8))
    ['low', 'lower']
    """
    size = 0
    for text in each_text(texts):
        # More characters than bytes allowed: too long without encoding it.
        size += len(text) if len(text) > most else len(text.encode("utf-8", "surrogatepass"))
        if size > most:
            raise CorpusError(
                message("The corpus holds {size:,} bytes or more.", size=size),
                limit=message(
                    "This training takes {most:,} bytes ({kilobytes:,} KB) at most.",
                    most=most,
                    kilobytes=most // 1024,
                ),
                remedy=message("Train on part of it, or train BPE, which takes large texts."),
            )
        yield text
