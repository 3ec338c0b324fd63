"""One word: chosen by typing or from the list, and segmented by each algorithm."""

from __future__ import annotations

import streamlit as st

from bpe_core.text.normalization import replace_surrogates
from ui.algorithms import cache
from ui.algorithms.algorithm_run import TITLES
from ui.algorithms.shown_step import ShownStep
from ui.components.token_table import token_table
from ui.components.word_segmentations import SegmentationRow, segmentations_view
from ui.session import state
from ui.session.shared_view import LONGEST_WORD
from ui.shared.display import counted
from ui.shared.layout import heading, side_by_side
from ui.shared.messages import note

LONGEST_FOLLOWED = 40
"""Characters of a word that is followed."""

_WHY = {
    "bpe": "its merges, in the order of the training",
    "wordpiece": "the longest piece that fits, from the left",
    "unigram": "the path with the lowest sum of scores",
    "bpe model": "the piece with the highest score is merged first",
    "unigram model": "the lowest sum of scores, by its library",
}
_AT = {"end": "at the end", "step": "at this step"}
_FALLBACK = "lower"


def show_word(shown: ShownStep) -> str:
    """The card with the word; returns it, "" where there is none to follow."""
    left, right = side_by_side(1, 1, key="algorithms-word")
    with left, st.container(border=True, height="stretch", key="algorithms word card"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            typed = _field(shown)
            st.segmented_control(
                "With the vocabularies",
                list(_AT),
                format_func=_AT.__getitem__,
                required=True,
                on_change=state.ALGORITHMS_MOVED.set,
                args=(True,),
                **state.ALGORITHMS_AT.widget(),
            )
        word = _checked(typed)
        if word:
            rows = [
                SegmentationRow(
                    TITLES[name],
                    (segmentation := run.segment(word, shown.step_of(run))).chips,
                    _why(shown, name, segmentation.chips),
                )
                for name, run in shown.runs.items()
            ]
            segmentations_view(rows, key="algorithms segmentations", label="The word, segmented by each algorithm")
    with right, st.container(border=True, height="stretch", key="algorithms differences"):
        _suggestions(shown)
    return word


def _field(shown: ShownStep) -> str:
    """The text field; returns what is in it."""
    chosen = state.ALGORITHMS_WORD.get()
    if chosen is None:
        words = cache.words_that_differ(shown.source, shown.recipe).words
        first = next(iter(replace_surrogates(shown.source.text)[0].split()), _FALLBACK)
        chosen = words[0] if words else first[:LONGEST_FOLLOWED]
    state.ALGORITHMS_WORD_DRAFT.set(chosen)
    st.text_input(
        "One word",
        key=state.ALGORITHMS_WORD_DRAFT.key,
        on_change=_typed,
        placeholder="Type a word",
        max_chars=LONGEST_WORD,
        width=260,
    )
    return chosen


def _typed() -> None:
    state.ALGORITHMS_WORD.set(state.ALGORITHMS_WORD_DRAFT.get())


def _checked(typed: str) -> str:
    """The first word of what was typed, unless it is too long to follow."""
    words = typed.split()
    if not words:
        note("Type a word, or click one in the list.")
        return ""
    if len(words) > 1:
        note("Only the first word is followed: Encode and Compare take whole texts.")
    if len(words[0]) > LONGEST_FOLLOWED:
        note(f"This word has {len(words[0]):,} characters. Words of up to {LONGEST_FOLLOWED} are followed.")
        return ""
    return words[0]


def _why(shown: ShownStep, name: str, chips: tuple[object, ...]) -> str:
    rule = _WHY[f"{shown.recipe.model} model" if name == "sentencepiece" else name]
    return f"{counted(len(chips), 'piece')}: {rule}" if chips else "nothing is left of it"


def _suggestions(shown: ShownStep) -> None:
    found = cache.words_that_differ(shown.source, shown.recipe)
    heading("Words segmented differently", "click one; at the end")
    if not found.words:
        st.caption("All segment this text alike, or it has no words.")
        return
    token_table(
        found.table,
        key="algorithms words",
        height=330,
        label="Words that the algorithms segment differently",
        on_pick=lambda row: state.ALGORITHMS_WORD.set(found.words[row]),
    )
