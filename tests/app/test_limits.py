"""Input over a limit is rejected before any work, with value, limit and remedy; the previous state stays."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import opened, texts
from ui.session.lesson_file import from_file, to_file
from ui.session.limits import LONGEST_TEXT, LONGEST_UNSEEN
from ui.session.shared_view import from_plain


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Train at a step of a sample; any further training fails the test."""
    app = opened("train", "sample=toy_hug&step=2")
    monkeypatch.setattr("ui.cache.train", None)
    return app


def assert_nothing_changed(app: AppTest) -> None:
    assert not app.exception
    assert app.session_state["source"].label == "toy_hug"
    assert app.session_state["step"] == 2


def lesson(**scene: object) -> bytes:
    whole = {"format": "bpe-lab lesson", "version": 1, "scene": {"page": "train", **scene}}
    return json.dumps(whole).encode()


def test_a_paste(app: AppTest) -> None:
    app.text_area(key="draft paste 0").set_value("a" * (LONGEST_TEXT + 1))
    next(button for button in app.button if button.label == "Train on this text").click().run()
    assert "The text has 5,000,001 characters." in texts(app)
    assert "A page takes 5,000,000." in texts(app)
    assert any(text.startswith("Take a part of it") for text in texts(app))
    assert_nothing_changed(app)


def test_an_upload(app: AppTest) -> None:
    app.file_uploader(key="upload").upload("long.txt", b"a" * (LONGEST_TEXT + 1), "text/plain").run()
    assert "The text has 5,000,001 characters." in texts(app)
    assert_nothing_changed(app)


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        ({"corpus": "a" * (LONGEST_TEXT + 1)}, "5,000,001 characters; at most 5,000,000 are taken, so shorten it."),
        (
            {"sample": "toy_loop", "choices": {"unseen": "a" * (LONGEST_UNSEEN + 1)}},
            "10,001 characters; at most 10,000 are taken, so shorten it.",
        ),
        (
            {"sample": "toy_loop", "settings": {"vocab_size": 70_000}},
            "It asks for 70,000 ids and a minimum count of 1; a page takes at most 65,536 and 1,000,000, so ask",
        ),
    ],
)
def test_a_lesson_file(app: AppTest, scene: dict[str, object], says: str) -> None:
    app.file_uploader(key="lesson file").upload("lesson.json", lesson(**scene), "application/json").run()
    assert any(says in text for text in texts(app))
    assert "What was here before is kept." in texts(app)
    assert_nothing_changed(app)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("vocab_size=70000", "It asks for 70,000 ids and a minimum count of 1; a page takes at most 65,536"),
        (f"unseen={'a' * (LONGEST_UNSEEN + 1)}", "10,001 characters; at most 10,000 are taken"),
    ],
)
def test_a_link(query: str, says: str) -> None:
    app = opened("train", f"sample=toy_hug&{query}")
    [notice] = [text for text in texts(app) if text.startswith("This link cannot be opened.")]
    assert says in notice
    assert notice.endswith("So the page opens with its defaults.")


def test_a_lesson_file_holds_the_longest_text_of_any_script() -> None:
    view = from_plain({"page": "train", "corpus": "\U0001f642" * LONGEST_TEXT})
    training = from_file(to_file(view)).training
    assert training is not None
    assert len(training.source.text) == LONGEST_TEXT
