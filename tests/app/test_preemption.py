"""A preempted run loses nothing: its callbacks run to their end, and a click is kept even if it had not begun."""

from __future__ import annotations

import time
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.runtime.state import SafeSessionState

from ui.serving import preemption
from ui.serving.preemption import preempt

CLICKED = WidgetStates(widgets=[WidgetState(id="button", trigger_value=True), WidgetState(id="box", bool_value=False)])


class Session:
    """A session with a requested run in which a button is clicked; `begin` starts the run and its callback."""

    def __init__(self) -> None:
        self.requests = ScriptRequests()
        self.requests.request_rerun(RerunData(widget_states=CLICKED))
        self.values = SafeSessionState(SimpleNamespace(on_script_will_rerun=self._call_back), lambda: None)  # type: ignore[arg-type]
        self._scriptrunner = SimpleNamespace(_requests=self.requests, _session_state=self.values)
        self.in_callback, self.go_on, self.events = Event(), Event(), list[str]()

    def _call_back(self, *values: Any, **more: Any) -> None:
        self.in_callback.set()
        self.go_on.wait()
        self.events.append("callback through")

    def begin(self) -> Thread:
        self.requests.on_scriptrunner_ready()
        thread = Thread(target=self.values.on_script_will_rerun, args=(None,))
        thread.start()
        self.in_callback.wait()
        return thread

    def ask(self, *, by_fragments: bool = False, **more: Any) -> ClientState:
        state = ClientState(widget_states=WidgetStates(widgets=[WidgetState(id="box", bool_value=True)]), **more)
        preempt(self, state, by_fragments=by_fragments)  # type: ignore[arg-type]
        self.events.append("taken over")
        return state


def values(state: ClientState) -> dict[str, bool]:
    return {each.id: getattr(each, str(each.WhichOneof("value"))) for each in state.widget_states.widgets}


def test_a_click_whose_run_has_not_begun_goes_on_to_the_next_run() -> None:
    session = Session()
    assert values(session.ask()) == {"button": True, "box": True}
    assert session.requests.on_scriptrunner_ready().type is ScriptRequestType.STOP


def test_a_click_whose_run_has_begun_is_not_done_again() -> None:
    session = Session()
    session.go_on.set()
    session.begin().join()
    assert values(session.ask()) == {"box": True}
    assert session.requests.on_scriptrunner_ready().type is ScriptRequestType.STOP


def test_the_next_run_waits_for_callbacks(monkeypatch: Any) -> None:
    monkeypatch.setattr(preemption, "PATIENCE", 60)
    session = Session()
    callback = session.begin()
    next_run = Thread(target=session.ask)
    next_run.start()
    time.sleep(0.05)
    assert session.events == []
    session.go_on.set()
    next_run.join()
    callback.join()
    assert session.events == ["callback through", "taken over"]


def test_callbacks_that_do_not_end_hold_nobody_up_for_long(monkeypatch: Any) -> None:
    monkeypatch.setattr(preemption, "PATIENCE", 0.01)
    session = Session()
    callback = session.begin()
    session.ask()
    assert session.events == ["taken over"]
    session.go_on.set()
    callback.join()


def test_a_part_of_a_page_ends_work_that_can_be_cancelled() -> None:
    session = Session()
    state = session.ask(by_fragments=True, fragment_id="a part")
    assert values(state) == {"button": True, "box": True}
    assert not state.fragment_id  # so the whole page runs
    assert session.requests.on_scriptrunner_ready().type is ScriptRequestType.STOP


def test_a_part_of_a_page_ends_nothing() -> None:
    session = Session()
    assert values(session.ask(fragment_id="a part")) == {"box": True}
    assert session.requests.on_scriptrunner_ready().type is ScriptRequestType.RERUN
