"""Memory that work takes while it is done: estimated before it begins, held against a limit that a program may set.

Without a limit, which is the default, nothing is estimated. The app sets one for all of its visitors together.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Limit = Callable[[int], AbstractContextManager[None]]
"""Called with bytes: the context in which they are taken. It may wait before, or raise CorpusError for too many."""

SMALL = 1 << 20
"""The most bytes that are taken without being counted."""

_limit: Limit | None = None
_UNLIMITED = nullcontext()


def limit_work(limit: Limit | None) -> None:
    """Hold all work of this process against a limit from now on; None for none.

    >>> limit_work(None)
    """
    global _limit
    _limit = limit


def taking(size: int | Callable[[], int]) -> AbstractContextManager[None]:
    """Context of work that takes about `size` bytes more than what is held around it; called only if there is a limit.

    Up to SMALL bytes are not counted.

    >>> with taking(1_000):
    ...     data = bytes(1_000)
    """
    if _limit is None:
        return _UNLIMITED
    needed = size() if callable(size) else size
    return _limit(needed) if needed > SMALL else _UNLIMITED
