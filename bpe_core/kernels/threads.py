"""Parallel work on all cores: equal parts, one thread each, while kernels release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

Result = TypeVar("Result")

SMALLEST_PART = 1 << 17
"""Symbols, words or bytes of text worth another thread."""


def cores() -> int:
    """Number of threads that can run in parallel.

    >>> cores() > 0
    True
    """
    return os.cpu_count() or 1


def in_threads(work: Callable[..., Result], given: Sequence[tuple[Any, ...]]) -> list[Result]:
    """Results of the calls, in order, one thread per call.

    >>> in_threads(lambda a, b: a + b, [(1, 2), (3, 4)])
    [3, 7]
    """
    if len(given) == 1:
        return [work(*given[0])]
    with ThreadPoolExecutor(len(given)) as threads:
        return list(threads.map(lambda each: work(*each), given))


def parts(items: int, size: int) -> list[tuple[int, int]]:
    """Equal parts of the items as (first, one after the last), one per thread that is worthwhile for this size.

    >>> parts(10, size=1)
    [(0, 10)]
    """
    count = max(1, min(cores(), size // SMALLEST_PART, items))
    return list(pairwise(items * part // count for part in range(count + 1)))
