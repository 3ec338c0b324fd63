"""The same token, place or text on another page; the caller switches to it."""

from __future__ import annotations

from ui.session import compare, encode, training, vocabulary

LONGEST_START = 2_000
"""Maximum characters of a training text opened on Pipeline."""


def show_in_vocabulary(tokenizer: str, token_id: int) -> None:
    """Open a token on Vocabulary."""
    vocabulary.VOCABULARY_OF.set(tokenizer)
    vocabulary.TOKEN.set(token_id)


def show_on_encode(tokenizer: str, text: str, byte: int) -> None:
    """Choose the token at a byte of a text on Encode."""
    encode.WITH.set(tokenizer)
    encode.TEXT.set(text)
    encode.CHOSEN.set(0)
    encode.CHOSEN_AT.set((0, byte))
    encode.BOUNDARY.set(None)
    encode.LANES_AT.set(0)


def show_on_compare(tokenizer: str, text: str, byte: int) -> None:
    """On Compare, choose the first disagreement at or after a byte of a text, between a tokenizer and another one."""
    compare.TEXT.set(text)
    compare.AT.set(byte)
    if tokenizer not in compare.WITH.get():
        compare.WITH.set([tokenizer, *compare.WITH.get()])
    if compare.RIGHT.get() == tokenizer:
        compare.RIGHT.set(compare.LEFT.get())
    compare.LEFT.set(tokenizer)


def training_text(longest: int) -> str:
    """The training text, or its start."""
    return training.source().text[:longest]
