"""Memory that the work of all visitors takes while it is done, beside what the caches keep: bounded by the same limit.

The core says before each stage of its work about how many bytes that takes (bpe_core/work.py). One piece of work may
take a share of the limit; pieces that do not fit beside each other wait, and the caches make room for those that do.
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
"""Shares of the limit: for one piece of work, and for all, beyond which only the oldest piece goes on."""

BETWEEN_LOOKS = 0.1


class WorkLimit:
    """Bytes that work may take. Safe to use from several threads; the work of one thread is one piece.

    Of the pieces that have begun only the oldest never waits, so that each comes to its end. A piece begins when it
    fits beside them, and beside results that runs of pages still hold.
    """

    def __init__(
        self,
        limit: int,
        pause: Callable[[], object] = lambda: None,
        make_room: Callable[[int], object] = lambda size: None,
    ) -> None:
        """`pause`: called now and then while a piece waits; what it raises ends the wait. `make_room`: called with the
        bytes of everything that is taken, whenever these change."""
        self.most = int(limit * ONE_PIECE)
        self.together = int(limit * TOGETHER)
        self._pause = pause
        self._make_room = make_room
        self._changed = Condition(RLock())
        self._pieces: dict[int, int] = {}  # by thread, the oldest first
        self._results: dict[int, int] = {}  # by thread

    @property
    def size(self) -> int:
        """Bytes of all pieces, and of all results that are held."""
        return sum(self._pieces.values()) + sum(self._results.values())

    @contextmanager
    def __call__(self, size: int) -> Iterator[None]:
        """Take so many bytes until the end of the `with`, beside what this thread has taken around it.

        Raises CorpusError for more than one piece may take.
        """
        thread = get_ident()
        own = self._pieces.get(thread, 0) + size
        if own > self.most:
            raise CorpusError(
                message("This would take about {size:,} MB of memory.", size=-(-own // 2**20)),
                limit=message("The server allows {most:,} MB for one piece of work.", most=self.most // 2**20),
                remedy=message("Take a shorter text, fewer tokenizers, or one whose normalizer adds less to the text."),
            )
        with self._changed:
            while not self._fits(thread, size):
                self._changed.wait(BETWEEN_LOOKS)
                self._pause()
            self._pieces[thread] = own
        self._make_room(self.size)
        try:
            yield
        finally:
            self._change(self._pieces, thread, -size)

    def holding(self, size: int) -> Result | None:
        """Count a result of this thread until what this returns is dropped; None for a small one."""
        return Result(self, size) if size > SMALL else None

    def _fits(self, thread: int, size: int) -> bool:
        if thread in self._pieces or thread in self._results:
            may = next(iter(self._pieces), thread) == thread
        else:
            may = not self._pieces and not self._results
        return may or self.size + size <= self.together

    def _change(self, taken: dict[int, int], thread: int, size: int) -> None:
        with self._changed:
            taken[thread] = taken.get(thread, 0) + size
            if taken[thread] <= 0:
                del taken[thread]
            self._changed.notify_all()
        self._make_room(self.size)


class Result:
    """A result that the run of a page holds, counted while this object lives."""

    def __init__(self, work: WorkLimit, size: int) -> None:
        self._release = finalize(self, work._change, work._results, get_ident(), -size)
        work._change(work._results, get_ident(), size)
