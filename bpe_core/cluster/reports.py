"""Work on the parts of a corpus: one task for each, a few submitted ahead, and their reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def reports_of(
    parts: Sequence[Part],
    client: Any,
    submit: Callable[[Part], Any],
    *,
    stops: bool,
    on_progress: Progress | None,
    done: int = 0,
) -> list[Report]:
    """Submit a task for each part, a few ahead, and return the reports in the order of the parts.

    Raises CorpusError for a damaged part if it `stops` the work. `done`: bytes of other parts that are already done.

    >>> reports_of([], None, print, stops=True, on_progress=None)
    []
    """
    if not parts:
        return []
    ahead = 2 * (sum(client.nthreads().values()) or 1) + 2
    total = done + sum(part.bytes for part in parts)
    waiting = iter(parts)
    first = [submit(part) for part in islice(waiting, ahead)]
    arriving = library("distributed").as_completed(first, loop=client.loop, with_results=True)
    reports: list[Report] = []
    for _, report in arriving:
        if stops and report.problem is not None:
            problem, limit, remedy = report.problem
            raise CorpusError(problem, limit=limit, remedy=remedy)
        reports.append(report)
        done += report.bytes
        if on_progress is not None:
            _tell(on_progress, done, total)
        for part in islice(waiting, 1):
            arriving.add(submit(part))
    return sorted(reports)


def skipped_of(parts: Sequence[Part], reports: Sequence[Report]) -> tuple[Skipped, ...]:
    """The damaged parts among those reported.

    >>> part = Part(0, "a.txt", "text", "", "", 100, 0, 40, True)
    >>> report = Report.damaged(part, CorpusError("It is torn.", limit="It is whole.", remedy="Mend it."))
    >>> skipped_of([part], [report])
    (Skipped(name="'a.txt'", bytes=40, problem='It is torn.'),)
    """
    by_number = {part.number: part for part in parts}
    damaged = ((by_number[report.number], report.problem) for report in reports if report.problem is not None)
    return tuple(Skipped(part.name, part.bytes, problem[0]) for part, problem in damaged)


def _tell(on_progress: Progress, done: int, total: int) -> None:
    try:
        on_progress(done, total)
    except Exception as error:
        raise LeftError(error) from error
