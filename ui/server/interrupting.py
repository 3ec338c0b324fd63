"""A run that ends another: what the visitor did before is done nevertheless.

A run for the whole page ends the one that is on its way. Streamlit ends that one wherever it uses the session's values,
in the middle of a callback as well, and forgets it if it has not begun, a button that was clicked with it. Here its
callbacks come to their end, and what one that has not begun was asked for goes on to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType, _coalesce_widget_states

if TYPE_CHECKING:
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.runtime.app_session import AppSession

PATIENCE = 0.05
"""Seconds for callbacks to come to their end, which all visitors wait for. What is ended in the middle is not answered,
and the browser repeats it: see ui/components/exchange.py."""


def take_over(session: AppSession, state: ClientState) -> None:
    """End what a session runs for a request for the whole page, which gets what it never came to."""
    runner = session._scriptrunner
    if runner is None or state.fragment_id:
        return
    callbacks, requests = runner._session_state._lock, runner._requests
    through = callbacks.acquire(timeout=PATIENCE)
    try:
        with requests._lock:
            has_not_begun = requests._state is ScriptRequestType.RERUN
            requests._state = ScriptRequestType.STOP
    finally:
        if through:
            callbacks.release()
    if has_not_begun and (asked := _coalesce_widget_states(requests._rerun_data.widget_states, state.widget_states)):
        state.widget_states.CopyFrom(asked)
