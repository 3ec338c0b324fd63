"""The text in tokens, with the words of a dictionary below, line by line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from bpe_core import Encoding
from bpe_core.comparison.boundaries import SegmentedText
from bpe_core.comparison.word_boundaries import word_agreement
from bpe_core.language import _, translate
from bpe_core.tokenizer.lanes import lane, words_lane
from ui.encode.chosen import ChosenTokenizer
from ui.session.word_sources import ON_ENCODE
from ui.views.interlinear import interlinear_view
from ui.widgets.dictionary_words import agreement_sentence, caption, found_words, show_source


def show_words(chosen: ChosenTokenizer, encoding: Encoding, choose: Callable[[int], None]) -> None:
    """Draw the original text in both rows; a click on a token chooses it."""
    text = encoding.normalized.original
    words = found_words(text, ON_ENCODE.get(), key="words of encoding")
    segmentation = SegmentedText(chosen.title, chosen.tokenizer, encoding)
    tokens = lane(translate(chosen.title), encoding, (segmentation.starts, segmentation.ends))
    interlinear_view(
        text,
        [tokens, words_lane(_("Dictionary words"), words)] if words else [tokens],
        key="encode words",
        height=420,
        label=_("The text in tokens and in words by a dictionary"),
        on_pick=lambda row, number: None if row else choose(number),
    )
    if words is not None:
        st.text(agreement_sentence(word_agreement(np.flatnonzero(segmentation.is_boundary), words)))
    show_source(ON_ENCODE)
    st.caption(caption(text, ON_ENCODE.get()))
