"""Word counting for WordPiece and Unigram training, which keep every character of the distinct words in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bpe_core.errors import CorpusError
from bpe_core.language import message
from bpe_core.text.counting import count_texts
from bpe_core.text.files import each_text
from bpe_core.text.word_counts import CountSettings, WordCounts

MOST_BYTES = 5_000_000
"""Limit on the UTF-8 bytes of all texts for WordPiece and Unigram training."""

MOST_WORD_BYTES = 1_500_000
"""Limit on the UTF-8 bytes of the distinct words, on which time and memory depend."""

PER_BYTE = 250
"""Bytes of memory that a training takes for each of them: measured on one long word, and on short ones."""


def count_small(texts: str | Iterable[str] | WordCounts, settings: CountSettings) -> WordCounts:
    """Distinct words of texts and their counts, in first-seen order; WordCounts of these settings are returned as is.

    Raises CorpusError if a text is not a str, if the texts exceed MOST_BYTES of UTF-8 in total, or the distinct words
    MOST_WORD_BYTES, or if they contain no words; ConfigError for counts of other settings.

    >>> from bpe_core import TrainConfig
    >>> count_small("low lower low", TrainConfig(split="words"))
    <WordCounts: 2 words that occur 3 times>
    """
    if isinstance(texts, WordCounts):
        texts.settings.require(settings)
        counted = texts
    else:
        counted = count_texts(bounded(texts, MOST_BYTES), settings).counts
    if not len(counted):
        raise CorpusError(
            message("The corpus holds no words: it is empty, or white space alone."),
            limit=message("Training needs at least one word."),
            remedy=message("Use a text with words in it."),
        )
    if len(counted.text) > MOST_WORD_BYTES:
        raise CorpusError(
            message("The {words:,} distinct words have {bytes:,} bytes.", words=len(counted), bytes=len(counted.text)),
            limit=message("This training takes {most:,} bytes of distinct words at most.", most=MOST_WORD_BYTES),
            remedy=message("Train on part of it, or train BPE, which takes large texts."),
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
                    "This training takes {most:,} bytes at most.",
                    most=most,
                ),
                remedy=message("Train on part of it, or train BPE, which takes large texts."),
            )
        yield text
