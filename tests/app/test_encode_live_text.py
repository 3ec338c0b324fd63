"""The live text area: Python pushes a text only when it differs, and validates everything it receives."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.payloads.frames import unframe
from tests.app.sending import send_action
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


def test_a_text_of_the_allowed_length_is_taken_with_its_lone_surrogates() -> None:
    assert typed_text(["rev", "a\ud800\r\n"], "rev", 5) == "a\ud800\r\n"
