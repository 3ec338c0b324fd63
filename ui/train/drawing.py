"""The words of a split as spans. Pure data."""

from __future__ import annotations

import numpy as np

from bpe_core import Tokenizer
from bpe_core.bpe.base_words import words_of_base
from bpe_core.bpe.growth import GrownVocabulary
from bpe_core.payloads.spans import TokenSpans
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.splits import compile_split
from bpe_core.text.splits import spans as split_spans
from bpe_core.text.utf8 import utf8_lengths


def base_word_spans(text: str, base: Tokenizer) -> TokenSpans:
    """The words that new merges of a tokenizer do not cross as spans, numbered in order. Raises as `train` does."""
    grown = GrownVocabulary(base)
    corpus, first, _ = words_of_base(grown, text)
    places, sizes = first.places, np.append(0, np.cumsum(grown.sizes[corpus.ids]))
    ends = places.starts + np.diff(sizes[corpus.offsets])[places.words]
    return TokenSpans.of(places.text, np.arange(len(ends)), places.starts, ends)


def word_spans(text: str, split: str) -> TokenSpans:
    """The words of a split as spans, numbered in order."""
    safe = replace_surrogates(text)[0]
    edges = np.array(list(split_spans(compile_split(split), safe)), np.int64).reshape(-1, 2)
    byte_at = np.concatenate(([0], np.cumsum(utf8_lengths(safe))))
    return TokenSpans.of(safe, np.arange(len(edges)), byte_at[edges[:, 0]], byte_at[edges[:, 1]])
