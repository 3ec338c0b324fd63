"""Step of a training on the page: the cards, and the player that moves them.

A step reruns only the player's fragment: the cards stay, and a relay sends data to their views.
A choice on a card reruns the fragment of the cards, which contains the player's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import BoundedSemaphore
from typing import NamedTuple

import streamlit as st

from bpe_core import BpeError
from bpe_core.bpe.step_sentences import step_story
from bpe_core.bpe.step_tables import changes_frame
from bpe_core.language import _, message, term
from ui.session import training as state
from ui.train.candidates import candidates_frames, show_candidates
from ui.train.curves import mark_frames
from ui.train.fork import show_fork
from ui.train.step import COURSE, TEXT_VIEW, Step, symbols_frame, training_text
from ui.train.step_tables import pairs_frames, show_pairs, show_vocabulary, show_words, vocabulary_frames, words_frames
from ui.train.table import current_merge_frames, show_table
from ui.train.token_card import opened_token, show_token
from ui.train.unseen import UNSEEN_VIEW, edit_unseen, unseen_text
from ui.views.address import relayed_address
from ui.views.player import player_view
from ui.views.relay import relay_view
from ui.views.story import relayed_story
from ui.views.token_flow import relayed_tokens
from ui.views.token_table import relayed_table
from ui.widgets.address import address_of_step, keep_address
from ui.widgets.controls import segments
from ui.widgets.fragments import fragment
from ui.widgets.layout import heading
from ui.widgets.messages import problem

_STORY, _CHANGES, _ADDRESS = "story", "changes table", "steps"
_TURN = BoundedSemaphore()
"""Serializes drawing when a class steps at the same time. The first sessions finish sooner and the last no later, since
Python runs one thread at a time anyway."""

_PATIENCE = 0.5
"""Maximum wait in seconds for another session's step."""


class _Text(NamedTuple):
    """One content of the text's card: its name, its empty view, and the frames that fill it."""

    name: str
    show: Callable[[Step], None]
    frames: Callable[[Step], dict[str, bytes]]


def _show_tokens(key: str, _step: Step) -> None:
    relayed_tokens(key, on_pick=state.OPENED_TOKEN.set)


_TEXTS = {
    "training": _Text(message("Text"), partial(_show_tokens, TEXT_VIEW), lambda step: {TEXT_VIEW: training_text(step)}),
    "unseen": _Text(
        message("Unseen text"), partial(_show_tokens, UNSEEN_VIEW), lambda step: {UNSEEN_VIEW: unseen_text(step)}
    ),
    "words": _Text(term("of the split", "Words"), show_words, words_frames),
    "vocabulary": _Text(message("Vocabulary"), show_vocabulary, vocabulary_frames),
    "pairs": _Text(message("Pairs"), show_pairs, pairs_frames),
}


@fragment
def show_steps(drawn: Step) -> None:
    """Draw the player and the cards. A fragment, so that a choice on a card does not rerun the page."""
    step = _now(drawn)
    if step.last:
        _show_cards(step)
    else:
        _show_nothing_to_merge(step)


def _now(drawn: Step) -> Step:
    """The session's current step; reruns the page if it shows another training."""
    step = drawn.now()
    if not step.fits(drawn):
        st.rerun()
    return step


def _show_cards(step: Step) -> None:
    relay_view(symbols_frame(step), key="relay of symbols")
    if state.PREDICTING.get():
        _show_step(step)  # cards ask and evaluate guesses, so each step redraws them
    else:
        _step_alone(step)
    relayed_address(_ADDRESS)
    with st.container(horizontal=True, key="story-and-changes"):
        relayed_story(_STORY)
        with st.container(border=True, height="stretch", key="changes"):
            relayed_table(_CHANGES)
    with st.container(horizontal=True, key="text-and-next"):
        _show_text(step)
        token = opened_token(step)
        if token is None:
            show_candidates(step)
        else:
            show_token(step, token)
        show_fork(step)
    show_table(step)


@st.fragment
def _step_alone(drawn: Step) -> None:
    """Draw the player and send data to the cards' views: all that runs at a step."""
    try:
        _show_step(_now(drawn))
    except BpeError as error:  # data for a step was evicted, and there is no memory to compute it now
        problem(error, unchanged=_("The text, the settings and your choices are kept."), key="problem of a step")


def _show_step(step: Step) -> None:
    """Send the visible parts first, starting with the text, so that they are painted while the rest is computed."""
    with _in_turn():
        COURSE.settle(step.number, step.last)
        _relay_text(step)
        _show_player(step)
        at = step.name_of_training, step.number
        relay_view({**_facts(step), _ADDRESS: address_of_step()}, key="relay of facts", at=at, early=_early(step))


def _early(step: Step) -> dict[str, bytes]:
    """Frames of the next step, prefetched for a visitor who moves step by step.

    So each step computes one step's frames, as it would without prefetching; jumps prefetch nothing.
    """
    goes_on = step.number - state.STEP_DRAWN.get() in (0, 1)
    state.STEP_DRAWN.set(step.number)
    is_asked_for = goes_on and not (step.at_end or state.PLAYING.get() or state.PREDICTING.get())
    return _figures(step.at(step.number + 1)) if is_asked_for else {}


@contextmanager
def _in_turn() -> Iterator[None]:
    waited = _TURN.acquire(timeout=_PATIENCE)
    try:
        yield
    finally:
        if waited:
            _TURN.release()


def _relay_text(step: Step) -> None:
    relay_view(_TEXTS[state.SHOWN_TEXT.get()].frames(step), key="relay of text")


def _facts(step: Step) -> dict[str, bytes]:
    """Frames of the views below the player, by key."""
    return {**_figures(step), **current_merge_frames(step), **mark_frames(step)}


def _figures(step: Step) -> dict[str, bytes]:
    """Frames that depend only on the step, the same for all visitors."""
    hide, shown_as = state.PREDICTING.get(), state.CANDIDATES_AS.get()

    def make() -> dict[str, bytes]:
        return {
            _STORY: step_story(step, hide_losers=hide),
            **candidates_frames(step, shown_as),
            _CHANGES: changes_frame(step, _CHANGES),
        }

    return step.once(f"facts {hide} {shown_as}", make)


def _show_player(step: Step) -> None:
    player_view(
        step.number,
        step.last,
        key="player",
        playing=state.PLAYING.get(),
        speed=state.SPEED.get(),
        speeds=state.SPEEDS,
        predicting=state.PREDICTING.get(),
        followed=None if state.PREDICTING.get() else step.name_of_training,
        on_move=COURSE.move,
        on_play=lambda playing: COURSE.play(playing, step.last),
        on_speed=state.SPEED.set,
        on_predict=_predict,
    )


def _predict(predicting: bool) -> None:
    state.PLAYING.set(False)
    state.PREDICTING.set(predicting)


def _show_text(step: Step) -> None:
    """Draw the card with the chosen text in the tokens of a step, or with its words or the vocabulary."""
    chosen = state.SHOWN_TEXT.get()
    with st.container(border=True, height="stretch", key="text"):
        with st.container(horizontal=True, vertical_alignment="center", key="text choice"):
            if chosen == "unseen":
                edit_unseen()
            names = {name: text.name for name, text in _TEXTS.items()}
            segments(_("Text to show"), names, state.SHOWN_TEXT, hidden=True)
        _TEXTS[chosen].show(step)


def _show_nothing_to_merge(step: Step) -> None:
    """Draw the page for a text without pairs, with the reason."""
    with st.container(border=True, key="nothing"):
        heading(_("Nothing to merge"), _("the vocabulary stays at {ids:,} ids", ids=step.training.vocab_size))
        st.text(_why_nothing(step))
    relay_view(symbols_frame(step), key="relay of symbols")
    _relay_text(step)
    _show_text(step)
    keep_address("steps")


def _why_nothing(step: Step) -> str:
    reason = step.training.stop_reason
    if reason == "vocabulary full":
        base = step.training.vocab_size - step.last
        return _(
            "From the start the vocabulary is full: {base:,} ids before any merge and {merges:,} merges are {ids:,}. "
            "Ask for a larger vocabulary in the settings.",
            base=base,
            merges=step.last,
            ids=base + step.last,
        )
    if reason == "below min_count":
        return _(
            "Every pair occurs fewer than {least:,} times. Lower the minimum count in the settings, or choose a longer "
            "text.",
            least=step.config.min_count,
        )
    if not state.source().text:
        return _("The text is empty. Choose a sample, paste a text or open a file.")
    if not step.training.token_count(0):
        return _(
            "The split leaves no words: it drops everything this text consists of. Choose another split in the "
            "settings, or another text."
        )
    return _(
        "No word of this text has two symbols next to each other, so there is no pair to count. Choose a longer "
        "text, or a split that leaves longer words."
    )
