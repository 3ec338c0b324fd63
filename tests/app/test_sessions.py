"""Two runs of a session, the first of which is stopped while still working, use its state one after the other."""

from threading import Event, Thread
from typing import Any

from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.common import WidgetMetadata

from ui.serving.sessions import SharedState

WIDGET = "$$ID-a-key"
MOMENT = 0.2
PATIENCE = 30


def test_a_run_changes_the_state_only_when_the_run_before_it_has_left_it() -> None:
    state = SharedState()
    first, second = (SafeSessionState(state, lambda: None) for _ in range(2))
    began, may_go_on = Event(), Event()

    def slowly(value: Any) -> Any:
        began.set()
        may_go_on.wait(PATIENCE)
        return value

    state._set_widget_metadata(WidgetMetadata(WIDGET, lambda value: value, slowly, "string_value"))
    state._new_widget_state.set_from_value(WIDGET, "chosen")
    reads = Thread(target=first.get_widget_states)
    writes = Thread(target=lambda: second.__setitem__("of the second", 1))
    reads.start()
    assert began.wait(PATIENCE)
    writes.start()
    writes.join(MOMENT)
    assert writes.is_alive()
    may_go_on.set()
    writes.join(PATIENCE)
    assert second["of the second"] == 1
    reads.join(PATIENCE)
