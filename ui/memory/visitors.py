"""Who is on the server: the session that a thread runs for, and what is given back when one has left or ended.

Streamlit keeps the session of a lost connection for two minutes, in case it comes back, and says nothing when it drops
it. Here those who keep something for a visitor are told as soon as he is away, and what he holds himself stays as long
as there is room for it. One who has been away for a while is ended, and what is free then is returned to the system.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread

from streamlit.runtime import Runtime

from ui.memory.limit import LIMIT
from ui.memory.system import give_back

AWAY = 110.0
"""Seconds without a connection after which a session ends. Streamlit itself forgets it after 120."""

MOST_AWAY = 100
"""Sessions without a connection. Streamlit keeps 128 of them, and lets others go without giving anything back."""

SHARE_AWAY = 8
"""All sessions without a connection may hold this part of the memory."""

BETWEEN_LOOKS = 1.0


@dataclass(frozen=True)
class Held:
    """What a session holds that is away: about so many bytes; `only_here`: its page's address could not restore it."""

    size: int
    only_here: bool = False


class Visitors:
    """The sessions that asked for something and have not ended."""

    def __init__(
        self,
        limit: int,
        held: Callable[[str], Held] = lambda session: Held(0),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`limit`: bytes that those who are away may hold; `held`: what one of them does."""
        self.held = held
        self._limit = limit
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[str, float] = {}
        self._held: dict[str, Held] = {}
        self._told: list[Callable[[Collection[str]], bool]] = []
        self._freed = False
        self._watching: Thread | None = None

    def when_away(self, tell: Callable[[Collection[str]], bool]) -> None:
        """Call this at every look with the sessions of all who are away or gone; it returns whether it freed much."""
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
        """End the sessions that have been away for too long, or hold too much, and tell of all that are away.

        Returns those that were ended.
        """
        now = self._clock()
        with self._lock:
            for session in self._seen:
                if is_there(session):
                    self._seen[session] = now
            away = {session: seen for session, seen in self._seen.items() if seen < now}
        self._held = {session: self._held.get(session) or self.held(session) for session in away}
        ended = self._to_end(away, now)
        with self._lock:
            for session in ended:
                del self._seen[session]
        for session in ended:
            end(session)
        freed = [tell(away) for tell in self._told] if away else []
        self._freed = bool(ended) or any(freed)
        return ended

    def _to_end(self, away: dict[str, float], now: float) -> list[str]:
        """Who is gone, and of the others who have no room: those who left last stay, and who has what is only here."""
        ended = [session for session, seen in away.items() if now - seen >= AWAY]
        others = [session for session in away if session not in ended]
        others.sort(key=lambda session: (self._held[session].only_here, away[session]), reverse=True)
        size = 0
        for number, session in enumerate(others):
            size += self._held[session].size
            if size > self._limit or number >= MOST_AWAY:
                ended.append(session)
        return ended

    def _watch(self) -> None:
        while True:
            time.sleep(BETWEEN_LOOKS)
            if self._freed:  # by now sessions are ended, which is done in the server's own thread
                self._freed = False
                give_back()
            try:
                is_there = Runtime.instance().is_active_session
            except RuntimeError:  # there is no server yet, or none any more
                continue
            self.look(is_there, self._end)

    def _end(self, session: str) -> None:
        """Let Streamlit forget a session that it still keeps. A server that is about to stop forgets all."""

        def close() -> None:
            if runtime.is_active_session(session):
                self.came(session)  # it came back in the last moment
            else:
                runtime.close_session(session)

        with suppress(RuntimeError):
            runtime = Runtime.instance()
            runtime._get_async_objs().eventloop.call_soon_threadsafe(close)


VISITORS = Visitors(LIMIT // SHARE_AWAY)
