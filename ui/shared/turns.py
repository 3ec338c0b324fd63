"""Heavy work is done in turn: so much of it at once that a core is left for everybody's next step.

What takes long (training on a long text, comparing one, proving files) takes a place in one line for all visitors and
waits until those before it are through. Who leaves, cancels or fails gives his place up by leaving the `with`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

from bpe_core import BpeError
from bpe_core.language import Message, message

MOST_EACH = 2
"""Places that a visitor may have at the same time."""

BETWEEN_LOOKS = 0.2
"""Seconds after which one who waits is asked whether he is still there."""


def _unfinished(held: int) -> Message:
    return message("{held} of your trainings, comparisons or proofs are not finished yet.", held=held)


class Turns:
    """A line in which heavy work waits; the first `at_once` in it are being done. Safe to use from several threads."""

    def __init__(
        self, at_once: int, most_each: int = MOST_EACH, unfinished: Callable[[int], Message] = _unfinished
    ) -> None:
        """`unfinished`: says to a visitor how many of his places are taken."""
        self.at_once = at_once
        self._unfinished = unfinished
        self._most_each = most_each
        self._changed = Condition()
        self._line: list[tuple[object, str | None]] = []

    @contextmanager
    def turn(self, who: str | None, waiting: Callable[[int], object]) -> Iterator[None]:
        """Wait for a turn, and have it until the end of the `with`.

        `waiting` is called with the number of those before this one, whenever it is another one and now and then in
        between; what it raises gives the place up. `who`: a session, None for nobody's. Raises BpeError for one place
        more than a session may have.
        """
        place = (object(), who)
        self._join(place)
        try:
            while before := self._before(place):
                waiting(before)
                with self._changed:
                    self._changed.wait_for(lambda told=before: self._before(place) != told, BETWEEN_LOOKS)  # type: ignore[misc]
            yield
        finally:
            with self._changed:
                self._line.remove(place)
                self._changed.notify_all()

    def __len__(self) -> int:
        """How many are waiting or being done."""
        return len(self._line)

    def _join(self, place: tuple[object, str | None]) -> None:
        with self._changed:
            held = sum(who == place[1] is not None for _, who in self._line)
            if held >= self._most_each:
                raise BpeError(
                    self._unfinished(held),
                    limit=message("A visitor can have {most} at a time.", most=self._most_each),
                    remedy=message("Wait for one of them, or cancel it."),
                )
            self._line.append(place)

    def _before(self, place: tuple[object, str | None]) -> int:
        """How many have to be through before this place has its turn."""
        with self._changed:
            return max(0, self._line.index(place) + 1 - self.at_once)


TURNS = Turns(max(1, (os.cpu_count() or 2) - 1))
"""The line of this server."""
