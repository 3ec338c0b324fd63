"""Mounts the player: Python's side of player.js. What the browser sends is checked here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from ui.components.defined import Component
from ui.components.exchange import acting, is_index, taken_of

_HERE = Path(__file__).parent
_PLAYER = Component(
    "bpe_lab_player",
    _HERE / "player.js",
    html=(_HERE / "player.html").read_text("utf-8"),
    css=(_HERE / "player.css").read_text("utf-8"),
)


class Moved(Protocol):
    """Called before the fragment runs again: the step to go to, and whether the clock asked for it."""

    def __call__(self, target: int, by_clock: bool) -> None: ...


def player(
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
    """Draw the player at `step` of 0 … `last`. `speed`: steps a second while it plays, one of `speeds`.

    `predicting`: whether a class guesses; None for a player without that switch. `unit`: what a step is called.
    `followed`: the name of a training whose steps views on the page draw themselves, None without such.

    The player itself shows a step at once, and so do the views that follow it: they may be ahead of the page, which is
    asked for the newest step whenever it has drawn the one before. Where none follows, a key held down and the clock
    wait for the page.
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
    """A move [target, by clock] as the browser sends it; None for anything else.

    >>> checked_move([3, False], 10), checked_move([11, False], 10), checked_move([True, False], 10)
    ((3, False), None, None)
    """
    if not (isinstance(value, list) and len(value) == 2):
        return None
    target, by_clock = value
    return (target, by_clock) if is_index(target, 0, last + 1) and isinstance(by_clock, bool) else None
