"""Card that decodes ids, and explains invalid ones."""

from __future__ import annotations

import contextlib

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import _, n_
from ui.encode import decoding
from ui.encode.chosen import ChosenTokenizer
from ui.encode.copying import written
from ui.encode.tokens import forget_choice, rerun_if_handed_over
from ui.session import encode as state
from ui.views.token_flow import token_view
from ui.widgets import controls
from ui.widgets.address import keep_address
from ui.widgets.fragments import fragment
from ui.widgets.layout import heading

LONGEST_IDS = 200_000
"""Maximum characters of typed ids."""

_LISTED = 100


@fragment
def show_decode(chosen: ChosenTokenizer) -> None:
    """Draw the id field, the decoded text, and all invalid ids and bytes."""
    keep_address("decoding")
    rerun_if_handed_over()
    with st.container(border=True, key="decode"):
        heading(_("Ids to text"), chosen.title)
        typed = controls.text_input(_("Token ids, with commas or spaces between them"), state.DECODE_IDS, height=76)
        if len(typed) > LONGEST_IDS:
            st.text(
                _(
                    "{characters:,} characters of ids; {most:,} are read. Remove some to see their text.",
                    characters=len(typed),
                    most=LONGEST_IDS,
                )
            )
            return
        decoded = decoding.decode(chosen.tokenizer, chosen.called, typed, special=state.DECODE_SPECIAL.get())
        if not decoded.pieces:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(_("Use the ids of the text above"), on_click=_take_ids, args=(chosen,))
                st.caption(_("Their text appears here, and what is wrong with invalid ids."), width="content")
            return
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(decoding.summary(decoded), width="content")
            if any(piece.special for piece in decoded.pieces):
                st.toggle(_("Write special tokens out"), **state.DECODE_SPECIAL.widget())
        long = len(decoded.pieces) > 200 or decoded.data.count(b"\n") > 6
        shown, height = decoding.spans(decoded), 220 if long else None
        token_view(shown, key="decode view", height=height, label=_("The ids as tokens"))
        _show_problems(decoded)
        if decoded.data and not decoded.broken:
            label = _("Encode this text above")
            st.button(label, icon=":material/arrow_upward:", on_click=_hand_up, args=(decoded.text,))


def _take_ids(chosen: ChosenTokenizer) -> None:
    with contextlib.suppress(BpeError):  # a refused text has no ids; the card above shows the error
        state.DECODE_IDS.set(written(chosen.encode(state.TEXT.get()), "ids", chosen.tokenizer))


def _hand_up(text: str) -> None:
    state.TEXT.set(text)
    forget_choice()
    state.HANDED_OVER.set(True)


def _show_problems(decoded: decoding.Decoded) -> None:
    """List every invalid id, and every region of invalid bytes."""
    problems = [(number, number, piece.problem) for number, piece in decoded.bad]
    problems += [(broken.pieces[0], broken.pieces[-1], broken.why) for broken in decoded.broken]
    many = len(problems)
    if not many:
        return
    rest = _("the first {shown} of {problems:,}", shown=_LISTED, problems=many) if many > _LISTED else ""
    heading(_("What is wrong"), rest)
    if decoded.bad:
        st.caption(_("Remove the invalid ids, or choose the tokenizer that made them."))
    with st.container(height=220 if many > 6 else "content", border=False, gap="small", key="decode problems"):
        for first, last, why in problems[:_LISTED]:
            if first == last:
                st.text(_("Id {number:,} of the list: {problem}", number=first + 1, problem=why))
            else:
                words = {"first": first + 1, "last": last + 1, "problem": why}
                st.text(_("Ids {first:,}–{last:,} of the list: {problem}", **words))
        if many > _LISTED:
            more = many - _LISTED
            st.text(n_("{count:,} more is not listed.", "{count:,} more are not listed.", more))
