"""One step of a training on the page: the player, and the cards that follow it."""

from __future__ import annotations

import os
from threading import BoundedSemaphore

import streamlit as st

from ui.components.player import player
from ui.components.story import Sentence, story
from ui.components.token_flow import token_view
from ui.components.tokens import Chip
from ui.session import state
from ui.shared.address import keep_address
from ui.shared.layout import heading
from ui.train.candidates import show_candidates
from ui.train.changes import show_changes
from ui.train.curves import mark_step
from ui.train.fork import show_fork
from ui.train.reasons import story_of, why_it_stopped
from ui.train.step import COURSE, ShownText, Step, training_text
from ui.train.table import show_table
from ui.train.unseen import edit_unseen, unseen_text

_HEIGHT = 374
_FEW_AT_ONCE = BoundedSemaphore(os.cpu_count() or 1)
"""Of a class that steps at once, as many are drawn at the same time as there are cores: the first are done sooner, and
the last no later."""
_NAMES = {"training": "Training text", "unseen": "Unseen text"}


@st.fragment
def show_steps(drawn: Step) -> None:
    """The player and all that follows it. A fragment: a step does not rerun the page.

    What is in sight is sent first and is painted while the rest is still computed; the text first of all.
    """
    with _FEW_AT_ONCE:
        step = drawn.now()
        if not step.fits(drawn):
            st.rerun()
        if step.last:
            _show_step(step)
        else:
            _show_nothing_to_merge(step)
        keep_address("steps")


def _show_step(step: Step) -> None:
    COURSE.settle(step.number, step.last)
    above, row = st.container(), st.container(horizontal=True, key="text-and-next")
    with row:
        _show_text(_shown_text(step))
    with above:
        _show_player(step)
        show_fork(step)
        _show_story(step)
    with row:
        show_candidates(step)
    with st.container(horizontal=True, key="table-and-changes"):
        show_table(step)
        show_changes(step)
    mark_step(step)


def _show_player(step: Step) -> None:
    player(
        step.number,
        step.last,
        key="player",
        playing=state.PLAYING.get(),
        speed=state.SPEED.get(),
        speeds=state.SPEEDS,
        predicting=state.PREDICTING.get(),
        on_move=COURSE.move,
        on_play=lambda playing: COURSE.play(playing, step.last),
        on_speed=state.SPEED.set,
        on_predict=_predict,
    )


def _predict(predicting: bool) -> None:
    state.PLAYING.set(False)
    state.PREDICTING.set(predicting)


def _shown_text(step: Step) -> ShownText:
    """The text that the visitor chose to see."""
    return unseen_text(step) if state.SHOWN_TEXT.get() == "unseen" else training_text(step)


def _show_text(shown: ShownText) -> None:
    """The card with a text in the tokens of this step."""
    with st.container(border=True, height="stretch", key="text"):
        with st.container(horizontal=True, vertical_alignment="center", key="text choice"):
            if state.SHOWN_TEXT.get() == "unseen":
                edit_unseen()
            st.segmented_control(
                "Text to show",
                list(_NAMES),
                format_func=_NAMES.__getitem__,
                required=True,
                label_visibility="collapsed",
                **state.SHOWN_TEXT.widget(),
            )
        token_view(
            shown.spans,
            key=shown.key,
            height=_HEIGHT,
            fresh=shown.fresh,
            label=shown.label,
            captions=shown.captions,
        )


def _show_story(step: Step) -> None:
    hide = state.PREDICTING.get()
    chips, sentences = step.once(f"story {hide}", lambda: _story(step, hide_losers=hide))
    story(chips, sentences, key="story", label="This step")


def _story(step: Step, *, hide_losers: bool) -> tuple[tuple[Chip, Chip, Chip] | None, list[Sentence]]:
    merge = step.training.merges[step.number - 1] if step.number else None
    chips = (*step.pair(merge.left, merge.right), step.chip(merge.token_id)) if merge else None
    return chips, story_of(step, hide_losers=hide_losers)


def _show_nothing_to_merge(step: Step) -> None:
    """A text without pairs: nothing to merge, and the page says why."""
    with st.container(border=True, key="nothing"):
        heading("Nothing to merge", f"the vocabulary stays at {step.training.vocab_size:,} ids")
        st.text(_why_nothing(step))
    _show_text(_shown_text(step))


def _why_nothing(step: Step) -> str:
    reason = step.training.stop_reason
    if reason == "vocabulary full":
        return f"From the start {why_it_stopped(step)} Ask for a larger vocabulary in the settings."
    if reason == "below min_count":
        return (
            f"Every pair occurs fewer than {step.config.min_count:,} times. Lower the minimum count in the settings, "
            "or choose a longer text."
        )
    if not state.source().text:
        return "The text is empty. Choose a sample, paste a text or open a file."
    if not step.training.token_count(0):
        return (
            "The split leaves no words: it drops everything this text consists of. Choose another split in the "
            "settings, or another text."
        )
    return (
        "No word of this text has two symbols next to each other, so there is no pair to count. Choose a longer "
        "text, or a split that leaves longer words."
    )
