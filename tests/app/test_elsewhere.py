"""From a token, a merge or a difference, one click leads to the same thing on another page, and back."""

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from bpe_core import load_pretrained
from ui.session import query
from ui.session.elsewhere import LONGEST_START
from ui.session.navigation import GO_TO_PAGE
from ui.session.samples import sample

TEXT = sample("lantern_story").text


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file("../../app.py", default_timeout=60).run()


def on(app: AppTest, page: str) -> AppTest:
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    [button] = [each for each in app.button if each.key == key]
    button.click().run()
    assert not app.exception
    return app


def test_the_training_text_is_one_click_away_on_every_page_with_a_text(app: AppTest) -> None:
    press(on(app, "encode"), "training text")
    assert app.session_state["encode text"] == TEXT
    press(on(app, "compare"), "own text")
    assert app.session_state["compare text"] == TEXT
    press(on(app, "pipeline"), "pipeline training text")
    assert app.session_state["pipeline text"] == TEXT[:LONGEST_START]
    assert app.session_state["pipeline with"] == "trained"


def test_a_token_of_encode_leads_to_vocabulary_and_to_the_same_place_on_compare_and_back(app: AppTest) -> None:
    tokens = load_pretrained("gpt2").encode(TEXT)
    app.session_state["encode text"] = TEXT
    app.session_state["encode chosen token"] = 40
    press(on(app, "encode"), "token on compare")
    assert app.session_state["compare text"] == TEXT
    assert app.session_state["compare left"] == "gpt2"
    assert app.session_state["disagreement"] == tokens[40].start
    press(on(app, "compare"), "cl100k_base on encode")
    assert app.session_state["encode with"] == "cl100k_base"
    place = app.session_state["encode chosen token and its byte"][1]
    assert place >= tokens[40].start
    press(on(app, "encode"), "token in vocabulary")
    assert app.session_state["vocabulary of"] == "cl100k_base"
    chosen = app.session_state["token"]
    assert TEXT.encode()[place:].startswith(load_pretrained("cl100k_base").token_bytes(chosen))


def test_a_token_of_train_leads_to_vocabulary(app: AppTest) -> None:
    app.session_state["opened token"] = 256
    press(app.run(), "token in vocabulary")
    assert (app.session_state["vocabulary of"], app.session_state["token"]) == ("trained", 256)


def test_a_page_stays_asked_for_when_its_run_is_stopped(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: object) -> None:
        raise StopException

    monkeypatch.setattr(query, "go_to", stop)
    app.session_state[GO_TO_PAGE.key] = "vocabulary"
    app.run()
    assert app.session_state[GO_TO_PAGE.key] == "vocabulary"
