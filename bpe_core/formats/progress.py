"""Progress of reading a tokenizer file: each part of the work reports its share of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bpe_core.bpe.corpus import Progress

WHOLE = 1_000
"""Unit of progress: thousandths of the work."""

SLICE = 20_000
"""Entries between two reports, about 10 ms of work."""


@dataclass(frozen=True)
class Share:
    """A part of the work, from `begin` to `end` in thousandths of the whole; `tell` is called with (done, whole).

    An exception from `tell` ends the reading. Consecutive parts of the work have consecutive shares.

    >>> calls = []
    >>> share = Share(lambda done, total: calls.append((done, total)))
    >>> share.part(0.0, 0.4).reached(1, 2)
    >>> [here.stop for here in share.part(0.4, 1.0).slices(3, size=2)]
    [2, 3]
    >>> calls
    [(200, 1000), (800, 1000), (1000, 1000)]
    """

    tell: Progress | None = None
    begin: float = 0.0
    end: float = WHOLE

    def part(self, begin: float, end: float) -> Share:
        """Part of this share; `begin` and `end` are from 0 to 1."""
        size = self.end - self.begin
        return Share(self.tell, self.begin + begin * size, self.begin + end * size)

    def reached(self, done: int, total: int) -> None:
        """Report `done` of `total`; a `total` of 0 counts as complete."""
        if self.tell is not None:
            share = done / total if total else 1.0
            try:
                self.tell(round(self.begin + share * (self.end - self.begin)), WHOLE)
            except BaseException as error:
                raise _EndedError(error) from error

    def slices(self, count: int, size: int = SLICE) -> Iterator[slice]:
        """Slices of the entries 0 to `count`, reporting progress after each."""
        for start in range(0, count, size):
            stop = min(count, start + size)
            yield slice(start, stop)
            self.reached(stop, count)


NO_PROGRESS = Share()
"""No-op default of readers."""


class _EndedError(BaseException):
    """Wrapper of an exception from `tell`, so that readers do not mistake it for an error of the file."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


@contextmanager
def reporting(on_progress: Progress | None) -> Iterator[Share]:
    """Share of the whole work; reports its start and end, and unwraps exceptions raised by `on_progress`.

    >>> with reporting(lambda done, total: print(done, total)) as share:
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
