"""All runtime patches of other libraries, each with its reason.

Checked with Streamlit 1.67 and Starlette 1.10; `requirements.txt` allows no other minor version of either.

streamlit.runtime.RuntimeConfig: st.App has no parameter for its field session_manager_class.
`Sessions` gives each session the parts of sessions.py and the checks of message_guard.py, and disconnects and resumes
it as reconnect.py describes. Upstream: streamlit/streamlit#13600, on the parameters of st.App.

MultiPartParser.spool_max_size: uploads of more than a megabyte are written to disk, which may be full or read-only.
Starlette's parser accepts the size, but Streamlit does not pass it. Upstream: Kludex/starlette#3190.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.formparsers import MultiPartParser
from streamlit import runtime
from streamlit.runtime import RuntimeConfig
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from ui.serving.message_guard import take_checked
from ui.serving.reconnect import ask_to_restore, disconnect_when_begun
from ui.serving.sessions import change_parts

if TYPE_CHECKING:
    from streamlit.runtime.script_data import ScriptData
    from streamlit.runtime.session_manager import SessionClient

LARGEST_UPLOAD = 2**31
"""Size in bytes below which no upload is written to disk; server.maxUploadSize is far lower."""


class Sessions(WebsocketSessionManager):
    """Session manager that checks messages, and keeps a queued run when the connection breaks."""

    def connect_session(
        self,
        client: SessionClient,
        script_data: ScriptData,
        user_info: Any,
        existing_session_id: str | None = None,
        session_id_override: str | None = None,
    ) -> str:
        """Connect a session; the browser of an existing one redraws its page."""
        session_id = super().connect_session(client, script_data, user_info, existing_session_id, session_id_override)
        info: Any = self.get_active_session_info(session_id)
        session = info.session
        if session_id != existing_session_id:
            session.handle_backmsg = partial(take_checked, session)
            change_parts(session)
        if existing_session_id:
            ask_to_restore(session, client)
        return session_id

    def disconnect_session(self, session_id: str) -> None:
        """Disconnect a session once its queued run has begun."""
        disconnect_when_begun(super().disconnect_session, self, session_id)


def replace_parts() -> None:
    """Apply the patches in this process; call before its runtime is made."""
    replaced: Any = runtime
    replaced.RuntimeConfig = partial(RuntimeConfig, session_manager_class=Sessions)
    MultiPartParser.spool_max_size = LARGEST_UPLOAD
