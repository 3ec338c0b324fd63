"""Actions are resent until acknowledged: each is applied once and in order, whatever else arrives."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.sending import send_message


def page() -> None:
    import streamlit as st

    from ui.views import protocol as exchange

    done = st.session_state.setdefault("done", [])
    component = st.components.v2.component("an acting one", html="<i></i>", js="export default function () {}")
    on_acts = exchange.acting("one", add=done.append)
    component(key="one", on_acts_change=on_acts)
    st.session_state["answer"] = exchange.taken()
    st.session_state["answer for one"] = exchange.taken_of("one")


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(page).run()


def done(app: AppTest) -> list[Any]:
    found: list[Any] = app.session_state["done"]
    return found


def test_nothing_is_answered_before_the_first_action(app: AppTest) -> None:
    assert app.session_state["answer"] is None
    assert app.session_state["answer for one"] is None


def test_an_action_is_taken_and_the_answer_names_it(app: AppTest) -> None:
    send_message(app, ["tab", [[1, "add", "a"]]])
    assert done(app) == ["a"]
    assert app.session_state["answer"] == ("tab", {"one": 1})
    assert app.session_state["answer for one"] == ("tab", 1)


def test_an_action_that_is_sent_again_is_not_taken_again(app: AppTest) -> None:
    for _ in range(3):
        send_message(app, ["tab", [[1, "add", "a"], [2, "add", "b"]]])
    assert done(app) == ["a", "b"]


def test_what_waits_comes_in_one_message_and_is_taken_in_order(app: AppTest) -> None:
    send_message(app, ["tab", [[1, "add", "a"]]])
    send_message(app, ["tab", [[1, "add", "a"], [2, "add", "b"], [4, "add", "d"]]])
    assert done(app) == ["a", "b", "d"]
    assert app.session_state["answer for one"] == ("tab", 4)


def interrupted_page() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import StopException

    from ui.views import protocol as exchange

    begun = st.session_state.setdefault("done", [])

    def add(value: str) -> None:
        begun.append(value)
        if begun.count(value) == 1:
            raise StopException

    component = st.components.v2.component("an acting one", html="<i></i>", js="export default function () {}")
    component(key="one", on_acts_change=exchange.acting("one", add=add))
    st.session_state["answer for one"] = exchange.taken_of("one")


def test_an_action_that_was_ended_in_the_middle_is_not_answered_and_begins_anew() -> None:
    app = AppTest.from_function(interrupted_page).run()
    send_message(app, ["tab", [[1, "add", "a"]]])
    app.run()
    assert app.session_state["answer for one"] == ("tab", 0)
    send_message(app, ["tab", [[1, "add", "a"]]])
    assert done(app) == ["a", "a"]
    assert app.session_state["answer for one"] == ("tab", 1)
    send_message(app, ["tab", [[1, "add", "a"]]])
    assert done(app) == ["a", "a"]


def test_another_tab_counts_from_one_again(app: AppTest) -> None:
    send_message(app, ["before a reload", [[7, "add", "a"]]])
    send_message(app, ["after it", [[1, "add", "b"]]])
    assert done(app) == ["a", "b"]
    assert app.session_state["answer"] == ("after it", {"one": 1})
    send_message(app, ["before a reload", [[7, "add", "a"]]])
    assert done(app) == ["a", "b"]


def test_only_a_few_tabs_are_remembered(app: AppTest) -> None:
    for tab in range(20):
        send_message(app, [f"tab {tab}", [[1, "add", tab]]])
    assert len(app.session_state["actions taken"]) <= 5


@pytest.mark.parametrize(
    "forged",
    [
        None,
        5,
        "acts",
        [],
        {},
        ["tab"],
        [5, [[1, "add", "x"]]],
        ["", [[1, "add", "x"]]],
        ["t" * 1_000, [[1, "add", "x"]]],
        ["tab", None],
        ["tab", {"0": [1, "add", "x"]}],
        ["tab", ["add", 3, None, [], [1], [1, "add"], [1, "add", "x", "y"]]],
        ["tab", [[True, "add", "x"]]],
        ["tab", [[0, "add", "x"]]],
        ["tab", [[-1, "add", "x"]]],
        ["tab", [[1.0, "add", "x"]]],
        ["tab", [[float("nan"), "add", "x"]]],
        ["tab", [[float("inf"), "add", "x"]]],
        ["tab", [["1", "add", "x"]]],
        ["tab", [[2**70, "add", "x"]]],
        ["tab", [[1, ["add"], "x"]]],
        ["tab", [[1, "another", "x"]]],
        ["tab", [[1, "__class__", "x"]]],
    ],
    ids=repr,
)
def test_a_forged_message_does_nothing_and_the_next_action_counts(app: AppTest, forged: Any) -> None:
    send_message(app, forged)
    assert done(app) == []
    send_message(app, ["tab", [[2, "add", "a"]]])
    assert done(app) == ["a"]


def test_a_message_of_far_too_many_actions_is_cut(app: AppTest) -> None:
    send_message(app, ["tab", [[number, "add", number] for number in range(1, 10_000)]])
    assert done(app) == list(range(1, 201))
