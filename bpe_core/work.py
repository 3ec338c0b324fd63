"""Memory budget of running work: estimated before it begins, checked against a limit that a program may set.

Without a limit, the default, nothing is estimated. The app sets one limit for all sessions together.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Limit = Callable[[int], AbstractContextManager[None]]
"""Called with a number of bytes; returns the context that holds them. It may block, or raise CorpusError for too
many.
"""

SMALL = 1 << 20
"""Largest number of bytes that is not counted."""

_limit: Limit | None = None
_UNLIMITED = nullcontext()


def limit_work(limit: Limit | None) -> None:
    """Set the limit for all work of this process; None removes it.

    >>> limit_work(None)
    """
    global _limit
    _limit = limit


def taking(size: int | Callable[[], int]) -> AbstractContextManager[None]:
    """Context that holds about `size` additional bytes; a callable `size` is evaluated only if there is a limit.

    Up to SMALL bytes are not counted.

    >>> with taking(1_000):
    ...     data = bytes(1_000)
    """
    if _limit is None:
        return _UNLIMITED
    needed = size() if callable(size) else size
    return _limit(needed) if needed > SMALL else _UNLIMITED
