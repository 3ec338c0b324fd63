"""Work on the parts of a corpus: a task for each, a few ahead, and what their reports say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from bpe_core.cluster.connection import LeftError
from bpe_core.cluster.libraries import library
from bpe_core.cluster.parts import Part
from bpe_core.errors import CorpusError

Progress = Callable[[int, int], object]
"""Callback with (bytes done, bytes in total); its exception ends the work."""


class Report(NamedTuple):
    """Report on the work on a part.

    number      number of the part
    bytes       bytes of the file that it covers
    surrogates  number of lone surrogates replaced in its texts, where words are counted
    ids         number of ids written, where texts are encoded
    problem     problem, limit and remedy of the error; None on success

    >>> Report(0, 100).problem is None
    True
    """

    number: int
    bytes: int
    surrogates: int = 0
    ids: int = 0
    problem: tuple[str, str, str] | None = None

    @classmethod
    def damaged(cls, part: Part, error: CorpusError) -> Report:
        """Report of a part that cannot be read.

        >>> part = Part(0, "a.txt", "text", "", "", 100, 0, 40, True)
        >>> Report.damaged(part, CorpusError("It is torn.", limit="It is whole.", remedy="Mend it.")).problem
        ('It is torn.', 'It is whole.', 'Mend it.')
        """
        return cls(part.number, part.bytes, problem=(error.problem, error.limit, error.remedy))


@dataclass(frozen=True)
class Skipped:
    """A damaged part of a corpus, left out.

    name     the file, and the byte range unless it is the whole file
    bytes    bytes of the file that it covers
    problem  error message with the place

    >>> Skipped("'a.txt'", 100, "'a.txt' is not UTF-8 at byte 7 (0xFF).").bytes
    100
    """

    name: str
    bytes: int
    problem: str


class Reports:
    """Reports of the parts of a corpus; `skipped` are those that are damaged, once all are read.

    >>> Reports([], stops=True, on_progress=None).skipped
    ()
    """

    def __init__(self, parts: Sequence[Part], *, stops: bool, on_progress: Progress | None, done: int = 0) -> None:
        self._parts = {part.number: part for part in parts}
        self._stops = stops
        self._on_progress = on_progress
        self._done = done
        self._skipped: list[Skipped] = []

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The damaged parts, by name.

        >>> Reports([], stops=False, on_progress=None).skipped
        ()
        """
        return tuple(sorted(self._skipped, key=lambda each: each.name))

    def of(self, client: Any, submit: Callable[[Part], Any]) -> Iterator[Report]:
        """Submit a task for each part, a few ahead, and yield the reports as they arrive.

        Raises CorpusError for a damaged part, unless those are skipped.

        >>> list(Reports([], stops=True, on_progress=None).of(None, print))
        []
        """
        if not self._parts:
            return
        ahead = 2 * (sum(client.nthreads().values()) or 1) + 2
        total = self._done + sum(part.bytes for part in self._parts.values())
        waiting = iter(self._parts.values())
        first = [submit(part) for part in islice(waiting, ahead)]
        reports = library("distributed").as_completed(first, loop=client.loop, with_results=True)
        for _, report in reports:
            self._done += report.bytes
            if report.problem is not None:
                self._leave_out(self._parts[report.number], report.problem)
            yield report
            if self._on_progress is not None:
                _tell(self._on_progress, self._done, total)
            for part in islice(waiting, 1):
                reports.add(submit(part))

    def _leave_out(self, part: Part, problem: tuple[str, str, str]) -> None:
        what, limit, remedy = problem
        if self._stops:
            raise CorpusError(what, limit=limit, remedy=remedy)
        self._skipped.append(Skipped(part.name, part.bytes, what))


def _tell(on_progress: Progress, done: int, total: int) -> None:
    try:
        on_progress(done, total)
    except Exception as error:
        raise LeftError(error) from error
