"""Values sent back by a run: each replaces what was entered in the browser since the run began."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from tests.app.live import live_session, until
from tests.app.pages import opened
from ui.session.items import Item, is_count

PAGES = ("train", "encode", "compare", "vocabulary", "algorithms", "pipeline", "lessons")


def sent_back(app: AppTest) -> list[str]:
    """Keys of the enabled widgets whose value the browser is to replace."""
    widgets = [each for each in app.main if getattr(getattr(each, "proto", None), "set_value", False)]
    return [each.key for each in widgets if not each.proto.disabled]


@pytest.mark.parametrize("page", PAGES)
def test_a_run_sends_no_value_back_that_the_browser_has(page: str) -> None:
    app = opened(page)
    assert sent_back(app.run()) == []


def test_a_field_that_is_entered_replaces_no_other_field() -> None:
    app = opened("lessons")
    app.button(key="write lessons").click().run()
    app.button(key="add lesson").click().run()
    app.text_input(key="own lesson title").set_value("Tokens").run()
    assert sent_back(app) == []
    assert app.text_input(key="own lesson title").value == "Tokens"


def test_a_value_whose_run_is_interrupted_is_sent_by_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise StopException

    app = opened("vocabulary")
    app.text_input(key="find tokens").set_value("the").run()
    with monkeypatch.context() as interrupted:
        interrupted.setattr("ui.widgets.pictures.show_pictures", interrupt)
        app.button(key="show all").click().run()
    assert sent_back(app.run()) == ["find tokens"]
    assert sent_back(app.run()) == []


def test_a_value_that_the_app_changes_is_sent() -> None:
    app = opened("vocabulary")
    app.text_input(key="find tokens").set_value("the").run()
    app.button(key="show all").click().run()
    assert sent_back(app) == ["find tokens"]


def test_a_value_to_which_the_visitor_returns_is_not_sent_again() -> None:
    def page() -> None:
        import streamlit as st

        from ui.session.items import Item, is_count

        st.slider("dropout", 0, 20, **Item("dropout", 10, is_count).widget())

    app = AppTest.from_function(page).run()  # a run of a page that does not end as pages do
    assert sent_back(app) == ["dropout"]
    for value in (15, 10, 5):
        app.slider(key="dropout").set_value(value).run()
        assert sent_back(app) == []


def test_a_value_that_the_browser_has_sent_replaces_no_later_choice_in_a_part_of_the_page(tmp_path: Path) -> None:
    def page() -> None:  # one whose run does not end as pages do
        part()

    @st.fragment
    def part() -> None:
        st.number_input("a number", 0, 20, **Item("number", 10, is_count).widget())

    with live_session(page, tmp_path) as live:

        def drawn() -> list[bool]:
            elements = [each.delta.new_element for each in live.browser.received if each.HasField("delta")]
            return [each.number_input.set_value for each in elements if each.HasField("number_input")]

        live.send()
        until(lambda: drawn() and live.ended(), "the page")
        for number in (10, 10, 5, 10, 5):
            live.browser.received.clear()
            live.send([WidgetState(id=live.widget("number"), int_value=number)], live.part_of("number"))
            until(lambda: drawn() and live.ended(), "the part")
            assert drawn() == [False]
