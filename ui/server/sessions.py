"""Parts of a session that differ from Streamlit's: an event loop without descriptors, and an outgoing queue that fits.

When a fragment rerun starts, Streamlit drops this fragment's unsent messages, but neither those that refer to an element
in the browser's cache nor those of nested fragments. Their containers are dropped, so the browser cannot place them
("Bad delta path index") and the whole page is lost. Here the rerun drops nothing: the browser gets the same messages as
if they had been sent in time.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from ui.server.descriptors import UnopenedLoop

_init = AppSession.__init__


class BrowserQueue(ForwardMsgQueue):
    """Unsent messages of a session; a fragment rerun leaves them in the queue."""

    def clear(self, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None) -> None:
        """Clear the queue for a full rerun; for a fragment rerun, only stop merging new messages into older ones."""
        if fragment_ids_this_run:
            self._delta_index_map = {}
        else:
            super().clear(retain_lifecycle_msgs)


def adapt_sessions() -> None:
    """Give each new session of this process these parts."""
    AppSession.__init__ = _begin_session  # type: ignore[method-assign, assignment]


def _begin_session(session: AppSession, *given: Any, **named: Any) -> None:
    _init(session, *given, **named)
    session._script_event_loop.close()
    session._script_event_loop = UnopenedLoop()
    session._browser_queue = BrowserQueue()
