"""Parts of a session that replace Streamlit's: an event loop without descriptors, and the queue of unsent messages.

When a fragment rerun starts, Streamlit drops the fragment's unsent messages, but keeps references to elements in the
browser's cache and the messages of nested fragments. Their containers are among those dropped: the browser finds no
place for them ("Bad delta path index", "Cannot set a node at a delta path") and the whole page is lost. Here a fragment
rerun drops nothing, and the browser gets what a faster server would have sent by then.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from ui.serving.descriptors import UnopenedLoop

_init = AppSession.__init__


class BrowserQueue(ForwardMsgQueue):
    """Unsent messages of a session, kept when a fragment reruns."""

    def clear(self, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None) -> None:
        """Clear the queue for a full rerun; for a fragment rerun keep it, and merge no newer message into it."""
        if fragment_ids_this_run:
            self._delta_index_map = {}
        else:
            super().clear(retain_lifecycle_msgs)


def adapt_sessions() -> None:
    """Use these parts in every new session of this process."""
    AppSession.__init__ = _begin_session  # type: ignore[method-assign, assignment]


def _begin_session(session: AppSession, *given: Any, **named: Any) -> None:
    _init(session, *given, **named)
    session._script_event_loop.close()
    session._script_event_loop = UnopenedLoop()
    session._browser_queue = BrowserQueue()
