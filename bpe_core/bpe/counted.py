"""Words that a BPE training learns from, and the first of its texts."""

from __future__ import annotations

from collections.abc import Iterable

from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.word_places import FirstText
from bpe_core.errors import CorpusError
from bpe_core.language import message
from bpe_core.text.counting import count_texts
from bpe_core.text.files import Text
from bpe_core.text.splits import Split
from bpe_core.text.word_counts import WordCounts

MOST_SYMBOLS = (1 << 31) - 2
"""Limit on the bytes of distinct words, plus two per word: indices have 32 bits."""


def words_and_text(
    texts: Text | Iterable[Text] | WordCounts, config: TrainConfig, *, library: bool = False
) -> tuple[WordCounts, FirstText]:
    """Words to train on, and the first text. `library`: as of Split; word counts are taken as they are.

    Raises ConfigError for counts of other settings or too many words.

    >>> from bpe_core import TrainConfig
    >>> counts, text = words_and_text("low lower low", TrainConfig(split="words"))
    >>> counts.words, text.text
    (('low', 'lower'), 'low lower low')
    """
    split = Split(config.split, library=library)
    if not isinstance(texts, WordCounts):
        found = count_texts(texts, config, library=library)
        return found.counts, FirstText(found.first_text, split)
    texts.settings.require(config)
    symbols = len(texts.text) + 2 * len(texts)
    if symbols > MOST_SYMBOLS:
        raise CorpusError(
            message(
                "The {words:,} distinct words have {bytes:,} bytes.",
                words=len(texts),
                bytes=len(texts.text),
            ),
            limit=message(
                "The most that merges are learned from is {most:,}, each word with two more.", most=MOST_SYMBOLS
            ),
            remedy=message("Leave out rare words first, with without_rare or --min-word-count."),
        )
    return texts, FirstText(None, split, counted=True)
