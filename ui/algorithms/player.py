"""One player for all algorithms: each moves by its own steps."""

from __future__ import annotations

from ui.session import algorithms as state
from ui.session import training
from ui.views.player import Playback, player_view

_COURSE = Playback(state.STEP, state.PLAYING)


def show_player(last: int) -> int:
    """Draw the player; return the shown step, 0 … last."""
    step = min(state.STEP.get(), last)
    _COURSE.settle(step, last)
    player_view(
        step,
        last,
        key="algorithms player",
        playing=state.PLAYING.get(),
        speed=training.SPEED.get(),
        speeds=training.SPEEDS,
        on_move=_COURSE.move,
        on_play=lambda playing: _COURSE.play(playing, last),
        on_speed=training.SPEED.set,
        unit="step",
    )
    return step
