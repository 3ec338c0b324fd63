"""Preemption of a script run by the next one, without losing the actions of the first.

A full rerun stops the run in progress. Streamlit stops that run wherever it accesses session state, even in the middle
of a callback, and discards a queued run with its button click. Here callbacks finish, and the widget states of a queued
run are merged into the next request.

A fragment rerun stops nothing: it waits for the run in progress. So a Cancel button in a fragment could not stop the
work that it belongs to. While work can be cancelled, a fragment rerun is turned into a full rerun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType, _coalesce_widget_states

if TYPE_CHECKING:
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.runtime.app_session import AppSession

PATIENCE = 0.05
"""Seconds allowed for callbacks to finish, which block all visitors. An interrupted action is not acknowledged,
and the browser resends it: see ui/views/protocol.py."""


def preempt(session: AppSession, state: ClientState, *, by_fragments: bool = False) -> None:
    """Stop a session's run for a full rerun, which inherits the widget states of a queued run.

    by_fragments: whether a fragment rerun stops the run too; it becomes a full rerun.
    """
    runner = session._scriptrunner
    if runner is None:
        return
    if state.fragment_id:
        if not by_fragments:
            return
        state.fragment_id, state.is_auto_rerun = "", False
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
