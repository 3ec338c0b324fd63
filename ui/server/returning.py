"""A browser that comes back: it gets its page again, from its session, or by its address if that is gone.

A connection that breaks ends the run that it breaks into. Streamlit sends what that run still said when the browser is
back, and says that the run succeeded: the page is emptied, and shows as much as the run had drawn. Here that is
dropped, and the page drawn anew.

The session is gone after a restart of the server, and for a computer that slept for long. Streamlit gives the browser a
new, empty session and leaves its page as it was, whose every click is then about parts of a page that this session
never had, and is passed over. The browser alone knows its address, and what makes it ask for a run is Streamlit's
repeated run of a part: such a run is announced for a part that there is not, and the first request of it is taken for
the whole page's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession

if TYPE_CHECKING:
    from typing import Any

    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.runtime.session_manager import SessionClient

NO_PART = "the page of one who came back"

SOON = 0.05
"""Seconds until the browser asks, and between requests until it is told to stop."""

_connect = Runtime.connect_session


def bring_back_pages() -> None:
    """From now on a browser whose session is gone, or whose run was cut off, draws its page anew once connected."""
    Runtime.connect_session = _connect_and_ask  # type: ignore[assignment, method-assign]


def _connect_and_ask(
    runtime: Runtime,
    client: SessionClient,
    user_info: Any,
    existing_session_id: str | None = None,
    session_id_override: str | None = None,
) -> str:
    session_id = _connect(runtime, client, user_info, existing_session_id, session_id_override)
    if existing_session_id and (session_id != existing_session_id or _drop_unsent(runtime, session_id)):
        ask = ForwardMsg()
        ask.auto_rerun.fragment_id = NO_PART
        ask.auto_rerun.interval = SOON
        client.write_forward_msg(ask)
    return session_id


def _drop_unsent(runtime: Runtime, session_id: str) -> bool:
    """Drop what a session said while it had no browser; returns whether there was anything."""
    info = runtime._session_mgr.get_session_info(session_id)
    return info is not None and bool(info.session.flush_browser_queue())


def take_as_whole(session: AppSession, state: ClientState) -> None:
    """Let a request for a part of a page be one for the whole page, where it is to be drawn anew or never was."""
    is_new = not session.page_script_hash and not session.has_fragment(state.fragment_id)
    if state.fragment_id and (is_new or state.fragment_id == NO_PART):
        if state.fragment_id == NO_PART and (client := Runtime.instance().get_client(session.id)):
            stop = ForwardMsg()
            stop.stop_auto_rerun.fragment_ids.append(NO_PART)
            client.write_forward_msg(stop)
        state.fragment_id = ""
        state.is_auto_rerun = False
