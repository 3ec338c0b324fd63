"""Restore the page after a websocket reconnect, from its session or, without one, from its URL.

A lost connection interrupts the run in progress. After the reconnect Streamlit sends that run's remaining messages and
reports success, so the page shows only the part drawn before. Here these messages are dropped and the page is
always redrawn, since the last messages before the disconnect may be lost. Streamlit also discards a queued run with its
button click; here the run starts, so that its callbacks change the session, and is stopped then.

After a server restart, or if the computer was asleep for long, the session no longer exists. Streamlit gives the
browser a new, empty session but leaves the page as it was: every click on it refers to fragments that this session does
not have, and is ignored. Only the browser knows its URL, and only Streamlit's automatic fragment reruns make it send a
request. So the server announces such a rerun for a fragment that does not exist, and treats the first request for it as
a full rerun.

Upstream: streamlit/streamlit#9083, which decides what a reconnect runs again, and streamlit/streamlit#8901.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.session_manager import SessionClient, SessionManager

RESTORE_FRAGMENT = "the page of one who came back"

SOON = 0.05
"""Seconds until the browser sends its request, and between requests until they are stopped."""

LOOKS = 200
"""Number of checks for the start of a queued run, before the session is stopped anyway."""


def ask_to_restore(session: AppSession, client: SessionClient) -> None:
    """Drop the messages queued while a session was disconnected, and ask its browser to redraw the page."""
    session.flush_browser_queue()
    ask = ForwardMsg()
    ask.auto_rerun.fragment_id = RESTORE_FRAGMENT
    ask.auto_rerun.interval = SOON
    client.write_forward_msg(ask)


def disconnect_when_begun(disconnect: Callable[[str], None], manager: SessionManager, session_id: str) -> None:
    """Disconnect a session by `disconnect`, but let a queued run start before stopping it."""
    info = manager.get_active_session_info(session_id)
    if info is not None and (runner := info.session._scriptrunner) is not None:
        # Stop the run at its next output, not in the middle of a callback, which uses session state.
        object.__setattr__(runner._session_state, "_yield_callback", lambda: None)
    if info is None or not _is_asked(info.session):
        disconnect(session_id)
        return
    session: Any = info.session
    session.request_script_stop = lambda: None
    try:
        disconnect(session_id)
    finally:
        del session.request_script_stop
    _stop_when_begun(manager, session, LOOKS)


def _stop_when_begun(manager: SessionManager, session: AppSession, looks: int) -> None:
    if manager.get_active_session_info(session.id) is not None:
        return  # the browser has reconnected
    if looks and _is_asked(session):
        asyncio.get_running_loop().call_later(SOON, _stop_when_begun, manager, session, looks - 1)
    else:
        session.request_script_stop()


def _is_asked(session: AppSession) -> bool:
    """Whether the session has a queued run that has not started."""
    runner = session._scriptrunner
    return runner is not None and runner._requests._state is ScriptRequestType.RERUN


def promote_to_full_rerun(session: AppSession, state: ClientState) -> None:
    """Turn a fragment rerun into a full rerun if the page must be redrawn or this session never ran it."""
    is_new = not session.page_script_hash and not session.has_fragment(state.fragment_id)
    if state.fragment_id and (is_new or state.fragment_id == RESTORE_FRAGMENT):
        if state.fragment_id == RESTORE_FRAGMENT and (client := Runtime.instance().get_client(session.id)):
            stop = ForwardMsg()
            stop.stop_auto_rerun.fragment_ids.append(RESTORE_FRAGMENT)
            client.write_forward_msg(stop)
        state.fragment_id = ""
        state.is_auto_rerun = False
