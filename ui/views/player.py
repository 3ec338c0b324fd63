"""Player of a training: buttons, slider, speed, the choice to predict, and the session values that it moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ui.session.items import Item
from ui.views.component import View
from ui.views.protocol import acting, is_index, taken_of

_PLAYER = View("player")


@dataclass(frozen=True)
class Playback:
    """Session values moved by a player. Its methods are for callbacks."""

    step: Item[int]
    playing: Item[bool]

    def settle(self, step: int, last: int) -> None:
        """Set the step, in 0 … last; playing stops at the last one."""
        self.step.set(step)
        self.playing.set(self.playing.get() and step < last)

    def go_to(self, step: int) -> None:
        """Show another step and stop playing."""
        self.playing.set(False)
        self.step.set(step)

    def move(self, target: int, by_clock: bool) -> None:
        """Go to a step chosen by the visitor, or by the timer while playing."""
        if not by_clock:
            self.go_to(target)
        elif self.playing.get():
            self.step.set(target)

    def play(self, playing: bool, last: int) -> None:
        """Start or stop playing; from the last step, start over."""
        if playing and self.step.get() >= last:
            self.step.set(0)
        self.playing.set(playing)


class Moved(Protocol):
    """Callback before the fragment reruns: the target step, and whether playback requested it."""

    def __call__(self, target: int, by_clock: bool) -> None: ...


def player_view(
    step: int,
    last: int,
    *,
    key: str,
    playing: bool,
    speed: float,
    speeds: Sequence[float],
    on_move: Moved,
    on_play: Callable[[bool], None],
    on_speed: Callable[[float], None],
    predicting: bool | None = None,
    on_predict: Callable[[bool], None] | None = None,
    unit: Literal["merge", "step"] = "merge",
    followed: str | None = None,
) -> None:
    """Draw the player at `step` of 0 … `last`. `speed`: steps per second of playback, one of `speeds`.

    `predicting`: whether predict mode is on; None for a player without that switch. `unit`: name of a step.
    `followed`: name of a training whose steps views on the page draw themselves; None without such views.

    The player and the views that follow it show a step immediately. The newest step is requested from the server each
    time the page has drawn the previous one. Without such views, a held key and the playback timer wait for the page.
    """

    def moved(value: Any) -> None:
        move = checked_move(value, last)
        if move:
            on_move(*move)

    def played(value: Any) -> None:
        if isinstance(value, bool) and not predicting:
            on_play(value)

    def sped(value: Any) -> None:
        if not isinstance(value, bool) and value in speeds:
            on_speed(float(value))

    def predicted(value: Any) -> None:
        if on_predict is not None and isinstance(value, bool):
            on_predict(value)

    _PLAYER(
        key=key,
        data={
            "step": step,
            "last": last,
            "playing": playing,
            "speed": speed,
            "speeds": list(speeds),
            "predicting": predicting,
            "unit": unit,
            "followed": followed,
            "name": key,
            "done": taken_of(key),
        },
        on_acts_change=acting(key, move=moved, play=played, speed=sped, predict=predicted),
    )


def checked_move(value: object, last: int) -> tuple[int, bool] | None:
    """Parse a move [target, by clock] from the browser; None for anything else.

    >>> checked_move([3, False], 10), checked_move([11, False], 10), checked_move([True, False], 10)
    ((3, False), None, None)
    """
    if not (isinstance(value, list) and len(value) == 2):
        return None
    target, by_clock = value
    return (target, by_clock) if is_index(target, 0, last + 1) and isinstance(by_clock, bool) else None
