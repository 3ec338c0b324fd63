"""Texts for the trainings that are written in plain Python: words counted, and larger texts refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bpe_core.config import TrainConfig
from bpe_core.errors import CorpusError
from bpe_core.texts import each_text
from bpe_core.words import WordCounts, count_words

MOST_BYTES = 100 * 1024
"""UTF-8 bytes of all texts together that WordPiece and Unigram train on."""


def count_small(texts: str | Iterable[str], config: TrainConfig, *, most: int = MOST_BYTES) -> WordCounts:
    """The distinct words of small texts and their counts, in first-seen order.

    Raises CorpusError when a text is not a str, when the texts hold more than `most` bytes of UTF-8 together, and
    when they hold no words.

    >>> count_small("low lower low", TrainConfig(split="words"))
    WordCounts(words=('low', 'lower'), counts=(2, 1), surrogates=0)
    """
    counted = count_words(bounded(texts, most), config)
    if not counted.words:
        raise CorpusError(
            "The corpus holds no words: it is empty, or white space alone.",
            limit="Training needs at least one word.",
            remedy="Give a text with words in it.",
        )
    return counted


def bounded(texts: str | Iterable[str], most: int) -> Iterator[str]:
    """The texts one by one; CorpusError as soon as they hold more than `most` bytes of UTF-8 together.

    >>> list(bounded(["low", "lower"], 8))
    ['low', 'lower']
    """
    size = 0
    for text in each_text(texts):
        # A text of more characters than bytes allowed need not be encoded to know.
        size += len(text) if len(text) > most else len(text.encode("utf-8", "surrogatepass"))
        if size > most:
            raise CorpusError(
                f"The corpus holds {size:,} bytes or more.",
                limit=f"This training takes {most:,} bytes ({most // 1024:,} KB) at most.",
                remedy="Train on a part of it, or train BPE, which takes large texts.",
            )
        yield text
