"""What the Encode page keeps between runs: the tokens of the latest texts, by tokenizer."""

from __future__ import annotations

from functools import lru_cache

from bpe_core import Encoding, Tokenizer
from bpe_core.tokenizer.tokenizer import Special
from ui.shared.cache import LONG


def encoding(tokenizer: Tokenizer, text: str, special: Special, *, few: bool) -> Encoding:
    """The tokens of a text. Raises CorpusError where special tokens are refused.

    `few`: for a tokenizer of a visitor's own file, which is large and kept as long as its texts are.
    """
    return _few(tokenizer, text, special) if few or len(text) > LONG else _many(tokenizer, text, special)


# Python's own cache, not Streamlit's: that one would turn the text into UTF-8 for each look-up.


@lru_cache(maxsize=64)
def _many(tokenizer: Tokenizer, text: str, special: Special) -> Encoding:
    return tokenizer.encode(text, special=special)


@lru_cache(maxsize=6)
def _few(tokenizer: Tokenizer, text: str, special: Special) -> Encoding:
    return tokenizer.encode(text, special=special)
