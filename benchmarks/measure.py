"""Interleaved timing: all contestants in turn for several rounds, the median of each."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any


def interleaved(
    contestants: Mapping[str, Callable[[], Any]], *, rounds: int
) -> tuple[dict[str, float], dict[str, Any]]:
    """Median seconds of each contestant over `rounds` interleaved rounds, and the result of each.

    A warm-up round comes first: it builds tables and allocates memory.

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


PACKAGES = (
    *("numba", "tokenizers", "sentencepiece", "rustbpe", "tiktoken", "gigatoken", "toktok-rs", "ffbpe"),
    *("quicktok-v1", "snaptokens", "iree-tokenizer", "nanotoken", "gigabpe"),
)


def machine(packages: Sequence[str] = PACKAGES) -> str:
    """The machine and the versions of the installed libraries, in one line."""
    versions = ", ".join(f"{name} {_version(name)}" for name in packages)
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; {versions}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
