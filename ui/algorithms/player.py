"""One player for all: it moves each algorithm by one of its own steps."""

from __future__ import annotations

from ui import state
from ui.player import player as draw


def player(last: int) -> int:
    """Draw the player; returns the step that is shown, 0 … last."""
    step = min(state.FAMILY_STEP.get(), last)
    state.FAMILY_STEP.set(step)
    state.FAMILY_PLAYING.set(state.FAMILY_PLAYING.get() and step < last)
    draw(
        step,
        last,
        key="family player",
        playing=state.FAMILY_PLAYING.get(),
        speed=state.SPEED.get(),
        speeds=state.SPEEDS,
        on_move=_move,
        on_play=lambda playing: _play(playing, last),
        on_speed=state.SPEED.set,
        unit="step",
    )
    return step


def _move(target: int, by_clock: bool) -> None:
    if not by_clock:
        state.FAMILY_PLAYING.set(False)
        state.FAMILY_STEP.set(target)
    elif state.FAMILY_PLAYING.get():
        state.FAMILY_STEP.set(target)


def _play(playing: bool, last: int) -> None:
    """Play goes on from here, or starts over at the end."""
    if playing and state.FAMILY_STEP.get() >= last:
        state.FAMILY_STEP.set(0)
    state.FAMILY_PLAYING.set(playing)
