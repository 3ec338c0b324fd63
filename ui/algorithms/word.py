"""One word: chosen by typing or from the list, and cut by each algorithm."""

from __future__ import annotations

import streamlit as st

from bpe_core.normalize import replace_surrogates
from ui import cache, state
from ui.algorithms.here import Here
from ui.algorithms.member import TITLES
from ui.algorithms.views import CutRow, cuts_view
from ui.display import counted
from ui.layout import heading, side_by_side
from ui.messages import note
from ui.scene import LONGEST_WORD
from ui.token_view import token_table

LONGEST = 40
"""Characters of a word that is followed."""

_WHY = {
    "bpe": "its merges, in the order of the training",
    "wordpiece": "the longest piece that fits, from the left",
    "unigram": "the way with the lowest sum of scores",
    "bpe model": "the piece with the highest score is merged first",
    "unigram model": "the way with the lowest sum of scores, by its library",
}
_AT = {"end": "at the end", "step": "at this step"}
_FALLBACK = "lower"


def show_word(here: Here) -> str:
    """The card with the word; returns it, "" where there is none to follow."""
    left, right = side_by_side(1, 1, key="family-word")
    with left, st.container(border=True, height="stretch", key="family word card"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            typed = _field(here)
            st.segmented_control(
                "With the vocabularies",
                list(_AT),
                format_func=_AT.__getitem__,
                required=True,
                on_change=state.FAMILY_MOVED.set,
                args=(True,),
                **state.FAMILY_AT.widget(),
            )
        word = _checked(typed)
        if word:
            rows = [
                CutRow(TITLES[name], (cut := member.cut(word, here.step_of(member))).chips, _why(here, name, cut.chips))
                for name, member in here.members.items()
            ]
            cuts_view(rows, key="family cuts", label="The word, cut by each algorithm")
    with right, st.container(border=True, height="stretch", key="family differences"):
        _suggestions(here)
    return word


def _field(here: Here) -> str:
    """The text field; what stands in it."""
    chosen = state.FAMILY_WORD.get()
    if chosen is None:
        words = cache.family_words(here.source, here.asked).words
        first = next(iter(replace_surrogates(here.source.text)[0].split()), _FALLBACK)
        chosen = words[0] if words else first[:LONGEST]
    state.FAMILY_WORD_DRAFT.set(chosen)
    st.text_input(
        "One word",
        key=state.FAMILY_WORD_DRAFT.key,
        on_change=_typed,
        placeholder="Type a word",
        max_chars=LONGEST_WORD,
        width=260,
    )
    return chosen


def _typed() -> None:
    state.FAMILY_WORD.set(state.FAMILY_WORD_DRAFT.get())


def _checked(typed: str) -> str:
    """The first word of what was typed, unless it is too long to follow."""
    words = typed.split()
    if not words:
        note("Type a word, or click one in the list.")
        return ""
    if len(words) > 1:
        note("Only the first word is followed: Encode and Compare take whole texts.")
    if len(words[0]) > LONGEST:
        note(f"This word has {len(words[0]):,} characters. Words of up to {LONGEST} are followed.")
        return ""
    return words[0]


def _why(here: Here, name: str, chips: tuple[object, ...]) -> str:
    rule = _WHY[f"{here.asked.model} model" if name == "sentencepiece" else name]
    return f"{counted(len(chips), 'piece')}: {rule}" if chips else "nothing is left of it"


def _suggestions(here: Here) -> None:
    found = cache.family_words(here.source, here.asked)
    heading("Words that they cut differently", "click one; as cut at the end")
    if not found.words:
        st.caption("In this text all cut alike, or it holds no words of letters.")
        return
    token_table(
        found.table,
        key="family words",
        height=330,
        label="Words that the algorithms cut differently",
        on_pick=lambda row: state.FAMILY_WORD.set(found.words[row]),
    )
