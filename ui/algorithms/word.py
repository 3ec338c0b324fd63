"""One word, chosen in the sentence or from the list, segmented by each algorithm."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _
from ui.algorithms import cache
from ui.algorithms.shown_step import ShownStep
from ui.runs.of_step import segmentation_row
from ui.runs.why import WhyPart, why_cards
from ui.session import algorithms as state
from ui.views.component import View
from ui.views.token_table import token_table_view
from ui.views.word_segmentations import segmentations_view
from ui.widgets.layout import heading, side_by_side
from ui.widgets.messages import note


def show_word(shown: ShownStep, word: str) -> None:
    """Draw a word of the sentence in each algorithm's pieces, next to a list of words they segment differently."""
    left, right = side_by_side(1, 1, key="algorithms-word")
    with left, st.container(border=True, height="stretch", key="algorithms word card"):
        if word:
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                st.markdown("## " + _("The word"), width="content")
                st.text(word, width="content")
            rows = [segmentation_row(name, run, word, shown.step_of(run)) for name, run in shown.runs.items()]
            segmentations_view(rows, key="algorithms segmentations", label=_("The word, segmented by each algorithm"))
    with right, st.container(border=True, height="stretch", key="algorithms differences"):
        _suggestions(shown)


def _suggestions(shown: ShownStep) -> None:
    found = cache.words_that_differ(shown.source, shown.recipe)
    heading(_("Words segmented differently"), _("click one; at the end"))
    if len(shown.runs) == 1:
        st.caption(_("Choose a second algorithm, and the words in which they differ are listed."))
        return
    if not found.words:
        st.caption(_("All segment this text in the same way, or it has no words."))
        return
    token_table_view(
        found.table,
        key="algorithms words",
        height=240,
        label=_("Words that the algorithms segment differently"),
        on_pick=lambda row: follow(found.words[row]),
    )


def follow(word: str) -> None:
    """Follow a word of the list: within the typed sentence if it contains the word, otherwise alone."""
    if word not in (state.SENTENCE.get() or ""):
        state.SENTENCE.set(None)
    state.WORD.set(word)


def show_reasons(shown: ShownStep, word: str) -> None:
    """Draw a card for each algorithm that could be trained."""
    cards = why_cards([(run, shown.step_of(run)) for run in shown.runs.values()], word)
    for at in range(0, len(cards), 2):
        for column, card in zip(side_by_side(1, 1, key=f"algorithms-why-{at}"), cards[at : at + 2], strict=False):
            with column, st.container(border=True, height="stretch", key=card.key):
                heading(card.title, card.rest)
                for part in card.parts:
                    _show(part)


def _show(part: WhyPart) -> None:
    if isinstance(part.content, bytes):
        View(part.view)(key=part.key, data=part.content)
    elif part.view == "note":
        note(part.content)
    else:
        st.caption(part.content)
