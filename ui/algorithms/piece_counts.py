"""How often a piece of Unigram or SentencePiece occurs in the training text."""

from __future__ import annotations

from collections import Counter

from bpe_core.text.normalization import replace_surrogates
from bpe_core.unigram.marking import marked
from ui.runs.sentencepiece import SentencePiece
from ui.runs.unigram import Unigram


def occurrences(run: Unigram | SentencePiece, piece: str, text: str) -> tuple[int, int]:
    """Occurrences of a piece in the words of a text with ▁ before each, and the number of distinct words with it."""
    text = replace_surrogates(text)[0]
    if isinstance(run, SentencePiece):
        text = run.tokenizer.normalizer.normalize(text).text
    counts = [(marked(word).count(piece), count) for word, count in Counter(text.split()).items()]
    return sum(found * count for found, count in counts), sum(found > 0 for found, _ in counts)
