"""What the Encode page keeps between runs: the tokens of the latest texts, by tokenizer."""

from __future__ import annotations

from bpe_core import Encoding, Tokenizer
from bpe_core.tokenizer.tokenizer import Special
from ui.memory.cache import MEMORY


def encoding(tokenizer: Tokenizer, text: str, special: Special) -> Encoding:
    """The tokens of a text. Raises CorpusError where special tokens are refused."""
    return MEMORY.get(
        ("encoding", tokenizer, text, special), lambda: tokenizer.encode(text, special=special).complete()
    )
