"""Work on all cores: equal parts, each in a thread of its own, while kernels run without the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

Result = TypeVar("Result")

SMALLEST_PART = 1 << 17
"""Symbols, words or bytes of text that are worth starting another thread for."""


def cores() -> int:
    """How many threads may run side by side.

    >>> cores() > 0
    True
    """
    return os.cpu_count() or 1


def in_threads(work: Callable[..., Result], given: Sequence[tuple[Any, ...]]) -> list[Result]:
    """The results for what is given, in order, each in a thread of its own.

    >>> in_threads(lambda a, b: a + b, [(1, 2), (3, 4)])
    [3, 7]
    """
    if len(given) == 1:
        return [work(*given[0])]
    with ThreadPoolExecutor(len(given)) as threads:
        return list(threads.map(lambda each: work(*each), given))


def parts(items: int, size: int) -> list[tuple[int, int]]:
    """Equal parts of the items as (first, one after the last), one for each thread that work of this size is worth.

    >>> parts(10, size=1)
    [(0, 10)]
    """
    count = max(1, min(cores(), size // SMALLEST_PART, items))
    return list(pairwise(items * part // count for part in range(count + 1)))
