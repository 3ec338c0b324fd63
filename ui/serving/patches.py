"""All runtime patches of other libraries, each with its reason.

Checked with Streamlit 1.67 and Starlette 1.10; `requirements.txt` allows no other minor version of either.

AppSession.__init__: a session's event loop takes three descriptors and never runs; clearing unsent messages leaves
others without their containers (since streamlit/streamlit#9381) and drops what an uploader waits for; runs of a session
do not share a lock; output of a finished run may never be sent. See sessions.py.

AppSession.handle_backmsg: forged messages end in tracebacks, and a rerun interrupts callbacks. Streamlit offers no hook
for messages. See message_guard.py and preemption.py.

Runtime.connect_session, WebsocketSessionManager.disconnect_session: a page stays half drawn after a reconnect, and a
click that was queued when the connection broke is discarded. Streamlit offers no hook for either. See reconnect.py.

MultiPartParser.spool_max_size: uploads of more than a megabyte are written to disk, which may be full or read-only.
Starlette's parser accepts the size, but Streamlit does not pass it.
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
"""Size in bytes below which no upload is written to disk; server.maxUploadSize is far lower."""


def replace_parts() -> None:
    """Apply the patches in this process; call before the first session begins."""
    session: Any = AppSession
    session.__init__ = begin_session
    session.handle_backmsg = take_checked
    runtime: Any = Runtime
    runtime.connect_session = connect_and_ask
    manager: Any = WebsocketSessionManager
    manager.disconnect_session = disconnect
    MultiPartParser.spool_max_size = LARGEST_UPLOAD
