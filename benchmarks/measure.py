"""Interleaved timing: every contestant in turn, several rounds, the median of each."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any


def interleaved(
    contestants: Mapping[str, Callable[[], Any]], *, rounds: int
) -> tuple[dict[str, float], dict[str, Any]]:
    """The median seconds of each contestant over `rounds` rounds of all of them in turn, and what each returned.

    One round more comes first and is not counted: in it tables are built and memory is taken from the system.

    >>> seconds, results = interleaved({"one": lambda: 1, "two": lambda: 2}, rounds=3)
    >>> results
    {'one': 1, 'two': 2}
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    results: dict[str, Any] = {}
    for number in range(rounds + 1):
        for name, run in contestants.items():
            gc.collect()
            start = time.perf_counter()
            results[name] = run()
            if number:
                seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}, results


def machine() -> str:
    """What it was measured on, in a line."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "tokenizers", "rustbpe", "tiktoken"))
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; {packages}"
