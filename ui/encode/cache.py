"""Caches of encodings of recent texts and of their other segmentations, by tokenizer."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import (
    ConfigError,
    Encoding,
    FewestTokens,
    LikelySegmentation,
    SampledSegmentation,
    Tokenizer,
    compare_fewest,
    encode_sampled,
    likely_segmentations,
    sampled_segmentations,
    segmentation_entropy,
)
from bpe_core.tokenizer.changed_text import encode_changed
from bpe_core.tokenizer.tokenizer import Special
from ui.memory.cache import MEMORY

DRAWS = 1_000
"""Draws of the segmentations of one word."""

MOST_LISTED = 12
"""Maximum number of listed segmentations of one word."""


def encoding(tokenizer: Tokenizer, text: str, special: Special) -> Encoding:
    """Encode a text, cached. Raises CorpusError if special tokens are refused."""
    key = ("encoding", tokenizer, text, special)
    return MEMORY.get(key, lambda: tokenizer.encode(text, special=special).complete())


def changed_encoding(tokenizer: Tokenizer, text: str, special: Special, before: str) -> Encoding | None:
    """The same, updated from the cached encoding before an edit; None if neither is cached or no update is possible.

    Raises CorpusError as `encoding`.
    """
    key = ("encoding", tokenizer, text, special)
    found: Encoding | None = MEMORY.peek(key)
    known = MEMORY.peek(("encoding", tokenizer, before, special)) if found is None else None
    changed = encode_changed(tokenizer, text, known, special=special) if known is not None else None
    return found if changed is None else MEMORY.get(key, changed.complete)


def sampled(tokenizer: Tokenizer, text: str, special: Special, dropout: float, theta: float, seed: int) -> Encoding:
    """A text in segmentations drawn at random, cached. Raises as `encode_sampled`."""
    return MEMORY.get(
        ("sampled encoding", tokenizer, text, special, dropout, theta, seed),
        lambda: encode_sampled(tokenizer, text, dropout=dropout, theta=theta, seed=seed, special=special).complete(),
    )


class WordSegmentations(NamedTuple):
    """The likeliest segmentations of a word and the entropy, if probabilities are known, and those of DRAWS draws.

    `plain`: that of a BPE model without dropout.
    """

    plain: tuple[int, ...]
    likely: tuple[LikelySegmentation, ...]
    entropy: float | None
    drawn: tuple[SampledSegmentation, ...]

    @property
    def different(self) -> int:
        """Number of segmentations among the draws."""
        return len(self.drawn)


def word_segmentations(tokenizer: Tokenizer, word: str, dropout: float, theta: float, seed: int) -> WordSegmentations:
    """Segmentations of a word of an encoding's text, cached. Raises as `sampled_segmentations`."""
    return MEMORY.get(
        ("word segmentations", tokenizer, word, dropout, theta, seed),
        lambda: _word_segmentations(tokenizer, word, dropout, theta, seed),
    )


def _word_segmentations(tokenizer: Tokenizer, word: str, dropout: float, theta: float, seed: int) -> WordSegmentations:
    drawn = sampled_segmentations(
        tokenizer, word, draws=DRAWS, dropout=dropout, theta=theta, seed=seed, normalized=True
    )
    plain = sampled_segmentations(tokenizer, word, draws=1, dropout=0.0, normalized=True)[0].ids
    try:
        likely = likely_segmentations(tokenizer, word, MOST_LISTED, dropout=dropout, theta=theta, normalized=True)
        entropy = segmentation_entropy(tokenizer, word, dropout=dropout, theta=theta, normalized=True)
    except ConfigError:  # a word with too many states
        return WordSegmentations(plain, (), None, tuple(drawn))
    return WordSegmentations(plain, tuple(likely), entropy, tuple(drawn))


def fewest(tokenizer: Tokenizer, text: str, special: Special) -> FewestTokens:
    """A text by the tokenizer's rule and in the fewest tokens, cached. Raises as `compare_fewest` does."""
    return MEMORY.get(
        ("fewest tokens", tokenizer, text, special), lambda: compare_fewest(tokenizer, text, special=special)
    )
