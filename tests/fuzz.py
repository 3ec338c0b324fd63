"""Property tests with new draws, round after round, for a given time: scripts/fuzz --help.

Each round is a pytest process with its own seed. This module is also that process's plugin: it keeps only tests that
draw values, and reports each failing property once, with the command that reproduces it.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import is_hypothesis_test

USAGE = "scripts/fuzz [TIME] [--seed N] [--jobs N] [PYTEST ARGUMENTS]"
UNITS = {"s": 1, "m": 60, "h": 3600}
WITHOUT_BROWSER = ("tests", "--ignore=tests/browser")
OPTIONS = (
    "-p",
    "tests.fuzz",
    "-p",
    "no:cacheprovider",
    "-v",
    "--tb=short",
    "--color=no",
    "--continue-on-collection-errors",
)
LONGEST_TEST = 1200  # seconds; a test that takes longer counts as a hang
HANGING = ("-o", f"faulthandler_timeout={LONGEST_TEST}", "-o", "faulthandler_exit_on_timeout=true")


class Fuzz(NamedTuple):
    """Arguments for pytest, end of the time, and file of the failing properties: the same for all rounds of a run."""

    arguments: list[str]
    until: float
    found: Path

    def round(self, seed: int) -> int:
        """Run one round; return the number of properties tried. A crash or hang of the process counts as a finding."""
        environment = {
            **os.environ,
            "BPE_LAB_TESTS": "fuzz",
            "BPE_LAB_SEED": str(seed),
            "PYTHONHASHSEED": str(seed % 2**32),
        }
        plugin = [f"--hypothesis-seed={seed}", f"--found={self.found}", f"--until={self.until}"]
        command = [sys.executable, "-m", "pytest", *self.arguments, *OPTIONS, *HANGING, *plugin]
        with tempfile.TemporaryFile("w+") as output:
            code = subprocess.run(command, env=environment, stdout=output, check=False).returncode
            output.seek(0)
            lines = output.read().splitlines()
        tried = [line for line in lines if line.startswith("tests/") and "::" in line]
        if code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise SystemExit("\n".join(lines[-1:]))
        if code:
            last = property_of(tried[-1]) if tried else shlex.join(self.arguments)
            report(self.found, last, seed, "\n".join([*lines[-20:], f"The process ended with exit code {code}."]))
        return len({property_of(line) for line in tried})


def report(found: Path, test: str, seed: int, text: str) -> None:
    """Print a finding with the command that reproduces it, and skip its property from now on."""
    with found.open("a") as file:
        file.write(f"{property_of(test)}\n")
    print(f"\n== {test}\n{text}\nRepeat: scripts/fuzz --seed {seed} {shlex.quote(test)}\n", file=sys.stderr, flush=True)


def property_of(test: str) -> str:
    """Name of a test without its parameters and outcome."""
    return test.split("[")[0].split(" ")[0]


# -- the plugin of a round -----------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--found", type=Path)
    parser.addoption("--until", type=float)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep only property tests, with files in random order: time may run out before the last one."""
    properties = [item for item in items if isinstance(item, pytest.Function) and is_property(item)]
    order = sorted({item.path for item in properties})
    Random(os.environ["BPE_LAB_SEED"]).shuffle(order)
    items[:] = sorted(properties, key=lambda item: order.index(item.path))


def is_property(item: pytest.Function) -> bool:
    return is_hypothesis_test(item.function) or "rng" in item.fixturenames


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Skip the body of a property that has already failed, with other parameters or in another round."""
    found = pyfuncitem.config.getoption("found").read_text().splitlines()
    return property_of(pyfuncitem.nodeid) in found or None


def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Stop the round after the test running when time is up."""
    if time.time() > item.config.getoption("until"):
        item.session.shouldstop = "time is over"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    return reported(item.config, (yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    return reported(collector.config, (yield))


def reported(config: pytest.Config, made: Any) -> Any:
    if made.failed:
        report(config.getoption("found"), made.nodeid, int(os.environ["BPE_LAB_SEED"]), made.longreprtext)
    return made


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Exit with code 0 after failures, which are already reported: other codes mean a crash or a usage error."""
    if session.exitstatus in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
        session.exitstatus = pytest.ExitCode.OK


# -- the command ---------------------------------------------------------------------------------------------


def main() -> int:
    """Fuzz until time is up; exit code 1 if there are findings."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", usage=USAGE, description=__doc__, allow_abbrev=False)
    parser.add_argument("--seed", type=int, help="seed of the first round; without a time, of the only one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="rounds at a time; default: all processors")
    options, others = parser.parse_known_args()
    seconds = 600.0
    given = re.fullmatch(r"([\d.]+)([smh])", others[0]) if others else None
    if given is not None:
        seconds = float(given[1]) * UNITS[given[2]]
        others = others[1:]
    once = options.seed is not None and given is None
    first = options.seed if options.seed is not None else secrets.randbelow(10**9)
    until = float("inf") if once else time.time() + seconds
    print(f"Seed {first}" + ("" if once else f", {seconds:.0f} s, {options.jobs} jobs"), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found")
        found.touch()
        fuzz = Fuzz(others or list(WITHOUT_BROWSER), until, found)
        if once:
            fuzz.round(first)
        else:
            fuzz_until(fuzz, first, options.jobs)
        properties = sorted(set(found.read_text().splitlines()))
    print("\n".join(["Found in:", *properties]) if properties else "Nothing found.")
    return 1 if properties else 0


def fuzz_until(fuzz: Fuzz, first: int, jobs: int) -> None:
    """Run rounds of consecutive seeds, several at a time, until time is up."""
    seeds, lock, interrupted = count(first), threading.Lock(), threading.Event()

    def rounds() -> None:
        while time.time() < fuzz.until and not interrupted.is_set():
            with lock:
                seed = next(seeds)
            start = time.monotonic()
            tried = fuzz.round(seed)
            print(f"Seed {seed}: {tried} properties in {time.monotonic() - start:.0f} s", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(rounds) for _ in range(jobs)]
        try:
            for each in running:
                each.result()
        finally:
            interrupted.set()


if __name__ == "__main__":
    sys.exit(main())
