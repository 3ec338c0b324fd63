"""The card that turns ids back into text, and explains the invalid ones."""

from __future__ import annotations

import contextlib

import streamlit as st

from bpe_core import BpeError
from ui.components.token_flow import token_view
from ui.encode import decoding
from ui.encode.chosen import ChosenTokenizer
from ui.encode.copying import written
from ui.encode.tokens import forget_choice, rerun_if_handed_over
from ui.session import state
from ui.shared import controls
from ui.shared.address import keep_address
from ui.shared.layout import heading

LONGEST_IDS = 200_000
"""Characters of typed ids that are read."""

_LISTED = 100


@st.fragment
def show_decode(chosen: ChosenTokenizer) -> None:
    """The field for ids, the text they give, and every id and byte that gives none."""
    keep_address("decoding")
    rerun_if_handed_over()
    with st.container(border=True, key="decode"):
        heading("Ids to text", chosen.title)
        typed = controls.text_input("Token ids, with commas or spaces between them", state.DECODE_IDS, height=76)
        if len(typed) > LONGEST_IDS:
            st.text(f"{len(typed):,} characters of ids; {LONGEST_IDS:,} are read. Remove some to see their text.")
            return
        decoded = decoding.decode(chosen.tokenizer, chosen.called, typed, special=state.DECODE_SPECIAL.get())
        if not decoded.pieces:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button("Use the ids of the text above", on_click=_take_ids, args=(chosen,))
                st.caption("Their text appears here, and what is wrong with invalid ids.", width="content")
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(decoding.summary(decoded), width="content")
            if any(piece.special for piece in decoded.pieces):
                st.toggle("Write special tokens out", **state.DECODE_SPECIAL.widget())
        long = len(decoded.pieces) > 200 or decoded.data.count(b"\n") > 6
        token_view(decoding.spans(decoded), key="decode view", height=220 if long else None, label="The ids as tokens")
        _show_problems(decoded)
        if decoded.data and not decoded.broken:
            st.button("Encode this text above", icon=":material/arrow_upward:", on_click=_hand_up, args=(decoded.text,))


def _take_ids(chosen: ChosenTokenizer) -> None:
    with contextlib.suppress(BpeError):  # a refused text has no ids; the page says so above
        state.DECODE_IDS.set(written(chosen.encode(state.ENCODE_TEXT.get()), "ids"))


def _hand_up(text: str) -> None:
    state.ENCODE_TEXT.set(text)
    forget_choice()
    state.ENCODE_HANDED_OVER.set(True)


def _show_problems(decoded: decoding.Decoded) -> None:
    """A line for each invalid id, and for each region of bytes that is no character."""
    lines = [f"Id {number + 1:,} of the list: {piece.problem}" for number, piece in decoded.bad]
    for broken in decoded.broken:
        which = "–".join(f"{number + 1:,}" for number in dict.fromkeys((broken.pieces[0], broken.pieces[-1])))
        lines.append(f"Id{'s' if '–' in which else ''} {which} of the list: {broken.why}")
    if not lines:
        return
    heading("What is wrong", f"the first {_LISTED} of {len(lines):,}" if len(lines) > _LISTED else "")
    with st.container(height=220 if len(lines) > 6 else "content", border=False, gap="small", key="decode problems"):
        for line in lines[:_LISTED]:
            st.text(line)
