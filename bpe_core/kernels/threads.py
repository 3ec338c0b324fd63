"""Parallel work on all cores: equal parts, one thread each, while kernels release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from typing import Any, TypeVar

Result = TypeVar("Result")

SMALLEST_PART = 1 << 17
"""Symbols, words or bytes of text worth another thread."""

_most: ContextVar[int | None] = ContextVar("threads within at_most", default=None)


def cores() -> int:
    """Number of threads that can run in parallel.

    >>> cores() > 0
    True
    """
    return _most.get() or os.cpu_count() or 1


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Within the `with` block, `cores` is `count` for this thread: other processes use the other cores.

    >>> with at_most(1):
    ...     cores()
    1
    """
    before = _most.set(count)
    try:
        yield
    finally:
        _most.reset(before)


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
