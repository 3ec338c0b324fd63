"""Encoding of the chosen token's word, merge by merge, with the pending candidates."""

from __future__ import annotations

import streamlit as st

from bpe_core import Encoding
from bpe_core.language import _
from ui.encode.chosen import ChosenTokenizer
from ui.encode.sentences import spellings
from ui.views.steps import WordSteps, steps_view
from ui.widgets.layout import heading

LONGEST_WORD = 200
"""Maximum bytes of a word shown merge by merge."""


def show_word(chosen: ChosenTokenizer, encoding: Encoding, number: int | None) -> None:
    """Draw the card with every step of the word of the chosen token, by default the first."""
    with st.container(border=True, key="word"):
        if not len(encoding):
            heading(_("Its word, step by step"))
            return
        token = encoding[number or 0]
        if token.word < 0:
            heading(_("Its word, step by step"), _("a special token is matched before the text is split into words"))
            return
        if "merges" not in chosen.tokenizer.model.views:
            heading(_("Its word, step by step"), _("no merges: its pieces are looked up; see the Algorithms page"))
            return
        word = word_around(encoding, token.word)
        size = len(word.encode())
        if size > LONGEST_WORD:
            heading(_("Its word, step by step"), _("only for words of up to {most} bytes", most=LONGEST_WORD))
            st.caption(
                _(
                    "This word has {bytes:,} bytes: the split does not divide it. Choose a token of a shorter word.",
                    bytes=size,
                )
            )
            return
        heading(
            _("Word {number:,}, step by step", number=token.word + 1),
            _("between two tokens the rank of their merge; the lowest (filled) goes first, the others wait")
            if not chosen.counts_merges
            else _("between two tokens the number of their merge; the lowest (filled) goes first, the others wait"),
        )
        steps = WordSteps.of(chosen.tokenizer, word)
        steps_view(
            steps,
            key="word steps",
            first=int(chosen.counts_merges),
            label=_("The word, merge by merge"),
        )
        if said := spellings(chosen.tokenizer, word.encode()):
            st.caption(said)


def word_around(encoding: Encoding, word: int) -> str:
    """The text of the word of this index.

    >>> from bpe_core import load_pretrained
    >>> word_around(load_pretrained("gpt2").encode("Hello world"), 1)
    ' world'
    """
    inside = (encoding.word_ids == word).nonzero()[0]
    return encoding.text[int(encoding.char_starts[inside[0]]) : int(encoding.char_ends[inside[-1]])]
