"""Queue for heavy work, which leaves one core free for everyone's next step.

Slow work (training on a long text, comparing one, proving files) takes a slot in a queue shared by all visitors and
waits for those ahead. Leaving the `with` block, for any reason, releases the slot.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition
from time import monotonic, sleep

from bpe_core import BpeError
from bpe_core.language import TranslatableMessage, message
from ui.memory.cache import WORK

MOST_EACH = 2
"""Maximum number of slots per visitor."""

BETWEEN_LOOKS = 0.2
"""Seconds between calls of `waiting`, which detect a disconnect."""

BACK_WITHIN = 3.0
"""Seconds for which an interrupted job keeps its place."""


def _unfinished(held: int) -> TranslatableMessage:
    return message("{held} of your trainings, encodings, comparisons or proofs are not finished yet.", held=held)


@dataclass(eq=False)
class _Place:
    """A place in the queue, held by a session or None; `left_at`: monotonic time at which its job was interrupted."""

    who: str | None
    left_at: float | None = None
    is_running: bool = False


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
        self._line: list[_Place] = []

    @contextmanager
    def turn(self, who: str | None, waiting: Callable[[int], object]) -> Iterator[None]:
        """Wait for a turn, and hold it for the `with` block.

        `waiting` is called with the number of jobs ahead, on every change and periodically; an exception from it
        releases the slot. A job that an exception has ended, as a click ends a run, gets its place back within
        BACK_WITHIN seconds; no other job waits for it. `who`: a session, or None. Raises BpeError if the session has
        too many slots."""
        place = self._join(who)
        try:
            while before := self._begin(place):
                with WORK.idle():  # while waiting, this session's results do not count against the jobs ahead
                    waiting(before)
                    with self._changed:
                        self._changed.wait_for(lambda reported=before: self._before(place) != reported, BETWEEN_LOOKS)  # type: ignore[misc]
            yield
        except BaseException:
            self._leave(place, comes_back=who is not None)
            raise
        self._leave(place, comes_back=False)

    def __len__(self) -> int:
        """Number of waiting and running jobs."""
        return len(self._present())

    def _present(self) -> list[_Place]:
        return [place for place in self._line if place.left_at is None]

    def _join(self, who: str | None) -> _Place:
        with self._changed:
            held = sum(place.who == who is not None for place in self._present())
            if held >= self._most_each:
                raise BpeError(
                    self._unfinished(held),
                    limit=message("A visitor can have {most} at a time.", most=self._most_each),
                    remedy=message("Wait for one of them, or cancel it."),
                )
            earliest = monotonic() - BACK_WITHIN
            self._line = [place for place in self._line if place.left_at is None or place.left_at > earliest]
            for place in self._line:
                if place.who == who and place.left_at is not None:
                    place.left_at = None
                    return place
            self._line.append(place := _Place(who))
            return place

    def _leave(self, place: _Place, *, comes_back: bool) -> None:
        with self._changed:
            if comes_back:
                place.left_at, place.is_running = monotonic(), False
            else:
                self._line.remove(place)
            self._changed.notify_all()

    def _begin(self, place: _Place) -> int:
        """Start the job if it may run; return the number of jobs that must finish first."""
        with self._changed:
            before = self._before(place)
            place.is_running = not before
            return before

    def _before(self, place: _Place) -> int:
        """Number of jobs that must finish before this one starts: those ahead, and running ones after it."""
        present = self._present()
        at = present.index(place)
        return max(0, at + sum(each.is_running for each in present[at + 1 :]) + 1 - self.at_once)


WORK_QUEUE = WorkQueue(max(1, (os.cpu_count() or 2) - 1))
"""This server's queue."""


_SENDING = 0.05
"""Seconds in which the server's thread sends a few messages. While a run computes, competing for the interpreter lock,
it would take ten times as long."""


def flush_output() -> None:
    """Yield to the sending thread; call before long work in the middle of a run."""
    sleep(_SENDING)
