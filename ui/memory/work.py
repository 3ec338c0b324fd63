"""Memory used by running computations of all sessions, under the same limit as the caches.

The core announces the memory need of each stage (bpe_core/work.py). A single computation may take a share of the
limit; computations that do not fit together wait, and caches shrink to make room for the running ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, RLock, get_ident
from weakref import finalize

from bpe_core import CorpusError
from bpe_core.language import message
from bpe_core.work import SMALL

ONE_PIECE, TOGETHER = 3 / 4, 1 / 4
"""Shares of the limit: for one computation, and for all; beyond the second only the oldest proceeds."""

LARGE_SHARE = 16
"""A computation of limit / LARGE_SHARE is large."""

BETWEEN_LOOKS = 0.1


class WorkLimit:
    """Bytes reserved by computations. Thread-safe; a thread counts as one computation.

    The oldest running computation never waits, so each of them finishes. A computation starts when it fits beside the
    running ones and the results still referenced by script runs; those of a thread that waits for another one
    do not count, as the other one may be this one.
    """

    def __init__(
        self,
        limit: int,
        pause: Callable[[], object] = lambda: None,
        make_room: Callable[[int], object] = lambda size: None,
        large_ended: Callable[[], object] = lambda: None,
    ) -> None:
        """Set the limit in bytes and the callbacks.

        `pause`: called periodically while a computation waits; an exception from it ends the wait. `make_room`: called
        with the bytes of all computations whenever they change, without results, which the caches count. `large_ended`:
        called after a computation of limit / LARGE_SHARE, which may leave garbage of its size.
        """
        self.most = int(limit * ONE_PIECE)
        self.together = int(limit * TOGETHER)
        self.large = limit // LARGE_SHARE
        self._pause = pause
        self._large_ended = large_ended
        self._make_room = make_room
        self._changed = Condition(RLock())
        self._pieces: dict[int, int] = {}  # bytes by thread, oldest first
        self._results: dict[int, int] = {}  # bytes by thread
        self._idle: set[int] = set()  # threads that wait for other threads

    @property
    def size(self) -> int:
        """Bytes of all running computations and referenced results."""
        return sum(self._pieces.values()) + sum(self._results.values())

    @contextmanager
    def __call__(self, size: int) -> Iterator[None]:
        """Reserve `size` bytes for the `with` block, in addition to this thread's outer reservations.

        Raises CorpusError if the sum exceeds the limit of one computation.
        """
        thread = get_ident()
        own = self._pieces.get(thread, 0) + size
        if own > self.most:
            raise CorpusError(
                message("This would take about {size:,} MB of memory.", size=-(-own // 2**20)),
                limit=message("The server allows {most:,} MB for one piece of work.", most=self.most // 2**20),
                remedy=message(
                    "Take a shorter text, a smaller file, fewer tokenizers, "
                    "or one whose normalizer adds less to the text."
                ),
            )
        with self._changed:
            while not self._fits(thread, size):
                self._changed.wait(BETWEEN_LOOKS)
                self._pause()
            self._pieces[thread] = own
        self._make_room(sum(self._pieces.copy().values()))
        try:
            yield
        finally:
            self._change(self._pieces, thread, -size)
            if size >= self.large:
                self._large_ended()

    @contextmanager
    def idle(self) -> Iterator[None]:
        """Mark the thread as waiting for another thread's work, for the `with` block."""
        thread = get_ident()
        with self._changed:
            self._idle.add(thread)
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._idle.discard(thread)

    def holding(self, size: int) -> Result | None:
        """Count a result of this thread while the returned object lives; None for a small result."""
        return Result(self, size) if size > SMALL else None

    def _fits(self, thread: int, size: int) -> bool:
        running = [each for each in self._pieces if each not in self._idle]
        if thread in self._pieces or thread in self._results:
            may = not running or running[0] == thread
        else:
            may = not running and self._results.keys() <= self._idle
        return may or self.size + size <= self.together

    def _change(self, taken: dict[int, int], thread: int, size: int) -> None:
        with self._changed:
            taken[thread] = taken.get(thread, 0) + size
            if taken[thread] <= 0:
                del taken[thread]
            self._changed.notify_all()
        if taken is self._pieces:
            self._make_room(sum(self._pieces.copy().values()))


class Result:
    """Reservation for a result referenced by a script run; released with this object."""

    def __init__(self, work: WorkLimit, size: int) -> None:
        self._release = finalize(self, work._change, work._results, get_ident(), -size)
        work._change(work._results, get_ident(), size)
