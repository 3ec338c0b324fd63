"""One player for all: it moves each algorithm by one of its own steps."""

from __future__ import annotations

from ui import state
from ui.player import Course
from ui.player import player as draw

_COURSE = Course(state.FAMILY_STEP, state.FAMILY_PLAYING)


def player(last: int) -> int:
    """Draw the player; returns the step that is shown, 0 … last."""
    step = min(state.FAMILY_STEP.get(), last)
    _COURSE.settle(step, last)
    draw(
        step,
        last,
        key="family player",
        playing=state.FAMILY_PLAYING.get(),
        speed=state.SPEED.get(),
        speeds=state.SPEEDS,
        on_move=_COURSE.move,
        on_play=lambda playing: _COURSE.play(playing, last),
        on_speed=state.SPEED.set,
        unit="step",
    )
    return step
