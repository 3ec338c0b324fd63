"""One player for all algorithms: each moves by its own steps."""

from __future__ import annotations

from ui.session import state
from ui.views.player import player_view
from ui.widgets.playback import Playback

_COURSE = Playback(state.ALGORITHMS_STEP, state.ALGORITHMS_PLAYING)


def show_player(last: int) -> int:
    """Draw the player; return the shown step, 0 … last."""
    step = min(state.ALGORITHMS_STEP.get(), last)
    _COURSE.settle(step, last)
    player_view(
        step,
        last,
        key="algorithms player",
        playing=state.ALGORITHMS_PLAYING.get(),
        speed=state.SPEED.get(),
        speeds=state.SPEEDS,
        on_move=_COURSE.move,
        on_play=lambda playing: _COURSE.play(playing, last),
        on_speed=state.SPEED.set,
        unit="step",
    )
    return step
