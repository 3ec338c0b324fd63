"""What the player does: another step, playing, its speed, and the guessing of a class."""

from __future__ import annotations

import streamlit as st

from ui import state
from ui.player import Course
from ui.player import player as draw

_COURSE = Course(state.STEP, state.PLAYING)


def player(step: int, last: int) -> None:
    """Draw the player at a step of 0 … last."""
    _COURSE.settle(step, last)
    draw(
        step,
        last,
        key="player",
        playing=state.PLAYING.get(),
        speed=state.SPEED.get(),
        speeds=state.SPEEDS,
        predicting=state.PREDICTING.get(),
        on_move=_COURSE.move,
        on_play=lambda playing: _COURSE.play(playing, last),
        on_speed=state.SPEED.set,
        on_predict=_predict,
    )


def go_to(step: int) -> None:
    """Show another step, and stop playing; for callbacks."""
    _COURSE.go_to(step)


def jump_to(step: int) -> None:
    """Show another step, from a fragment that the player is not in; for callbacks."""
    go_to(step)
    state.JUMPED.set(True)


def rerun_after_jump() -> None:
    """For the top of such a fragment: a click in it runs only the fragment, but the whole page has to show the step."""
    if state.JUMPED.get():
        state.JUMPED.set(False)
        st.rerun()


def _predict(predicting: bool) -> None:
    state.PLAYING.set(False)
    state.PREDICTING.set(predicting)
