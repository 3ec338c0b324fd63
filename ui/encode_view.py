"""The Encode page: type a text, and see the tokens, how they came about, and the way back."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, Training
from ui import controls, state
from ui.address import keep_address
from ui.encode.card import show_card
from ui.encode.copying import show_copy
from ui.encode.decode import show_decode
from ui.encode.special import find, show_list, show_refused
from ui.encode.subject import Subject, rerun_if_handed_over, shown_step, subject
from ui.encode.tokens import forget_choice, show_tokens
from ui.encode.word import show_word
from ui.messages import problem


def show_encode() -> None:
    """The whole page. The way there and the way back are a fragment each: a key in one does not rerun the other."""
    chosen = _choices(controls.trained())
    _show_encoding(chosen)
    show_decode(chosen)


@st.fragment
def _show_encoding(chosen: Subject) -> None:
    keep_address("encoding")
    rerun_if_handed_over()
    text = controls.text_input("Text to encode", state.ENCODE_TEXT, height=116, on_change=forget_choice)
    try:
        controls.check_length(text)
        controls.check_pieces(chosen.title, chosen.tokenizer, text)
        encoding = chosen.encode(text)
    except BpeError as error:
        if state.ENCODE_SPECIAL.get() == "raise" and find(chosen.tokenizer, text):
            show_refused(chosen, text)
        else:
            problem(error, kept="The text is kept.")
        return
    number = show_tokens(chosen, encoding)
    show_card(chosen, encoding, number)
    show_word(chosen, encoding, number)
    show_copy(encoding)


def _choices(training: Training) -> Subject:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        controls.one_tokenizer(state.ENCODE_WITH)
        if state.ENCODE_WITH.get() == state.TRAINED and training.merges:
            step, last = shown_step(training), len(training.merges)
            names = {"all": f"All {last:,}", "step": f"First {step:,}, as on Train" if step else "None, as on Train"}
            st.segmented_control(
                "Merges", list(names), format_func=names.__getitem__, required=True, **state.ENCODE_MERGES.widget()
            )
        st.space("stretch")
        chosen = subject(training)
        controls.special_mode(state.ENCODE_SPECIAL, ("text", "parse", "raise"))
        show_list(chosen)
    return chosen
