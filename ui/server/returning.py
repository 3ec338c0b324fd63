"""A browser that comes back to a server that no longer knows its session: it gets its page again, by its address.

So it is after a restart of the server, and for a computer that slept for long. Streamlit gives the browser a new, empty
session and leaves its page as it was, whose every click is then about parts of a page that this session never had, and
is passed over. The browser alone knows its address, and what makes it ask for a run is Streamlit's repeated run of a
part: such a run is announced for a part that there is not, and the first request of it is taken for the whole page's.
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

NO_PART = "the page of a session that is gone"

SOON = 0.05
"""Seconds until the browser asks, and between requests until it is told to stop."""

_connect = Runtime.connect_session


def bring_back_pages() -> None:
    """From now on a browser whose session is gone draws its page anew as soon as it is connected."""
    Runtime.connect_session = _connect_and_ask  # type: ignore[assignment, method-assign]


def _connect_and_ask(
    runtime: Runtime,
    client: SessionClient,
    user_info: Any,
    existing_session_id: str | None = None,
    session_id_override: str | None = None,
) -> str:
    session_id = _connect(runtime, client, user_info, existing_session_id, session_id_override)
    if existing_session_id and session_id != existing_session_id:
        ask = ForwardMsg()
        ask.auto_rerun.fragment_id = NO_PART
        ask.auto_rerun.interval = SOON
        client.write_forward_msg(ask)
    return session_id


def take_as_whole(session: AppSession, state: ClientState) -> None:
    """Let a request for a part of a page be one for the whole page, in a session that has not drawn any."""
    if state.fragment_id and not session.page_script_hash and not session.has_fragment(state.fragment_id):
        if state.fragment_id == NO_PART and (client := Runtime.instance().get_client(session.id)):
            stop = ForwardMsg()
            stop.stop_auto_rerun.fragment_ids.append(NO_PART)
            client.write_forward_msg(stop)
        state.fragment_id = ""
        state.is_auto_rerun = False
