"""Where a player is and whether it plays: what its buttons, keys and clock change in the session."""

from __future__ import annotations

from dataclasses import dataclass

from ui.session.state import Item


@dataclass(frozen=True)
class Course:
    """The two values of a session that a player moves. Its methods are for callbacks."""

    step: Item[int]
    playing: Item[bool]

    def settle(self, step: int, last: int) -> None:
        """Be at this step of 0 … last; at the last one nothing plays on."""
        self.step.set(step)
        self.playing.set(self.playing.get() and step < last)

    def go_to(self, step: int) -> None:
        """Show another step, and stop playing."""
        self.playing.set(False)
        self.step.set(step)

    def move(self, target: int, by_clock: bool) -> None:
        """Go where the visitor wants, or where the clock does while it plays."""
        if not by_clock:
            self.go_to(target)
        elif self.playing.get():
            self.step.set(target)

    def play(self, playing: bool, last: int) -> None:
        """Play goes on from here, or starts over at the end."""
        if playing and self.step.get() >= last:
            self.step.set(0)
        self.playing.set(playing)
