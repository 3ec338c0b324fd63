"""File descriptors: one per session, the system's limit raised, and one log line when they run out.

Streamlit gives each session an event loop, which takes three descriptors and never runs, since pages do not use
asyncio. Here a loop opens its descriptors only when it first runs.
"""

from __future__ import annotations

import asyncio
import errno
import selectors
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

from streamlit.logger import get_logger

resource: Any = None
with suppress(ImportError):  # Windows has no such limit
    resource = import_module("resource")

WANTED = 8192
"""Descriptors requested from the system. macOS allows a process about ten thousand at most."""

OF_SERVER = 64
"""Descriptors of the server itself: log, libraries, threads, open files."""

OF_VISITOR = 4
"""Descriptors per visitor: the websocket, and connections for files, which are closed when idle."""

BETWEEN_LINES = 60.0
"""Minimum seconds between log lines about exhausted descriptors."""

_LOGGER = get_logger(__name__)

_Selector: Any = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""A selector that needs no descriptor."""


class UnopenedLoop(asyncio.SelectorEventLoop):
    """An event loop that opens no descriptors until it runs."""

    def __init__(self) -> None:
        super().__init__(_Selector())

    def _make_self_pipe(self) -> None:
        self._ssock: Any = None
        self._csock: Any = None

    def run_forever(self) -> None:
        if self._ssock is None:
            super()._make_self_pipe()  # type: ignore[misc]
        super().run_forever()

    def _close_self_pipe(self) -> None:
        if self._ssock is not None:
            super()._close_self_pipe()  # type: ignore[misc]


def raise_limit() -> None:
    """Raise this process's descriptor limit to WANTED, or as far as the system permits."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # some systems allow fewer than their hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_descriptors() -> int | None:
    """Maximum number of descriptors of this process; None if unlimited."""
    if resource is None:
        return None
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else int(soft)


def visitors_that_fit(allowed: int) -> int:
    """Number of simultaneous visitors that this many descriptors allow.

    >>> visitors_that_fit(256), visitors_that_fit(1024), visitors_that_fit(10)
    (48, 240, 0)
    """
    return max(0, (allowed - OF_SERVER) // OF_VISITOR)


class ShortLog:
    """Exception handler of the server's event loop: exhausted descriptors take one log line at intervals.

    asyncio logs a traceback for each connection that it cannot accept, a hundred at a time.
    """

    def __init__(self) -> None:
        self._reported_at = -BETWEEN_LINES

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE):
            loop.default_exception_handler(context)
        elif (now := time.monotonic()) >= self._reported_at + BETWEEN_LINES:
            self._reported_at = now
            _LOGGER.warning("No more connections: this process has all %s file descriptors in use.", most_descriptors())
