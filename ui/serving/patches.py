"""All parts of other libraries that the app replaces while it runs, each with what would make it unnecessary.

Checked with Streamlit 1.67 and Starlette 1.10; `requirements.txt` allows no other minor version of either.

AppSession.__init__: a session's event loop takes three descriptors and never runs; its unsent messages are cleared so
that those that remain have no place on the page (introduced with streamlit/streamlit#9381); each of its runs has its
own lock; what a run drew may never be sent. See sessions.py.

AppSession.handle_backmsg: forged messages end in tracebacks, and a rerun interrupts callbacks. Streamlit offers no hook
for messages. See message_guard.py and preemption.py.

Runtime.connect_session, WebsocketSessionManager.disconnect_session: a page stays half drawn after a reconnect, and a
click that was queued when the connection broke is discarded. Streamlit offers no hook for either. See reconnect.py.

MultiPartParser.spool_max_size: uploads of more than a megabyte are written to disk, which may be full or read-only.
Starlette's parser takes the size, but Streamlit does not pass one on.
"""

from __future__ import annotations

from typing import Any

from starlette.formparsers import MultiPartParser
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from ui.serving.message_guard import take_checked
from ui.serving.reconnect import connect_and_ask, disconnect
from ui.serving.sessions import begin_session

LARGEST_UPLOAD = 2**31
"""Bytes up to which no upload is written to disk; server.maxUploadSize refuses one long before."""


def replace_parts() -> None:
    """Replace them in this process; call before the first session begins."""
    session: Any = AppSession
    session.__init__ = begin_session
    session.handle_backmsg = take_checked
    runtime: Any = Runtime
    runtime.connect_session = connect_and_ask
    manager: Any = WebsocketSessionManager
    manager.disconnect_session = disconnect
    MultiPartParser.spool_max_size = LARGEST_UPLOAD
