"""A component's state is handed out as it is, unless something was triggered in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ui.shared.light_state import light


def session(**triggered: Any) -> Any:
    """A session with the latest values of these widgets."""
    states = {name: SimpleNamespace(value=value) for name, value in triggered.items()}
    return SimpleNamespace(_new_widget_state=SimpleNamespace(states=states))


def whole(state: Any, _: Any) -> Any:
    return "by Streamlit", state


def test_a_state_is_handed_out_as_it_is_while_nothing_is_triggered() -> None:
    state = {"selected": [1]}
    for nothing in (session(), session(events=None), session(events=[]), session(others=[1])):
        assert light(whole, "events")(state, nothing) is state


def test_what_was_triggered_is_told_by_streamlit() -> None:
    state = {"selected": [1]}
    assert light(whole, "events")(state, session(events=[{"event": "move", "value": 1}])) == ("by Streamlit", state)


def test_what_is_no_state_is_left_to_streamlit() -> None:
    assert light(whole, "events")(None, session()) == ("by Streamlit", None)
