"""The live text area: Python pushes a text only when it differs, and validates everything it receives."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.payloads.frames import unframe
from tests.app.sending import TAB, send_action, send_message
from ui.views.live_text import typed_text


def script() -> None:
    import streamlit as st

    from ui.views.live_text import live_text_view

    def keep(text: str) -> None:
        st.session_state["text"] = text

    live_text_view("Text", lambda: st.session_state.get("text", "first"), key="area", on_change=keep)
    st.button("Run again")


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(script).run()


def sent(app: AppTest) -> tuple[str, str]:
    """The name of the push and its text."""
    head, body = unframe(app.get("bidi_component")[0].proto.bytes)
    return head["push"], body["text"]


def test_another_run_pushes_nothing(app: AppTest) -> None:
    before = sent(app)
    send_action(app, "typed", [before[0], "first and more"])
    assert app.session_state["text"] == "first and more"
    app.button[0].click().run()
    assert sent(app) == before


def test_another_text_is_pushed_under_another_name(app: AppTest) -> None:
    name, text = sent(app)
    assert text == "first"
    app.session_state["text"] = "second"
    app.run()
    assert sent(app)[1] == "second"
    assert sent(app)[0] != name


@pytest.mark.parametrize(
    "answer", [None, "text", ["rev"], ["other", "text"], ["rev", 5], ["rev", None], ["rev", "123456"], {"rev": "a"}]
)
def test_what_is_no_answer_to_this_push_is_ignored(answer: Any) -> None:
    assert typed_text(answer, "rev", 5) is None


@pytest.mark.parametrize(
    "edit",
    [[], [1, 0, 0], [1, 0, 0, 7], [1, 0, 9, "e"], [1, 2, 1, "e"], [1, -1, 0, "e"], [0, 0, 0, "e"], [True, 0, 0, "e"]],
)
def test_what_is_no_edit_of_a_known_text_is_ignored(edit: list[Any]) -> None:
    assert typed_text(["rev", edit, 2], "rev", 9, {1: "low"}) is None
    assert typed_text(["rev", edit], "rev", 9, {1: "low"}) is None


@pytest.mark.parametrize(
    ("edit", "text"),
    [([1, 0, 0, "s"], "slow"), ([1, 3, 3, "er"], "lower"), ([1, 0, 3, ""], ""), ([1, 1, 2, "á"], "láw")],
)
def test_an_edit_replaces_some_characters_of_the_text_that_it_names(edit: list[Any], text: str) -> None:
    assert typed_text(["rev", edit, 2], "rev", 9, {1: "low", 3: "other"}) == text


def test_an_edit_of_an_unknown_text_is_taken_once_it_is_sent_in_full(app: AppTest) -> None:
    name, _ = sent(app)
    send_message(app, [TAB, [[1, "typed", [name, "low", 1]], [2, "typed", [name, [1, 3, 3, "er"], 2]]]])
    assert app.session_state["text"] == "lower"
    send_message(app, [TAB, [[4, "typed", [name, [3, 0, 0, "s"], 4]], [5, "typed", [name, "later", 5]]]])
    assert app.session_state["text"] == "lower"
    send_message(app, [TAB, [[4, "typed", [name, "slower", 4]], [5, "typed", [name, [4, 0, 1, "S"], 5]]]])
    assert app.session_state["text"] == "Slower"


def test_a_text_of_the_allowed_length_is_taken_with_its_lone_surrogates() -> None:
    assert typed_text(["rev", "a\ud800\r\n"], "rev", 5) == "a\ud800\r\n"
