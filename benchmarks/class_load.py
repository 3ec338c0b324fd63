"""Load the app with a class of visitors; print response times and the memory left afterwards.

python -m benchmarks.class_load                 # all of it
python -m benchmarks.class_load --only steps    # 200 open sessions; 20, then all, step at once; a training
python -m benchmarks.class_load --only memory   # 500 short sessions, each with its own megabyte
python -m benchmarks.class_load --write         # and write the table to docs/speed.md

Each visitor is a websocket that speaks Streamlit's own protocol (benchmarks/visitor.py). No browser renders the
responses, so the figures are the server's alone, from the message sent to the last one received. The app is started
as scripts/run does, on the same machine as its visitors.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.stopwatch import cpu_seconds
from benchmarks.tables import SPEED, write_table
from benchmarks.visitor import Answer, Visitor
from tests.browser.serving import PROJECT, Server, served_app
from ui.memory.visitors import AWAY, BETWEEN_LOOKS

PARTS = ("steps", "memory")
SESSIONS = 200
AT_ONCE = 20
COMERS = 500
TOGETHER = 4
"""Sessions of the memory test that are open simultaneously."""

MEGABYTE = 1_000_000
ROUNDS = 12


@dataclass(frozen=True)
class Line:
    """One line of the table: the measure, its figure, and its limit."""

    what: str
    figure: str
    at_most: str = ""
    note: str = ""

    def __str__(self) -> str:
        return f"| {self.what} | {self.figure} | {self.at_most} | {self.note} |"


class Failures(list[str]):
    """Exceptions shown to visitors, and lost answers."""

    def note(self, answers: Sequence[Answer]) -> None:
        self += [answer.failed for answer in answers if answer.failed]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed.

    >>> percentile([3, 1, 2, 4], 0.5), percentile([3, 1, 2, 4], 0.95)
    (2, 4)
    """
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


def megabyte(number: int) -> str:
    """A text of one megabyte, unique to this number."""
    words = random.Random(number)
    known = ["".join(words.choices("aeionrstlm", k=words.randint(2, 9))) for _ in range(3_000)]
    return " ".join(words.choices(known, k=MEGABYTE // 5))[:MEGABYTE]


async def at_once(visitors: Sequence[Visitor], step: Callable[[int], int]) -> list[Answer]:
    """Request a step for all these visitors at the same moment."""
    return list(await asyncio.gather(*(visitor.go_to(step(i)) for i, visitor in enumerate(visitors))))


async def rounds_of(visitors: Sequence[Visitor], step: Callable[[int, int], int]) -> list[list[Answer]]:
    """Several rounds of simultaneous steps; round and visitor numbers determine each step."""
    return [await at_once(visitors, lambda i, number=number: step(number, i)) for number in range(ROUNDS)]  # type: ignore[misc]


# -- the class ---------------------------------------------------------------------------------------------------


async def a_class(server: Server) -> AsyncIterator[Line]:
    """Open the sessions and request steps in them."""
    failures = Failures()
    visitors = []
    began = time.perf_counter()
    for _ in range(SESSIONS // AT_ONCE):
        came = await asyncio.gather(*(Visitor.come(server.url) for _ in range(AT_ONCE)))
        failures.note([answer for _, answer in came])
        visitors += [visitor for visitor, _ in came]
    yield Line(f"{SESSIONS} sessions opened, {AT_ONCE} at a time", f"{time.perf_counter() - began:.1f} s")

    some = visitors[:AT_ONCE]
    await at_once(some, lambda _: 1)  # the first step caches what all later ones share
    for what, step in (
        ("all to the same step", lambda number, _: 2 + number),
        ("each to a step of its own", lambda number, i: 20 + number * AT_ONCE % 200 + i),
    ):
        before = cpu_seconds(server.pid)
        rounds = await rounds_of(some, step)
        answers = [answer for each in rounds for answer in each]
        computing = (cpu_seconds(server.pid) - before) / len(answers)
        failures.note(answers)
        seconds = [answer.seconds for answer in answers]
        size = statistics.mean(answer.size for answer in answers) / 1000
        yield Line(
            f"{AT_ONCE} of {SESSIONS} sessions step at once, {what}: median, 95th percentile",
            f"{_ms(statistics.median(seconds))}, {_ms(percentile(seconds, 0.95))}",
            "80 ms, 200 ms",
            f"the server computes {1000 * computing:.1f} ms for each, and sends {size:.0f} KB",
        )
    for number, what in enumerate(("all to the same step", "each to a step of its own")):
        answers = await at_once(visitors, lambda i, number=number: 40 + number * i)  # type: ignore[misc]
        failures.note(answers)
        seconds = [answer.seconds for answer in answers]
        yield Line(
            f"all {SESSIONS} step at once, {what}: the last one",
            _ms(max(seconds)),
            "1,200 ms",
            f"median {_ms(statistics.median(seconds))}",
        )
    yield await beside_a_training(visitors, failures)
    await asyncio.gather(*(visitor.leave() for visitor in visitors))
    yield _failed(server, failures)


async def beside_a_training(visitors: Sequence[Visitor], failures: Failures) -> Line:
    """Steps of one visitor, first alone, then while another one trains on one megabyte after the other."""
    stepping, training = visitors[0], visitors[1]

    async def steps(until: Callable[[], bool]) -> list[float]:
        taken: list[float] = []
        while not until() or len(taken) < ROUNDS:
            answer = await stepping.go_to(len(taken) % stepping.steps)
            failures.note([answer])
            taken.append(answer.seconds)
            await asyncio.sleep(0.02)
        return taken

    async def trainings() -> list[Answer]:
        return [await training.train_on(megabyte(number)) for number in range(8)]

    alone = await steps(lambda: True)
    alone += await steps(lambda: len(alone) >= 0)
    task = asyncio.create_task(trainings())
    beside = await steps(task.done)
    answers = await task
    failures.note(answers)
    median_alone, median_beside = statistics.median(alone), statistics.median(beside)
    return Line(
        "a step while another visitor trains on a megabyte, against the same alone",
        f"{median_beside / median_alone:.1f} times",
        "2 times",
        f"{_ms(median_beside)} against {_ms(median_alone)}; a training took "
        f"{_ms(statistics.median(answer.seconds for answer in answers))}",
    )


# -- memory ------------------------------------------------------------------------------------------------------


async def come_and_go(server: Server, comers: int) -> AsyncIterator[Line]:
    """Short sessions, a few at a time: each connects, pastes its own megabyte, trains on it, steps and disconnects."""
    failures = Failures()
    numbers = iter(range(comers))
    before = most = 0.0

    async def one(number: int) -> None:
        visitor, opened = await Visitor.come(server.url)
        trained = await visitor.train_on(megabyte(number))
        stepped = await visitor.go_to(min(3, visitor.steps))
        failures.note([opened, trained, stepped])
        await visitor.leave()

    async def in_turn() -> None:
        nonlocal most
        for number in numbers:
            await one(number)
            most = max(most, resident(server.pid))
            if number % 50 == 49:
                print(f"  after {number + 1}: {resident(server.pid):.0f} MB", flush=True)

    await one(-1)  # loads everything that the first training loads lazily
    before = resident(server.pid)
    began = time.perf_counter()
    await asyncio.gather(*(in_turn() for _ in range(TOGETHER)))
    taken = time.perf_counter() - began
    await asyncio.sleep(AWAY + 3 * BETWEEN_LOOKS)
    after = resident(server.pid)
    yield Line(
        f"{comers} sessions that come, train on a megabyte of their own, step and go: memory at the end",
        f"{after - before:+.0f} MB",
        "+150 MB",
        f"{before:.0f} MB before, at most {most:.0f} MB meanwhile; {taken:.0f} s, {TOGETHER} at a time",
    )
    yield _failed(server, failures)


def resident(pid: int) -> float:
    """Resident memory of a process in megabytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


# -- the command -------------------------------------------------------------------------------------------------


def _failed(server: Server, failures: Failures) -> Line:
    tracebacks = server.log_text().count("Traceback")
    seen = "; ".join(sorted(set(failures)))
    return Line("errors shown, tracebacks in the server's log", f"{len(failures)}, {tracebacks}", "0, 0", seen)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.0f} ms"


async def _lines(work: AsyncIterator[Line]) -> list[Line]:
    lines = []
    async for line in work:
        print(line, flush=True)
        lines.append(line)
    return lines


def _measured(part: str, project: Path, comers: int) -> list[Line]:
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder), project) as server:
        time.sleep(5)  # kernels and vocabularies are loaded in the background
        return asyncio.run(_lines(a_class(server) if part == "steps" else come_and_go(server, comers)))


def main() -> None:
    """Serve the app and put it under load."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, help="one part of it")
    parser.add_argument("--comers", type=int, default=COMERS, help="how many come and go")
    parser.add_argument("--project", type=Path, default=PROJECT, help="another copy of the project to measure")
    parser.add_argument("--write", action="store_true", help=f"write the table to docs/{SPEED.name}")
    asked = parser.parse_args()
    load = os.getloadavg()[0]
    parts = [asked.only] if asked.only else PARTS
    lines = [line for part in parts for line in _measured(part, asked.project, asked.comers)]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    table = ["| what | measured | at most | |", "| --- | ---: | ---: | --- |", *map(str, lines), ""]
    table.append(f"Server and visitors on one machine: {machine}, load {load:.1f} before.")
    print("\n".join(table))
    if asked.write:
        write_table("python -m benchmarks.class_load", "\n".join(table))


if __name__ == "__main__":
    main()
