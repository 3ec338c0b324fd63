"""Truncation and padding controls; only the relevant ones are shown."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, message
from ui.session import pipeline as state
from ui.session.limits import LONGEST_ROW
from ui.widgets.controls import menu, segments

_SIDES = {"right": message("End"), "left": message("Beginning")}
_PADDING = {
    "none": message("No padding"),
    "longest": message("To the longest"),
    "length": message("To a length"),
}


def show_lengths() -> None:
    """Draw truncation and padding with the options that apply."""
    _truncation()
    _padding()


def _truncation() -> None:
    st.number_input(
        _("Truncate to"),
        1,
        LONGEST_ROW,
        value=None,
        placeholder=_("off"),
        width=120,
        help=_("The most ids of a text or a pair, special tokens included (`max_length` in the tokenizers library)."),
        **state.MOST.widget(),
    )
    if state.MOST.get() is None:
        return
    segments(_("removing at"), _SIDES, state.TRUNCATED)
    if state.INPUT.get() == "pair":
        st.selectbox(
            _("of a pair"),
            ["longest_first", "only_first", "only_second"],
            width=150,
            help=_("From the longer text until both are equal, or from one of the two only."),
            **state.STRATEGY.widget(),
        )
    st.number_input(
        _("Stride"),
        0,
        LONGEST_ROW - 1,
        width=120,
        help=_("How many tokens each overflowing piece shares with the piece before it."),
        **state.STRIDE.widget(),
    )


def _padding() -> None:
    menu(
        _("Padding"),
        _PADDING,
        state.PADDING,
        width=130,
        help=_(
            "Pad tokens fill shorter texts up; the attention mask is 0 there, so that the model does not read them."
        ),
    )
    if state.PADDING.get() == "none":
        return
    if state.PADDING.get() == "length":
        st.number_input(_("Length"), 1, LONGEST_ROW, width=120, **state.PAD_LENGTH.widget())
    st.number_input(
        _("Multiple of"),
        1,
        LONGEST_ROW,
        width=120,
        help=_("The length is raised to a multiple of this number."),
        **state.PAD_MULTIPLE.widget(),
    )
    segments(_("padding at"), _SIDES, state.PADDED)
    st.text_input(
        _("Pad token"),
        placeholder=_("the vocabulary's"),
        width=150,
        max_chars=100,
        help=_("Without a name: the pad token of the vocabulary, or a new [PAD] where it has none."),
        **state.PAD_TOKEN.widget(),
    )
