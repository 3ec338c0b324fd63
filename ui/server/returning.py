"""A browser that comes back: it gets its page again, from its session, or by its address if that is gone.

A connection that breaks ends the run that it breaks into. Streamlit sends what that run still said when the browser is
back, and says that the run succeeded: the page is emptied, and shows as much as the run had drawn. Here that is
dropped, and the page drawn anew, always: what was sent just before may not have arrived. What was asked for just
before, so that its run has not begun, is forgotten by Streamlit, a button that was clicked as well; here the run
begins, so that the session knows of it, and ends then.

The session is gone after a restart of the server, and for a computer that slept for long. Streamlit gives the browser a
new, empty session and leaves its page as it was, whose every click is then about parts of a page that this session
never had, and is passed over. The browser alone knows its address, and what makes it ask for a run is Streamlit's
repeated run of a part: such a run is announced for a part that there is not, and the first request of it is taken for
the whole page's.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.runtime.session_manager import SessionClient

NO_PART = "the page of one who came back"

SOON = 0.05
"""Seconds until the browser asks, and between requests until it is told to stop."""

LOOKS = 200
"""How often it is looked whether a run has begun, before it is ended all the same."""

_connect = Runtime.connect_session
_disconnect = WebsocketSessionManager.disconnect_session


def bring_back_pages() -> None:
    """From now on a browser whose connection was lost draws its page anew once connected."""
    Runtime.connect_session = _connect_and_ask  # type: ignore[assignment, method-assign]
    manager: Any = WebsocketSessionManager
    manager.disconnect_session = lambda manager, session_id: disconnect_when_begun(_disconnect, manager, session_id)


def _connect_and_ask(
    runtime: Runtime,
    client: SessionClient,
    user_info: Any,
    existing_session_id: str | None = None,
    session_id_override: str | None = None,
) -> str:
    session_id = _connect(runtime, client, user_info, existing_session_id, session_id_override)
    if existing_session_id:
        _drop_unsent(runtime, session_id)
        ask = ForwardMsg()
        ask.auto_rerun.fragment_id = NO_PART
        ask.auto_rerun.interval = SOON
        client.write_forward_msg(ask)
    return session_id


def _drop_unsent(runtime: Runtime, session_id: str) -> None:
    """Drop what a session said while it had no browser."""
    info = runtime._session_mgr.get_session_info(session_id)
    if info is not None:
        info.session.flush_browser_queue()


def disconnect_when_begun(disconnect: Callable[[Any, str], None], manager: Any, session_id: str) -> None:
    """Disconnect a session by `disconnect`, but end what it runs only when nothing is asked for that has not begun."""
    info = manager.get_active_session_info(session_id)
    if info is not None and (runner := info.session._scriptrunner) is not None:
        # What it runs ends where it draws, not in the middle of a callback, which uses the session's values.
        object.__setattr__(runner._session_state, "_yield_callback", lambda: None)
    if info is None or not _is_asked(info.session):
        disconnect(manager, session_id)
        return
    session = info.session
    session.request_script_stop = lambda: None
    try:
        disconnect(manager, session_id)
    finally:
        del session.request_script_stop
    _stop_when_begun(manager, session, LOOKS)


def _stop_when_begun(manager: Any, session: Any, looks: int) -> None:
    if manager.get_active_session_info(session.id) is not None:
        return  # its browser is back
    if looks and _is_asked(session):
        asyncio.get_running_loop().call_later(SOON, _stop_when_begun, manager, session, looks - 1)
    else:
        session.request_script_stop()


def _is_asked(session: Any) -> bool:
    """Whether the session was asked for a run that has not begun."""
    runner = session._scriptrunner
    return runner is not None and runner._requests._state is ScriptRequestType.RERUN


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
