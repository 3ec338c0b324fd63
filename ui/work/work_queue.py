"""Queue for heavy work, which leaves one core free for everyone's next step.

Slow work (training on a long text, comparing one, proving files) takes a slot in a queue shared by all visitors and
waits for those ahead. Leaving the `with` block, for any reason, releases the slot.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

from bpe_core import BpeError
from bpe_core.language import TranslatableMessage, message

MOST_EACH = 2
"""Maximum number of slots per visitor."""

BETWEEN_LOOKS = 0.2
"""Seconds between calls of `waiting`, which detect a disconnect."""


def _unfinished(held: int) -> TranslatableMessage:
    return message("{held} of your trainings, comparisons or proofs are not finished yet.", held=held)


class WorkQueue:
    """A queue of heavy work, of which the first `at_once` jobs run. Thread-safe."""

    def __init__(
        self, at_once: int, most_each: int = MOST_EACH, unfinished: Callable[[int], TranslatableMessage] = _unfinished
    ) -> None:
        """`unfinished`: error message with the number of the visitor's slots."""
        self.at_once = at_once
        self._unfinished = unfinished
        self._most_each = most_each
        self._changed = Condition()
        self._line: list[tuple[object, str | None]] = []

    @contextmanager
    def turn(self, who: str | None, waiting: Callable[[int], object]) -> Iterator[None]:
        """Wait for a turn, and hold it for the `with` block.

        `waiting` is called with the number of jobs ahead, on every change and periodically; an exception from it
        releases the slot. `who`: a session, or None. Raises BpeError if the session has too many slots.
        """
        place = (object(), who)
        self._join(place)
        try:
            while before := self._before(place):
                waiting(before)
                with self._changed:
                    self._changed.wait_for(lambda reported=before: self._before(place) != reported, BETWEEN_LOOKS)  # type: ignore[misc]
            yield
        finally:
            with self._changed:
                self._line.remove(place)
                self._changed.notify_all()

    def __len__(self) -> int:
        """Number of waiting and running jobs."""
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
        """Number of jobs that must finish before this one starts."""
        with self._changed:
            return max(0, self._line.index(place) + 1 - self.at_once)


WORK_QUEUE = WorkQueue(max(1, (os.cpu_count() or 2) - 1))
"""This server's queue."""


_SENDING = 0.05
"""Seconds in which the server's thread sends a few messages. Under the interpreter lock, next to a computing run, that
would take ten times as long."""


def flush_output() -> None:
    """Yield to the sending thread; call before long work in the middle of a run."""
    time.sleep(_SENDING)
