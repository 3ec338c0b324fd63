"""Connected and disconnected sessions: callbacks after a disconnect, and expiry.

Streamlit keeps a disconnected session for two minutes in case the browser reconnects, and drops it without notice.
Here listeners are called as soon as a session disconnects; the session's own values are kept while they fit. A session
that stays disconnected is ended, and the freed memory is returned to the system.
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
"""Seconds after a disconnect at which a session ends. Streamlit itself drops it after 120."""

MOST_AWAY = 100
"""Maximum number of disconnected sessions. Streamlit keeps 128, and drops others without freeing their memory."""

SHARE_AWAY = 8
"""Disconnected sessions together may hold limit / SHARE_AWAY."""

BETWEEN_LOOKS = 1.0


@dataclass(frozen=True)
class Held:
    """Approximate bytes held by a disconnected session; `only_here`: its page's URL cannot restore them."""

    size: int
    only_here: bool = False


class Visitors:
    """Sessions seen by this server and not ended."""

    def __init__(
        self,
        limit: int,
        held: Callable[[str], Held] = lambda session: Held(0),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`limit`: server memory in bytes; `held`: returns the memory held by a disconnected session."""
        self.held = held
        self.in_loop: Callable[[Callable[[], None]], object] = lambda call: call()
        """Calls in the server's event loop, where sessions are closed."""
        self._limit = limit
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[str, float] = {}
        self._held: dict[str, Held] = {}
        self._stoppable: set[str] = set()
        self._ahead: dict[str, str] = {}  # fragment id by session
        self._listeners: list[Callable[[Collection[str]], bool]] = []
        self._freed = False
        self._watching: Thread | None = None

    def on_disconnect(self, listener: Callable[[Collection[str]], bool]) -> None:
        """Add a listener, called at each check with all disconnected sessions; it returns whether it freed memory."""
        self._listeners.append(listener)

    def came(self, session: str | None) -> None:
        """Record activity of a session; no-op for None."""
        if session is None:
            return
        with self._lock:
            self._seen[session] = self._clock()
            if self._watching is None:
                self._watching = Thread(target=self._watch, name="visitors", daemon=True)
                self._watching.start()

    def run_begins(self, session: str | None) -> None:
        """Record that a run of a session's page begins, which no fragment may stop yet; no-op for None."""
        self.came(session)
        self._stoppable.discard(session or "")
        self._ahead.pop(session or "", None)

    def let_actions_stop_run(self, session: str | None, they_may: bool) -> None:
        """Set whether an action in a fragment stops the session's run, as an action elsewhere does; no-op for None."""
        if they_may and session is not None:
            self._stoppable.add(session)
        else:
            self._stoppable.discard(session or "")

    def actions_stop_run(self, session: str) -> bool:
        """Whether an action in a fragment stops the session's run: see ui/serving/preemption.py. Does not block."""
        return session in self._stoppable

    def let_run_ahead(self, session: str | None, fragment: str | None) -> None:
        """Let a fragment of the session's page stop the run that draws the rest, if any; no-op for None."""
        if session is not None and fragment is not None:
            self._ahead[session] = fragment

    def runs_ahead(self, session: str, fragment: str) -> bool:
        """Whether a fragment may stop the run that draws the rest of its page. Does not block."""
        return self._ahead.get(session) == fragment

    def give_back_soon(self) -> None:
        """Collect garbage and return free memory to the system at the next check."""
        self._freed = True

    def look(self, is_there: Callable[[str], bool], end: Callable[[str], object]) -> list[str]:
        """End sessions that expired or exceed the memory limit, and notify listeners of all disconnected ones.

        Return the ended sessions.
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
                self._stoppable.discard(session)
                self._ahead.pop(session, None)
        for session in ended:
            end(session)
        freed = [listener(away) for listener in self._listeners] if away else []
        self._freed |= bool(ended) or any(freed)
        return ended

    def _to_end(self, away: dict[str, float], now: float) -> list[str]:
        """Sessions that expired or exceed the limits; recent ones and those with unrestorable values stay longest."""
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
            if self._freed:  # by now the server thread has ended the sessions
                self._freed = False
                give_back()
            try:
                is_there = Runtime.instance().is_active_session
            except RuntimeError:  # the server is not running yet, or no longer
                continue
            self.look(is_there, self._end)

    def _end(self, session: str) -> None:
        """Drop a session in Streamlit. A no-op while the server shuts down, since that drops all sessions."""

        def close() -> None:
            if runtime.is_active_session(session):
                self.came(session)  # it has just reconnected
            else:
                runtime.close_session(session)

        with suppress(RuntimeError):
            runtime = Runtime.instance()
            self.in_loop(close)


VISITORS = Visitors(LIMIT // SHARE_AWAY)
