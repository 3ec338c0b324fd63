"""The page of a lesson: its words without markup, what it opens, and its creation without a session."""

from typing import Any

import pytest
import streamlit.runtime.state.session_state_proxy as session_state_proxy

from bpe_core.page.html import Page, page_html
from tests.core.test_training_page import HOSTILE, recording
from tests.draws import first
from ui.lessons.page_views import Opened, lesson_recording, prose
from ui.lessons.page_views import opened as opened_view
from ui.session.asks import AskChoice
from ui.session.lesson_steps import LessonStep
from ui.session.lessons import all_lessons
from ui.session.own_lessons import OwnLesson
from ui.session.places import Place, place
from ui.session.shared_view import from_plain
from ui.session.training import Source, Wanted, config_of

SMALL = [
    *("counting_letters", "hug_pug", "the_leading_space", "score_against_count", "a_pair_for_bert", "byte_fallback"),
    "the_end_of_a_prompt",
]
OTHERS = [each.name for each in all_lessons() if each.name not in SMALL]


def opened(shown: Place) -> Opened:
    view = from_plain(dict(shown.scene))
    wanted = view.training or Wanted(
        Source("paste", "", "low lower"), config_of({"vocab_size": 300, "base": ""}), False
    )
    return opened_view(view, wanted)


@pytest.mark.parametrize("name", first(len(SMALL), [*SMALL, *OTHERS]))
def test_a_lesson_is_made_without_a_session(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = place(name)
    assert shown is not None
    found = opened(shown)

    def no_session() -> Any:
        raise AssertionError("the session was used")

    monkeypatch.setattr(session_state_proxy, "get_session_state", no_session)
    made = lesson_recording(shown, found)
    kinds = {"train": "training", "compare": "comparison", "encode": "encoding", "algorithms": "algorithms"}
    shows_prefixes = found.view.choices.get("view") == "prompt"  # which are not recorded
    assert (made["inside"] or {}).get("kind") == (None if shows_prefixes else kinds.get(shown.page))
    assert all(made[part] for part in ("text", "answer", "ask"))
    assert "*" not in str(prose("A **b** and *c*"))
    assert len(page_html(lambda: Page("", "", made))) < 600_000


def test_the_text_of_a_custom_lesson_is_shown_as_it_is_and_cannot_leave_its_place() -> None:
    scene = {"page": "train", "corpus": "low low lower", "settings": {"vocab_size": 258}}
    steps = (LessonStep("train", "player", HOSTILE[:20]), LessonStep("train", "settings", "Change it."))
    own = OwnLesson(HOSTILE, HOSTILE, f"{HOSTILE}\n\n**b**", "", 5, scene, AskChoice((HOSTILE, "No"), 0), steps)
    shown = Place(["own-00000000"], 0, own)
    made = lesson_recording(shown, opened(shown))
    assert made["text"] == [[HOSTILE], ["**b**"]]
    assert made["answer"] == [["This lesson has no answer."]]
    assert made["steps"] == [HOSTILE[:20]]  # the page has no settings
    page = page_html(lambda: Page(HOSTILE, "", made))
    assert page.count("<script") == 3
    assert recording(page)["inside"]["kind"] == "training"


def test_a_lesson_whose_training_fails_comes_without_it() -> None:
    settings = {"vocab_size": 2, "unit": "char"}
    own = OwnLesson("", "?", "", "", 5, {"page": "train", "corpus": "low low lower", "settings": settings})
    shown = Place(["own-00000000"], 0, own)
    assert lesson_recording(shown, opened(shown))["inside"] is None
