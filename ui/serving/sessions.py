"""Replacements for parts of a session: an event loop without descriptors, the state, the queue of unsent messages, and
the handling of run events. Streamlit's own loop takes three descriptors and never runs.

A run stopped by the next one continues for a moment. In Streamlit each run has its own lock, so two runs
could change the state at once ("dictionary changed size during iteration"); here they share a lock. Upstream:
streamlit/streamlit#16763.

When a fragment rerun starts, Streamlit drops the fragment's unsent messages, but keeps references to elements in the
browser's cache and the messages of nested fragments. Since their containers are dropped, the browser finds no place for
these ("Bad delta path index", "Cannot set a node at a delta path") and the page breaks. Here a fragment rerun drops
nothing, and the browser gets the messages that a faster server would already have sent. Upstream since:
streamlit/streamlit#9381.

When a page run starts, Streamlit drops responses to the browser along with the unsent output of the previous run: an
uploader that has just requested the URLs for its files waits forever, and shows nothing. Here responses are sent.

Streamlit ignores the events of all but the latest run. A busy server may not have handled the events of a finished
run, including its output, when the next fragment rerun begins: the visitor's choice is applied, but its effect is
never shown. Here these events are handled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any
from weakref import WeakSet

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.state import SessionState

from ui.serving.choices import Unheard
from ui.serving.descriptors import UnopenedLoop
from ui.serving.preemption import STOPPED

_ANSWERS = {"file_urls_response", "backend_operation_response"}
"""Responses that the browser waits for, independent of runs."""


class BrowserQueue(ForwardMsgQueue):
    """Unsent messages of a session: a fragment rerun keeps all, and any rerun keeps responses to the browser."""

    def clear(self, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None) -> None:
        """Clear the queue for a full rerun; for a fragment rerun, keep it, and merge no newer messages into it."""
        if fragment_ids_this_run:
            self._delta_index_map = {}
        else:
            answers = [each for each in self._queue if each.WhichOneof("type") in _ANSWERS]
            super().clear(retain_lifecycle_msgs)
            self._queue += answers if retain_lifecycle_msgs else []  # all are sent otherwise


def _alone(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(state: SharedState, *given: Any, **named: Any) -> Any:
        with state.lock:
            return method(state, *given, **named)

    return call


class SharedState(SessionState):
    """Session state used by one run at a time; callbacks finish before the next run begins.

    A value set here is not undone by a message that the browser sent earlier.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lock, self._unheard = RLock(), Unheard()

    def set_widgets_from_proto(self, widget_states: WidgetStates) -> None:
        """Apply a message's values."""
        self._unheard.settle(self, widget_states)
        super().set_widgets_from_proto(widget_states)

    @_alone
    def __setitem__(self, user_key: str, value: Any) -> None:
        self._unheard.note(self, user_key, value)
        super().__setitem__(user_key, value)

    on_script_will_rerun = _alone(SessionState.on_script_will_rerun)
    on_script_finished = _alone(SessionState.on_script_finished)
    register_widget = _alone(SessionState.register_widget)
    reset_state_value = _alone(SessionState.reset_state_value)
    get_widget_states = _alone(SessionState.get_widget_states)
    is_new_state_value = _alone(SessionState.is_new_state_value)
    __getitem__ = _alone(SessionState.__getitem__)
    __delitem__ = _alone(SessionState.__delitem__)
    __contains__ = _alone(SessionState.__contains__)


class RunEvents:
    """Events of a session's runs, in order, including those of runs that ended just before the next one began."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._begin_run, self._handle = session._create_scriptrunner, session._handle_scriptrunner_event_on_event_loop
        self._ended = WeakSet[ScriptRunner]()

    def begin_run(self, *given: Any) -> None:
        """Begin a run. The session still has a runner at this point only if the new run is that of a fragment."""
        before = self._session._scriptrunner
        if before is not None and before not in STOPPED:
            self._ended.add(before)
        self._begin_run(*given)

    def handle(self, sender: ScriptRunner | None, event: ScriptRunnerEvent, *details: Any) -> None:
        """Handle an event; ignore the shutdown of a run that another one has replaced."""
        if sender in self._ended:
            if event is ScriptRunnerEvent.SHUTDOWN:
                return
            sender = self._session._scriptrunner
        self._handle(sender, event, *details)


def change_parts(session: Any) -> None:
    """Install these parts in a session that has not run anything yet."""
    session._script_event_loop.close()
    session._script_event_loop = UnopenedLoop()
    session._session_state = SharedState()
    session._browser_queue = BrowserQueue()
    events = RunEvents(session)
    session._create_scriptrunner = events.begin_run
    session._handle_scriptrunner_event_on_event_loop = events.handle
