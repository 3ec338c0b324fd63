"""Put a class of visitors on the app and print how long they wait, and what they leave behind.

python -m benchmarks.class_load            # 200 open sessions; 20 and then all of them step at once; a long training
python -m benchmarks.class_load --memory   # 500 sessions that come and go, each with its own megabyte

Each visitor is a web socket that speaks Streamlit's own protocol (benchmarks/visitor.py): no browser draws what comes,
so the figures are those of the server, from the message sent to the last one received. The app is started as
scripts/run does, and on the same machine as its visitors.
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
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.stopwatch import cpu_seconds
from benchmarks.visitor import Answer, Visitor
from tests.browser.serving import PROJECT, Server, served_app
from ui.memory.visitors import AWAY, BETWEEN_LOOKS

SESSIONS = 200
AT_ONCE = 20
COMERS = 500
TOGETHER = 4
"""Sessions of the memory test that are open at the same time."""

MEGABYTE = 1_000_000
ROUNDS = 12


class Failures(list[str]):
    """What visitors were shown as an exception, or lost."""

    def note(self, answers: Sequence[Answer]) -> None:
        self += [answer.failed for answer in answers if answer.failed]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all is not above.

    >>> percentile([3, 1, 2, 4], 0.5), percentile([3, 1, 2, 4], 0.95)
    (2, 4)
    """
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


def megabyte(number: int) -> str:
    """A text of a megabyte that no other number gives."""
    words = random.Random(number)
    known = ["".join(words.choices("aeionrstlm", k=words.randint(2, 9))) for _ in range(3_000)]
    return " ".join(words.choices(known, k=MEGABYTE // 5))[:MEGABYTE]


async def at_once(visitors: Sequence[Visitor], step: Callable[[int], int]) -> list[Answer]:
    """All of these visitors ask for a step in the same moment."""
    return list(await asyncio.gather(*(visitor.go_to(step(i)) for i, visitor in enumerate(visitors))))


async def rounds_of(visitors: Sequence[Visitor], step: Callable[[int, int], int]) -> list[list[Answer]]:
    """Several rounds of steps at once; a step is chosen by the number of the round and of the visitor."""
    return [await at_once(visitors, lambda i, number=number: step(number, i)) for number in range(ROUNDS)]  # type: ignore[misc]


# -- the class ---------------------------------------------------------------------------------------------------


async def a_class(server: Server) -> None:
    """Open the sessions, and let them step."""
    failures = Failures()
    visitors = []
    began = time.perf_counter()
    for _ in range(SESSIONS // AT_ONCE):
        came = await asyncio.gather(*(Visitor.come(server.url) for _ in range(AT_ONCE)))
        failures.note([answer for _, answer in came])
        visitors += [visitor for visitor, _ in came]
    print(f"{SESSIONS} sessions opened in {time.perf_counter() - began:.1f} s, {AT_ONCE} at a time")

    some = visitors[:AT_ONCE]
    await at_once(some, lambda _: 1)  # what one step computes once for all later ones is at hand
    for what, step in (
        ("to the same step", lambda number, _: 2 + number),
        ("each to a step of its own", lambda number, i: 20 + number * AT_ONCE % 200 + i),
    ):
        before = cpu_seconds(server.pid)
        rounds = await rounds_of(some, step)
        answers = [answer for each in rounds for answer in each]
        failures.note(answers)
        seconds = [answer.seconds for answer in answers]
        print(
            f"{AT_ONCE} of {SESSIONS} at once, {what}: median {_ms(statistics.median(seconds))}, "
            f"95th percentile {_ms(percentile(seconds, 0.95))}, "
            f"{_ms((cpu_seconds(server.pid) - before) / len(answers))} of computing each, "
            f"{statistics.mean(answer.size for answer in answers) / 1000:.0f} KB each"
        )
    for number, what in enumerate(("to the same step", "each to a step of its own")):
        answers = await at_once(visitors, lambda i, number=number: 40 + number * i)  # type: ignore[misc]
        failures.note(answers)
        seconds = [answer.seconds for answer in answers]
        print(f"all {SESSIONS} at once, {what}: median {_ms(statistics.median(seconds))}, last {_ms(max(seconds))}")
    await beside_a_training(visitors, failures)
    await asyncio.gather(*(visitor.leave() for visitor in visitors))
    _conclude(server, failures)


async def beside_a_training(visitors: Sequence[Visitor], failures: Failures) -> None:
    """One visitor steps alone, and then while another one trains on one megabyte after the other."""
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
    print(
        f"a step while another visitor trains on a megabyte (in {_ms(statistics.median(a.seconds for a in answers))}): "
        f"median {_ms(median_beside)}, alone {_ms(median_alone)}: {median_beside / median_alone:.1f} times"
    )


# -- memory ------------------------------------------------------------------------------------------------------


async def come_and_go(server: Server, comers: int) -> None:
    """Visitors come, paste a megabyte of their own, train on it, step and leave; a few are there at the same time."""
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

    await one(-1)  # loads what the first training loads
    before = resident(server.pid)
    print(f"at the beginning: {before:.0f} MB")
    began = time.perf_counter()
    await asyncio.gather(*(in_turn() for _ in range(TOGETHER)))
    taken = time.perf_counter() - began
    print(f"the last one has left: {resident(server.pid):.0f} MB; sessions end {AWAY:.0f} s later", flush=True)
    await asyncio.sleep(AWAY + 3 * BETWEEN_LOOKS)
    after = resident(server.pid)
    print(
        f"{comers} sessions with a megabyte each came and went in {taken:.0f} s: "
        f"{after:.0f} MB, {after - before:+.0f}; at most {most:.0f} MB meanwhile"
    )
    _conclude(server, failures)


def resident(pid: int) -> float:
    """Megabytes of memory that a process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


# -- the command -------------------------------------------------------------------------------------------------


def _conclude(server: Server, failures: Failures) -> None:
    tracebacks = server.log_text().count("Traceback")
    print(f"errors: {len(failures)} shown, {tracebacks} in the server's log")
    for failed in sorted(set(failures)):
        print(f"  {failed}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.0f} ms"


def _arguments() -> Iterator[argparse.Namespace]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", action="store_true", help="sessions that come and go instead")
    parser.add_argument("--comers", type=int, default=COMERS, help="how many come and go")
    parser.add_argument("--project", type=Path, default=PROJECT, help="another copy of the project to measure")
    yield parser.parse_args()


def main() -> None:
    """Serve the app and load it."""
    [asked] = _arguments()
    work: Callable[[Server], Awaitable[None]] = a_class
    if asked.memory:

        async def work(server: Server) -> None:
            await come_and_go(server, asked.comers)

    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder), asked.project) as server:
        time.sleep(5)  # kernels and vocabularies are loaded in the background
        asyncio.run(work(server))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
