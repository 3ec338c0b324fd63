"""Cache of encodings of recent texts, by tokenizer."""

from __future__ import annotations

from bpe_core import Encoding, Tokenizer
from bpe_core.tokenizer.tokenizer import Special
from ui.memory.cache import MEMORY


def encoding(tokenizer: Tokenizer, text: str, special: Special) -> Encoding:
    """Encode a text, cached. Raises CorpusError if special tokens are refused."""
    return MEMORY.get(
        ("encoding", tokenizer, text, special), lambda: tokenizer.encode(text, special=special).complete()
    )
