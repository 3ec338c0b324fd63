"""Who is on the server: the session that a thread runs for, and what is given back when one has ended.

Streamlit keeps the session of a lost connection for two minutes, in case it comes back, and says nothing when it drops
it. Here one that has been away for a while is ended, those who keep something for it are told, and what is free then is
returned to the system.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

from streamlit.runtime import Runtime

AWAY = 110.0
"""Seconds without a connection after which a session ends. Streamlit itself forgets it after 120."""

BETWEEN_LOOKS = 5.0


class Visitors:
    """The sessions that asked for something and have not ended."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[str, float] = {}
        self._told: list[Callable[[str], None]] = []
        self._watching: Thread | None = None

    def when_one_left(self, tell: Callable[[str], None]) -> None:
        """Call this with the session of each visitor who is gone."""
        self._told.append(tell)

    def came(self, session: str | None) -> None:
        """This session asks for something. None: nobody."""
        if session is None:
            return
        with self._lock:
            self._seen[session] = self._clock()
            if self._watching is None:
                self._watching = Thread(target=self._watch, name="visitors", daemon=True)
                self._watching.start()

    def look(self, is_there: Callable[[str], bool], end: Callable[[str], object]) -> list[str]:
        """End the sessions that have been away for too long, and tell of them; returns their names."""
        now = self._clock()
        with self._lock:
            for session in self._seen:
                if is_there(session):
                    self._seen[session] = now
            gone = [session for session, seen in self._seen.items() if now - seen >= AWAY]
            for session in gone:
                del self._seen[session]
        for session in gone:
            end(session)
            for tell in self._told:
                tell(session)
        return gone

    def _watch(self) -> None:
        while True:
            time.sleep(BETWEEN_LOOKS)
            if Runtime.exists() and self.look(Runtime.instance().is_active_session, _end):
                time.sleep(1)  # it is ended in the server's own thread
                give_back()


def _end(session: str) -> None:
    """Let Streamlit forget a session that it still keeps. A server that is about to stop forgets all."""
    runtime = Runtime.instance()
    with suppress(RuntimeError):
        runtime._get_async_objs().eventloop.call_soon_threadsafe(runtime.close_session, session)


def give_back() -> None:
    """Free what only holds itself, and return free memory to the system."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; other libraries do it by themselves
        if trim is not None:
            trim(0)


VISITORS = Visitors()
