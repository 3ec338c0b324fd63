"""How the word of the chosen token is encoded: the merges step by step, and those that have to wait."""

from __future__ import annotations

import streamlit as st

from bpe_core import Encoding
from ui.components.steps import WordSteps, steps_view
from ui.encode.chosen import ChosenTokenizer
from ui.shared.layout import heading

LONGEST_WORD = 200
"""Bytes of a word that is followed merge by merge."""


def show_word(chosen: ChosenTokenizer, encoding: Encoding, number: int | None) -> None:
    """The card with every step of the word that the chosen token (or the first one) belongs to."""
    with st.container(border=True, key="word"):
        if not len(encoding):
            heading("Its word, step by step")
            return
        token = encoding[number or 0]
        if token.word < 0:
            heading("Its word, step by step", "a special token is matched before the text is split into words")
            return
        if "merges" not in chosen.tokenizer.model.views:
            heading("Its word, step by step", "no merges: its pieces are looked up; see the Algorithms page")
            return
        word = word_around(encoding, token.word)
        size = len(word.encode())
        if size > LONGEST_WORD:
            heading("Its word, step by step", f"only for words of up to {LONGEST_WORD} bytes")
            st.caption(f"This word has {size:,} bytes: the split does not divide it. Choose a token of a shorter word.")
            return
        ranks = "rank" if chosen.training is None else "number"
        heading(
            f"Word {token.word + 1:,}, step by step",
            f"between two tokens the {ranks} of their merge; the lowest (filled) goes first, the others wait",
        )
        steps = WordSteps.of(chosen.tokenizer, word)
        steps_view(
            steps,
            key="word steps",
            first=0 if chosen.training is None else 1,
            label="The word, merge by merge",
        )


def word_around(encoding: Encoding, word: int) -> str:
    """The text of a word by its number.

    >>> from bpe_core import load_pretrained
    >>> word_around(load_pretrained("gpt2").encode("Hello world"), 1)
    ' world'
    """
    inside = (encoding.word_ids == word).nonzero()[0]
    return encoding.text[int(encoding.char_starts[inside[0]]) : int(encoding.char_ends[inside[-1]])]
