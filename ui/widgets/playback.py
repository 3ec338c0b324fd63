"""Position of a player and whether it plays, as changed by its buttons, keys and timer."""

from __future__ import annotations

from dataclasses import dataclass

from ui.session.items import Item


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
