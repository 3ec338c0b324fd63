"""How far the reading of a tokenizer file is: every part of the work tells its share of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bpe_core.bpe.corpus import Progress

WHOLE = 1_000
"""What reading counts in: thousandths of the work."""

SLICE = 20_000
"""Entries between two calls: a hundredth of a second."""


@dataclass(frozen=True)
class Share:
    """A part of the work, from `begin` to `end` in thousandths of the whole; `tell` is called with (done, whole).

    What `tell` raises ends the reading. Parts of the work that follow each other have shares that do.

    >>> told = []
    >>> share = Share(lambda done, total: told.append((done, total)))
    >>> share.part(0.0, 0.4).reached(1, 2)
    >>> [here.stop for here in share.part(0.4, 1.0).slices(3, size=2)]
    [2, 3]
    >>> told
    [(200, 1000), (800, 1000), (1000, 1000)]
    """

    tell: Progress | None = None
    begin: float = 0.0
    end: float = WHOLE

    def part(self, begin: float, end: float) -> Share:
        """A part of this share, from 0 to 1."""
        size = self.end - self.begin
        return Share(self.tell, self.begin + begin * size, self.begin + end * size)

    def reached(self, done: int, total: int) -> None:
        """Tell that `done` of `total` are done; all of none."""
        if self.tell is not None:
            share = done / total if total else 1.0
            try:
                self.tell(round(self.begin + share * (self.end - self.begin)), WHOLE)
            except BaseException as error:
                raise _EndedError(error) from error

    def slices(self, count: int, size: int = SLICE) -> Iterator[slice]:
        """Entries 0 to `count` in slices; tells after each that it is done."""
        for start in range(0, count, size):
            stop = min(count, start + size)
            yield slice(start, stop)
            self.reached(stop, count)


UNTOLD = Share()
"""For readers that nobody asks how far they are."""


class _EndedError(BaseException):
    """What `tell` raised, on its way past readers that take some errors for those of a file."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


@contextmanager
def telling(on_progress: Progress | None) -> Iterator[Share]:
    """All of the work, told from 0 to its end; what `on_progress` raises is raised here.

    >>> with telling(lambda done, total: print(done, total)) as share:
    ...     share.reached(1, 4)
    0 1000
    250 1000
    1000 1000
    """
    share = Share(on_progress)
    try:
        share.reached(0, 1)
        yield share
        share.reached(1, 1)
    except _EndedError as ended:
        raise ended.error from None
