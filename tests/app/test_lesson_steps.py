"""Steps of lessons: the bundled ones, those in a teacher's file, and those written in the editor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import FormatError
from tests.app.sending import send_action
from tests.app.test_links import HOSTILE, opened
from ui.lessons.ask import question_of
from ui.session.asks import AskMerge
from ui.session.lesson_steps import MOST_STEPS, LessonStep, checked_steps, kinds_of, tour_steps
from ui.session.lessons import all_lessons
from ui.session.links import to_link
from ui.session.own_lessons import OwnLesson, OwnLessons, from_text, to_text
from ui.session.places import place
from ui.session.shared_view import from_plain
from ui.session.step_places import OF_EVERY_PAGE, PLACES, StepPlace, step_place
from ui.views.ask import ChoiceQuestion

STEP = {"at": "tokens", "says": "Click one.", "done": "token"}


def own(app: AppTest) -> OwnLesson:
    return from_text(app.session_state["own lessons"]).lessons[app.session_state["own lesson edited"]]


# -- the bundled ones ------------------------------------------------------------------------------------------------


def classes(app: AppTest) -> str:
    """The CSS classes that Streamlit makes of the keys on a page."""

    def ids(node: Any) -> Iterator[str]:
        yield str(getattr(node.proto, "id", ""))
        for child in getattr(node, "children", {}).values():
            yield from ids(child)

    keys = (each.split("-", 2)[2] for root in app._tree.children.values() for each in ids(root) if each.count("-") > 1)
    return "".join(f"st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}\n" for key in keys)


def is_on(place_of_step: StepPlace, classes_of_page: str) -> bool:
    """Whether one of the selectors of a place may find an element: `.st-key-…` or `[class*="st-key-…"]`."""
    kinds = re.findall(r'(\.|=")(st-key-[\w-]+)', place_of_step.selector)
    return any((key + "\n" if kind == "." else key) in classes_of_page for kind, key in kinds)


ABSENT = {("train", "token"), ("algorithms", "superbpe"), ("algorithms", "boundlessbpe")}
"""Places that appear only after a click."""


def test_every_step_of_every_lesson_points_at_a_place_of_the_page_that_the_lesson_opens() -> None:
    absent = {(page, name) for page, places in PLACES.items() for name in places}
    for each in all_lessons():
        view = from_plain(dict(place(each.name).scene))  # type: ignore[union-attr]
        app = opened(view.page, f"{to_link(view, lambda text: '').query}&via={each.name}")
        for button in [button for button in app.button if button.key == "strip look"]:
            button.click().run()
        there = classes(app)
        lost = [
            step.at
            for step in each.steps
            if step.at not in OF_EVERY_PAGE and not is_on(step_place(each.page, step.at), there)
        ]
        assert not lost, each.name
        absent -= {(each.page, name) for name, found in PLACES[each.page].items() if is_on(found, there)}
    assert absent == ABSENT


def test_every_lesson_leads_through_its_page_in_a_few_short_steps() -> None:
    for each in all_lessons():
        assert 2 <= len(each.steps) <= 5, each.name
        assert all(len(step.says) <= 110 for step in each.steps), each.name


def test_the_tour_is_a_list_of_eight_steps_and_its_end_at_known_places() -> None:
    assert len(tour_steps()) == 9
    for step in tour_steps():
        assert step.done in (*kinds_of(step.page, step.at), "page")


# -- in a teacher's file ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ("text", "has the steps 'text'. They have to be a list."),
        ([STEP] * (MOST_STEPS + 1), "has 13 steps. A lesson has at most 12. Delete some"),
        (["text"], "Step 1 of Lesson 2 is 'text'. A step has at, says"),
        ([STEP, {**STEP, "html": "<b>"}], "Step 2 of Lesson 2 is {"),
        ([{**STEP, "at": "kitchen"}], "points at 'kitchen'. The page encode has question, tokenizer"),
        ([{**STEP, "at": ["tokens"]}], "points at ['tokens']"),
        ([{**STEP, "at": "player"}], "points at 'player'"),
        ([{**STEP, "says": "a" * 301}], "has a sentence of 301 characters. A sentence has at most 300. Shorten it."),
        ([{**STEP, "says": 7}], "says 7. It has to be a text"),
        ([{**STEP, "says": "\ud800"}], "It has to be a text in UTF-8. Correct it"),
        ([{**STEP, "done": "dance"}], "goes on at 'dance'. At this place it is one of seen, click, token."),
        ([{**STEP, "done": ["token"]}], "goes on at ['token']"),
        ([{**STEP, "done": "step"}], "goes on at 'step'"),
        ([{**STEP, "step": 3}], "waits for step 3. It is a whole number"),
    ],
    ids=str,
)
def test_damaged_steps_are_refused_with_value_limit_and_remedy(steps: object, says: str) -> None:
    with pytest.raises(FormatError) as refused:
        checked_steps(steps, "encode", "Lesson 2")
    assert says in str(refused.value)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("step", [-1, True, "3", 1.5, 10**8])
def test_a_step_to_reach_is_a_number_of_the_player(step: object) -> None:
    table = {"at": "player", "says": "", "done": "reach"}
    with pytest.raises(FormatError, match="waits for step"):
        checked_steps([{**table, "step": step}], "train", "Lesson 1")
    assert checked_steps([table], "train", "Lesson 1") == (LessonStep("train", "player", "", "reach", None),)


def test_a_file_brings_back_its_steps_and_lessons_without_any_keep_their_names() -> None:
    scene = {"page": "train", "sample": "toy_hug"}
    bare = OwnLesson("T", "", "", "", 5, scene)
    steps = (LessonStep("train", "player", HOSTILE, "reach", 3), LessonStep("train", "first token", "x", "token"))
    lessons = OwnLessons("", (bare, replace(bare, steps=steps, ask=AskMerge(2))))
    assert from_text(to_text(lessons)) == lessons
    assert "steps" not in json.loads(to_text(OwnLessons("", (bare,))))["lessons"][0]
    assert len(set(lessons.names)) == 2


def test_a_merge_is_asked_only_where_something_is_trained() -> None:
    for scene in ({"page": "encode"}, {"page": "train"}):
        lesson = {"title": "", "minutes": 5, "scene": scene, "ask": {"merge": 0}}
        whole = {"format": "bpe-lab lessons", "version": 1, "lessons": [lesson]}
        with pytest.raises(FormatError, match="Lesson 1 has the question"):
            from_text(json.dumps(whole))


# -- in the editor ---------------------------------------------------------------------------------------------------


def editor() -> AppTest:
    app = opened("lessons", "lesson=write")
    app.button(key="add lesson").click().run()
    return app


def begin(app: AppTest) -> None:
    """Begin to choose. The app goes to the page of the lesson, and here the test follows it."""
    app.button(key="add step").click().run()
    assert app.session_state["page"] == own(app).page
    app.switch_page(f"pages/{own(app).page}.py").run()


def end(app: AppTest) -> None:
    app.button(key="end choosing").click().run()
    assert app.session_state["page"] == "lessons"
    app.switch_page("pages/lessons.py").run()


def choose(app: AppTest, **table: Any) -> None:
    if app.session_state["page"] == "lessons":
        begin(app)
    send_action(app, "chosen", table, "step chooser")


def said(app: AppTest) -> list[str]:
    return [step.says for step in own(app).steps]


def test_a_step_is_chosen_on_the_page_of_the_lesson_and_is_in_the_list() -> None:
    app = editor()
    choose(app, at="story", says=f"Read {HOSTILE}", done="seen")
    choose(app, at="player", says="Go to 3.", done="reach", step=3)
    end(app)
    assert [app.text_input(key=f"own step {at} says").value for at in (0, 1)] == [f"Read {HOSTILE}", "Go to 3."]
    assert own(app).steps == (
        LessonStep("train", "story", f"Read {HOSTILE}"),
        LessonStep("train", "player", "Go to 3.", "reach", 3),
    )


@pytest.mark.parametrize(
    "forged",
    [
        None, "text", [], {}, {"at": "kitchen", "says": ""}, {"at": "text", "says": "x" * 301}, {"at": "text"},
        {"at": "text", "says": "x", "done": "page"}, {"at": "text", "says": "x", "page": "encode"},
    ],
)  # fmt: skip
def test_a_forged_choice_changes_nothing(forged: Any) -> None:
    app = editor()
    begin(app)
    send_action(app, "chosen", forged, "step chooser")
    assert not own(app).steps


def test_steps_are_changed_moved_and_deleted() -> None:
    app = editor()
    for word in ("one", "two", "three"):
        choose(app, at="text", says=word, done="seen")
    end(app)
    app.button(key="step up 2").click().run()
    assert said(app) == ["one", "three", "two"]
    app.text_input(key="own step 0 says").set_value("first").run()
    app.selectbox(key="own step 0 at").set_value("player").run()
    app.selectbox(key="own step 0 goes on").set_value("reach").run()
    app.number_input(key="own step 0 reach").set_value(4).run()
    assert own(app).steps[0] == LessonStep("train", "player", "first", "reach", 4)
    app.button(key="step delete 1").click().run()
    assert said(app) == ["first", "two"]
    app.selectbox(key="own step 1 goes on").set_value("token").run()
    app.selectbox(key="own step 1 at").set_value("curves").run()
    assert own(app).steps[1] == LessonStep("train", "curves", "two"), "a curve has no tokens"


def test_there_is_a_limit_to_the_steps_of_a_lesson() -> None:
    app = editor()
    for number in range(MOST_STEPS):
        choose(app, at="text", says=str(number), done="seen")
    assert app.session_state["page"] == "lessons"
    app.switch_page("pages/lessons.py").run()
    assert app.button(key="add step").disabled
    assert len(own(app).steps) == MOST_STEPS


def test_steps_at_places_that_another_page_lacks_come_back_by_undo() -> None:
    app = editor()
    choose(app, at="text", says="only here", done="seen")
    choose(app, at="token", says="here and there", done="seen")
    end(app)
    app.selectbox(key="own lesson asks").set_value("merge").run()
    assert own(app).ask == AskMerge(0)
    app.selectbox(key="own lesson page").set_value("encode").run()
    assert own(app).steps == (LessonStep("encode", "token", "here and there"),)
    assert own(app).ask is None
    app.button(key="undo lessons").click().run()
    assert said(app) == ["only here", "here and there"]
    assert own(app).ask == AskMerge(0)


def test_a_step_that_is_not_chosen_ends_with_the_page() -> None:
    app = editor()
    begin(app)
    app.switch_page("pages/encode.py").run()
    app.switch_page("pages/train.py").run()
    assert not [each for each in app.button if each.key == "end choosing"]


def test_a_teacher_asks_for_the_next_merge_where_the_lesson_opens_train() -> None:
    app = opened("train", "sample=toy_hug&step=1")
    app.switch_page("pages/lessons.py").run()
    app.button(key="write lessons").click().run()
    app.selectbox(key="own lesson page").set_value("train").run()
    app.selectbox(key="own lesson asks").set_value("merge").run()
    assert app.text_input(key="own lesson asked").value == "1"
    app.text_input(key="own lesson asked").set_value("first").run()
    assert own(app).ask is None
    app.text_input(key="own lesson asked").set_value("2").run()
    assert own(app).ask == AskMerge(2)
    app.button(key="look").click().run()
    name = app.session_state["lesson"]
    shown = place("hug_pug")
    assert shown is not None
    right = question_of(shown, AskMerge(2))
    assert isinstance(right, ChoiceQuestion)
    send_action(app, "answered", right.right, f"ask {name}")
    assert app.session_state["answers given"][name] == right.right


def test_a_merge_after_the_end_of_the_training_is_not_asked() -> None:
    app = opened("train", "sample=toy_hug&step=1")
    app.switch_page("pages/lessons.py").run()
    app.button(key="write lessons").click().run()
    app.selectbox(key="own lesson page").set_value("train").run()
    app.selectbox(key="own lesson asks").set_value("merge").run()
    app.text_input(key="own lesson asked").set_value("4").run()
    app.button(key="look").click().run()
    assert [each for each in app.text if each.value.startswith("Nothing is asked")]


def test_a_forked_training_asks_for_its_own_merge() -> None:
    app = opened("train", "sample=toy_hug&step=1")
    app.switch_page("pages/lessons.py").run()
    shown = place("hug_pug")
    assert shown is not None
    plain = question_of(shown, AskMerge(0))
    assert isinstance(plain, ChoiceQuestion)
    other = plain.choices[(plain.right + 1) % len(plain.choices)]
    rare = {**shown.scene, "forks": [[0, *(chip.id for chip in other)]]}  # type: ignore[union-attr]
    forked = question_of(replace(shown, lesson=replace(shown.lesson, view=rare)), AskMerge(0))  # type: ignore[call-arg]
    assert isinstance(forked, ChoiceQuestion)
    assert forked.choices[forked.right] == other


def test_a_place_is_known_by_its_name_alone() -> None:
    assert step_place("train", ["text"]) is None
    assert step_place("nowhere", "text") is None
