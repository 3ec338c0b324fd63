"""One step of a training: the player and the cards below it, in two fragments: what is in sight, and the rest."""

from __future__ import annotations

import streamlit as st

from ui import state
from ui.address import keep_address
from ui.layout import heading
from ui.train.candidates import candidates_table, show_candidates
from ui.train.changes import changes_table, show_changes
from ui.train.curves import curves_fit, mark_step
from ui.train.fork import show_fork
from ui.train.here import Here, here_now
from ui.train.player import player, rerun_after_jump
from ui.train.reasons import story_of, why_it_stopped
from ui.train.table import show_table
from ui.train.text import show_text, shown_text
from ui.train.views import Sentence, follow, story


@st.fragment
def show_steps() -> None:
    """The player and what a step shows first. A fragment: a step does not rerun the page."""
    here = here_now()
    if not curves_fit(here):
        st.rerun()
    if not here.last:
        _show_nothing_to_merge(here)
        return
    # all is worked out before anything is drawn: it then reaches the browser together, which paints it once
    sentences = story_of(here, hide_losers=state.PREDICTING.get())
    text, candidates = shown_text(here), candidates_table(here)
    player(here.step, here.last)
    show_fork(here)
    _show_story(here, sentences)
    with st.container(horizontal=True, key="text-and-next"):
        show_text(text)
        show_candidates(here, candidates)


@st.fragment
def show_details() -> None:
    """What stands below: the merge table, the changes, the marks on the curves. It follows a moment later."""
    rerun_after_jump()
    here = here_now()
    if not here.last:
        return
    changes = changes_table(here)
    follow(here.step, key="follower")
    with st.container(horizontal=True, key="table-and-changes"):
        show_table(here)
        show_changes(here, changes)
    mark_step(here)
    keep_address("steps")


def _show_story(here: Here, sentences: list[Sentence]) -> None:
    merge = here.training.merges[here.step - 1] if here.step else None
    chips = (*here.pair(merge.left, merge.right), here.chip(merge.token_id)) if merge else None
    story(chips, sentences, key="story", label="This step")


def _show_nothing_to_merge(here: Here) -> None:
    """A text of no pair: nothing happens, and the page says why."""
    with st.container(border=True, key="nothing"):
        heading("Nothing to merge", f"the vocabulary stays at {here.training.vocab_size:,} ids")
        st.text(_why_nothing(here))
    show_text(shown_text(here))


def _why_nothing(here: Here) -> str:
    reason = here.training.stop_reason
    if reason == "vocabulary full":
        return f"From the start {why_it_stopped(here)} Ask for a larger vocabulary in the settings."
    if reason == "below min_count":
        return (
            f"Every pair stands fewer than {here.config.min_count:,} times. Lower the least count in the settings, "
            "or choose a longer text."
        )
    if not state.source().text:
        return "The text is empty. Choose a sample, paste a text or open a file."
    if not here.training.token_count(0):
        return (
            "The split leaves no words: it drops everything this text consists of. Choose another split in the "
            "settings, or another text."
        )
    return (
        "No word of this text has two symbols next to each other, so there is no pair to count. Choose a longer "
        "text, or a split that leaves longer words."
    )
