"""Preemption of a script run by the next one, without losing the actions of the first.

A full rerun stops the run in progress. Streamlit stops that run wherever it accesses session state, even in the middle
of a callback, and discards a queued run with its button click. Here callbacks finish, and the widget states of a queued
run are merged into the next request.

A fragment rerun stops nothing: it waits for the run in progress. So a Cancel button in a fragment could not stop the
work that it belongs to. While work can be cancelled, a fragment rerun is turned into a full rerun.

A keystroke, too, would wait while the page is drawn for the previous one. So a fragment that runs ahead of its page
stops the page's run, and requests another.

Upstream: streamlit/streamlit#16763, a mailbox of reruns that outlives a run, and streamlit/streamlit#10578.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType, _coalesce_widget_states

from ui.memory.visitors import VISITORS

if TYPE_CHECKING:
    from streamlit.proto.ClientState_pb2 import ClientState
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

PATIENCE = 0.05
"""Seconds allowed for callbacks to finish, which block all visitors. An interrupted action is not acknowledged,
and the browser resends it: see ui/views/protocol.py."""

STOPPED = WeakSet[ScriptRunner]()
"""Runs stopped by a fragment. Their events are not sent to the browser, which would take their end for the page's."""


def preempt(session: AppSession, state: ClientState) -> None:
    """Stop a session's run for a full rerun, or for a fragment that may stop it; keep widget states of a queued run."""
    runner = session._scriptrunner
    if runner is None:
        return
    if state.fragment_id and VISITORS.actions_stop_run(session.id):
        state.fragment_id, state.is_auto_rerun = "", False  # a full rerun
    if state.fragment_id and not _is_ahead(session, state, runner._requests._rerun_data):
        return
    callbacks, requests = runner._session_state._lock, runner._requests
    through = callbacks.acquire(timeout=PATIENCE)
    try:
        with requests._lock:
            has_not_begun = requests._state is ScriptRequestType.RERUN
            has_ended = requests._state is ScriptRequestType.STOP
            requests._state = ScriptRequestType.STOP
    finally:
        if through:
            callbacks.release()
    if state.fragment_id and not has_ended:
        STOPPED.add(runner)
    if has_not_begun and (asked := _coalesce_widget_states(requests._rerun_data.widget_states, state.widget_states)):
        state.widget_states.CopyFrom(asked)


def _is_ahead(session: AppSession, state: ClientState, run: RerunData) -> bool:
    """Whether a fragment runs ahead of its page, and `run` is a run of that page."""
    is_of_page = not run.fragment_id_queue and run.page_script_hash == state.page_script_hash
    return is_of_page and VISITORS.runs_ahead(session.id, state.fragment_id)
