"""What a printed lesson has to fill in: the words of a short training text, and its first merges."""

from __future__ import annotations

import streamlit as st

from bpe_core import count_words
from bpe_core.language import _, term, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.tokenizer.chips import plain
from ui.session.places import Place
from ui.session.shared_view import training_of
from ui.views.token_table import token_table_view

_LONGEST_TEXT, _LONGEST_WORD, _MOST_WORDS = 600, 16, 8
"""Maximum characters of a text to count in, characters of its words, and number of distinct ones."""

_MERGES = 4


def show_to_fill(shown: Place) -> None:
    """Draw the text and its tables, which are seen on paper alone; nothing for a long text, or without a training."""
    training = training_of(shown.scene)
    if training is None or len(training.source.text) > _LONGEST_TEXT:
        return
    words = [
        plain(word.encode("utf-8", "replace")) for word in count_words(training.source.text, training.config).words
    ]
    if not 1 < len(words) <= _MOST_WORDS or max(map(len, words)) > _LONGEST_WORD:
        return
    empty = [""] * len(words)
    with st.container(key="to fill"):
        st.text(training.source.text)
        after = [_("After merge {number}", number=number + 1) for number in range(_MERGES - 1)]
        columns = (
            Column(translate(term("typed", "Word")), words),
            *(Column(title, empty) for title in (_("Count"), *after)),
        )
        token_table_view(Table(columns), key="words to count", height=None, label=_("Words to count"), pickable=False)
        blank = [""] * _MERGES
        merges = [str(number + 1) for number in range(_MERGES)]
        titles = (_("Pair"), _("Count"), _("New token"))
        columns = (Column(_("Merge"), merges), *(Column(title, blank) for title in titles))
        token_table_view(Table(columns), key="merges to fill", height=None, label=_("Merges to find"), pickable=False)
