"""WordPiece and Unigram tokenizers, trained on the text of the Train page."""

from __future__ import annotations

from bpe_core import Tokenizer, train_unigram, train_wordpiece
from bpe_core.text.small_corpus import MOST_BYTES
from ui.session.state import Source

_SIZE = 400
"""Pieces longer than a character that a vocabulary may hold."""


def trained_otherwise(name: str, source: Source) -> Tokenizer | None:
    """The "wordpiece" or the "unigram" tokenizer of a text, of its first 100 KB; None for another name.

    Raises CorpusError for a text without words, or one that is too repetitive.
    """
    if name not in ("wordpiece", "unigram"):
        return None
    text = source.text.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore")
    characters = len(set(text)) + 1
    if name == "wordpiece":
        return train_wordpiece(text, 2 * characters + _SIZE + 5).tokenizer()  # each character, with and without ##
    return train_unigram(text, characters + _SIZE, seed_size=characters + 4 * _SIZE).tokenizer()
