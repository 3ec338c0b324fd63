"""Questions of lessons: right answers are computed, given ones are kept and reveal the lesson's, teachers may ask."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from bpe_core import (
    FormatError,
    ParityTraining,
    TrainConfig,
    likely_segmentations,
    load_pretrained,
    train,
    train_parity,
)
from bpe_core.payloads.frames import unframe
from tests.app.pages import has, payload
from tests.app.sending import send_action
from tests.app.test_lessons import CL100K, GPT2, of, trained
from tests.app.test_links import opened
from tests.draws import examples
from ui.lessons.ask import question_of
from ui.lessons.tables import OfLesson
from ui.session.asks import Ask, AskChoice, AskCuts, AskMerge, AskNumber, checked_ask, fields_of, plain_ask, written_ask
from ui.session.lessons import Lesson, all_lessons
from ui.session.links import to_link
from ui.session.own_lessons import OwnLesson, OwnLessons, from_text, to_text
from ui.session.places import place
from ui.session.samples import all_samples, sample
from ui.session.shared_view import from_plain
from ui.views.ask import ChoiceQuestion, CutsQuestion

each_lesson = pytest.mark.parametrize("each", all_lessons(), ids=lambda each: each.name)


def question(name: str) -> Any:
    shown = place(name)
    assert shown is not None
    assert shown.lesson.ask is not None
    return question_of(shown, shown.lesson.ask)


def asked(app: AppTest, key: str) -> dict[str, Any]:
    """Header of the question on the page."""
    [drawn] = [each for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    return unframe(drawn.proto.bytes)[0]


# -- the right answers -----------------------------------------------------------------------------------------------


@each_lesson
def test_every_lesson_asks_back(each: Lesson) -> None:
    assert each.ask is not None
    if isinstance(each.ask, AskChoice):
        assert len(set(each.ask.choices)) == len(each.ask.choices)


def saved_after(merges: int, counts: list[int]) -> int:
    return counts[merges] - counts[-1]


def fairly_trained() -> ParityTraining:
    texts = {each.language: each.text for each in all_samples() if each.group == "parallel"}
    assert next(iter(texts)) == "English"
    return train_parity(texts, TrainConfig(vocab_size=512, min_count=2), unit="lines")


def unused_by_plain_bpe() -> int:
    given = OfLesson.of(of("tokens_taken_back"))
    config = TrainConfig(vocab_size=given.choices["size"], unit="char", split=given.config.split)
    return train(given.text, config).sweep()[-1].unused


def whole_in_a_thousand() -> int:
    return round(1_000 * likely_segmentations(GPT2, " lantern", None, dropout=0.1)[0].probability)


NUMBERS = {
    "overlaps": lambda: trained(of("overlaps")).token_count(1),
    "more_merges": lambda: trained(of("more_merges")).token_count(200) - trained(of("more_merges")).token_count(250),
    "python_indentation": lambda: len(CL100K.encode("def f(x):\n    if x:\n        return x")),
    "why_japanese_costs_more": lambda: len(GPT2.encode("日本語は高い。")),
    "simplified_and_traditional": lambda: len(load_pretrained("o200k_base").encode("我的頭髮很長，他發財了。")),
    "emoji_by_bytes": lambda: len(GPT2.encode("👨‍👩‍👧‍👦")),
    "fair_to_languages": lambda: fairly_trained().tokens[-1, 0],
    "many_segmentations": whole_in_a_thousand,
    "tokens_taken_back": unused_by_plain_bpe,
    "across_words": lambda: trained(of("across_words")).token_count(256),
    "the_last_merges": lambda: saved_after(20_000, CL100K.tokens_over_merges(sample("lantern_story").text).tolist()),
}


def test_numbers_that_lessons_ask_for_are_what_comes_out() -> None:
    asks = {each.name: each.ask.number for each in all_lessons() if isinstance(each.ask, AskNumber)}
    assert asks == {name: compute() for name, compute in NUMBERS.items()}


@pytest.mark.parametrize(
    "each", [each for each in all_lessons() if isinstance(each.ask, AskMerge)], ids=lambda e: e.name
)
def test_the_next_merge_is_that_of_the_training_and_is_among_others(each: Lesson) -> None:
    training = from_plain(dict(each.view)).training
    assert training is not None
    assert isinstance(each.ask, AskMerge)
    merge = train(training.source.text, training.config).merges[each.ask.step]
    drawn = question(each.name)
    assert isinstance(drawn, ChoiceQuestion)
    assert len(drawn.choices) >= 3
    assert [chip.id for chip in drawn.choices[drawn.right]] == [merge.left, merge.right]  # type: ignore[union-attr]


def test_a_lesson_does_not_tell_its_answer_before_it_is_asked_for() -> None:
    for each in all_lessons():
        words = f"{each.question} {each.text}"
        if isinstance(each.ask, AskNumber):
            assert not re.search(rf"\b{each.ask.number}\b", words)
        if isinstance(each.ask, AskCuts):
            assert (
                " ".join(cut.bytes.decode() for cut in load_pretrained(each.ask.by).encode(each.ask.text)) not in words
            )
        if isinstance(each.ask, AskChoice) and each.ask.choices[each.ask.right] in words:
            assert all(
                choice in words or choice in {"The end of the document", "Yes", "No"} for choice in each.ask.choices
            )
        training = from_plain(dict(each.view)).training
        if isinstance(each.ask, AskMerge) and training is not None:
            assert training.step <= each.ask.step
    overlaps = from_plain(dict(of("overlaps").view)).training
    assert overlaps is not None
    assert overlaps.step == 0


@each_lesson
def test_the_page_of_a_lesson_does_not_show_the_answer_before_it_was_given(each: Lesson) -> None:
    scene = place(each.name).scene  # type: ignore[union-attr]
    query = parse_qs(to_link(from_plain(dict(scene)), lambda text: "").query)
    app = opened(each.page, {**query, "via": [each.name]})
    assert each.answer not in [shown.value for shown in app.markdown]
    if isinstance(each.ask, AskMerge):
        drawn = payload(app, f"guess choices {scene.get('step', 0)}")
        assert drawn["right"] == -1
        assert not drawn["notes"]
        return
    views = {view.proto.id.rpartition("-")[2] for view in app.get("bidi_component")}
    assert views == {*AROUND_A_PAGE, f"address: page {each.page}", f"strip ask {each.name}"}


AROUND_A_PAGE = {
    "address: link bar",
    "contrast",
    "copy link",
    "pictures of views",
    "stage button",
    "strip pager",
    "tour",
}
"""Views of the header and of the strip."""


def test_a_page_that_waited_is_shown_with_the_answer_and_waits_again_for_whoever_starts_over() -> None:
    app = opened("encode", {"text": ["hello hello"], "with": ["gpt2"], "via": ["the_leading_space"]})
    assert not has(app, "encode view")
    send_action(app, "answered", 0, "strip ask the_leading_space")
    assert has(app, "encode view")
    app.button(key="strip answer").click().run()  # hides the answer, not the page
    assert has(app, "encode view")
    send_action(app, "answered", None, "strip ask the_leading_space")
    assert not has(app, "encode view")


def test_a_text_that_can_name_the_right_choice_is_read_after_the_answer_or_when_asked_for() -> None:
    app = opened("lessons", "lesson=the_best_path")
    hidden = '[data-testid="stLayoutWrapper"]:has(> .st-key-lesson-text) { display: none }'
    assert [style for style in app.get("html") if hidden in style.proto.body]
    app.button(key="read first").click().run()
    assert not [style for style in app.get("html") if hidden in style.proto.body]
    app = opened("lessons", "lesson=the_best_path")
    send_action(app, "answered", 0, "ask the_best_path")
    assert not [style for style in app.get("html") if hidden in style.proto.body]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=2, max_size=20))
@example("日本語は高い。")
@example("é e\u0301🏽👨‍👩‍👧‍👦 x")
@settings(max_examples=examples(400))
def test_cuts_are_the_boundaries_of_the_tokens_that_are_between_characters(text: str) -> None:
    ask = AskCuts(text, "cl100k_base")
    drawn = question_of(place("numbers"), ask)  # type: ignore[arg-type]
    assert isinstance(drawn, CutsQuestion)
    assert "".join(drawn.cells) == text
    sizes = [len(CL100K.token_bytes(token_id)) for token_id in CL100K.encode(text).ids.tolist()]
    boundaries = {sum(sizes[:at]) for at in range(1, len(sizes))}
    edges = [len("".join(drawn.cells[:at]).encode()) for at in range(len(drawn.cells) + 1)]
    assert [start for start, _, _ in drawn.tokens[1:]] == [
        at for at in range(1, len(drawn.cells)) if edges[at] in boundaries
    ]
    assert [end for _, end, _ in drawn.tokens] == [*(start for start, _, _ in drawn.tokens[1:]), len(drawn.cells)]
    assert len(drawn.why) == len(drawn.tokens) - 1
    assert all(drawn.why)


# -- answering -------------------------------------------------------------------------------------------------------


def test_an_answer_is_kept_and_shows_the_lessons_own_answer() -> None:
    app = opened("lessons", "lesson=more_merges")
    assert not asked(app, "ask more_merges")["shown"]
    send_action(app, "answered", 60, "ask more_merges")
    assert asked(app, "ask more_merges")["given"] == 60
    assert [each.value for each in app.markdown if "Only **70**" in each.value]
    app.button(key="reveal").click().run()
    assert asked(app, "ask more_merges")["given"] == 60
    send_action(app, "answered", None, "ask more_merges")
    assert asked(app, "ask more_merges")["given"] is None
    assert not asked(app, "ask more_merges")["shown"]


@pytest.mark.parametrize(
    ("name", "forged"),
    [
        ("more_merges", ["70", True, None, [70], 1e400, {"a": 1}, 10**13]),
        ("the_leading_space", [2, -1, "0", 0.0, True, [0]]),
        ("numbers", [3, [0], [8], [3, 3], [5, 3], ["3"], [True], list(range(1, 99)), None]),
    ],
)
def test_a_forged_answer_changes_nothing(name: str, forged: list[Any]) -> None:
    app = opened("lessons", f"lesson={name}")
    for value in forged:
        send_action(app, "answered", value, f"ask {name}")
        assert asked(app, f"ask {name}")["given"] is None
        assert not asked(app, f"ask {name}")["shown"]


def test_the_strip_asks_the_same_and_remembers_the_answer_in_every_course() -> None:
    app = opened("lessons", "lesson=beginners.the_leading_space")
    send_action(app, "answered", 1, "ask the_leading_space")
    app = opened("encode", "via=the_leading_space")
    send_action(app, "answered", 0, "strip ask the_leading_space")
    assert asked(app, "strip ask the_leading_space")["given"] == 0
    assert app.session_state["lesson whose answer is shown on its page"] == "the_leading_space"


# -- lessons of one's own --------------------------------------------------------------------------------------------

OWN = OwnLesson("Title", "Why?", "", "So.", 5, {"page": "encode"})


@pytest.mark.parametrize(
    "ask", [AskNumber(-3), AskNumber(70, 20), AskChoice(("Yes", "<b>**No**"), 1), AskCuts(" a\tb", "o200k_base")]
)
def test_what_a_teacher_asks_survives_its_file_and_the_editor(ask: Ask) -> None:
    own = OwnLessons("Tuesday", (replace(OWN, ask=ask), OWN))
    assert from_text(to_text(own)) == own
    assert written_ask(*fields_of(ask)) == ask
    assert "ask" not in json.loads(to_text(OwnLessons("", (OWN,))))["lessons"][0]


@pytest.mark.parametrize(
    "table",
    [
        None, 3, [], {}, {"number": 1.5}, {"number": True}, {"number": 10**13}, {"number": 1, "near": -1},
        {"number": 1, "more": 2}, {"choices": ["a"], "right": 0}, {"choices": ["a", "b"], "right": 2},
        {"choices": ["a", ""], "right": 0}, {"choices": ["a", "b"], "right": True}, {"choices": "ab", "right": 0},
        {"choices": ["a", "\ud800"], "right": 0}, {"choices": ["x" * 201, "b"], "right": 0},
        {"choices": ["a"] * 9, "right": 0}, {"cuts": "a", "by": "gpt2"}, {"cuts": "ab", "by": "trained"},
        {"cuts": "ab", "by": ["gpt2"]}, {"cuts": "a" * 61, "by": "gpt2"}, {"merge": 0},
    ],
)  # fmt: skip
def test_a_file_that_asks_something_else_is_refused_with_the_lesson(table: object) -> None:
    with pytest.raises(FormatError, match=r"(?s)^Lesson 2 has the question .*A question asks for a number"):
        checked_ask(table, "Lesson 2")


@pytest.mark.parametrize(
    ("kind", "text"),
    [("number", ""), ("number", "three"), ("choice", "a\nb"), ("choice", "* a\n* b"), ("choice", "* a"), ("cuts", "a")],
)
def test_fields_that_are_not_complete_ask_nothing(kind: str, text: str) -> None:
    assert written_ask(kind, text, "gpt2") is None


def test_a_teacher_writes_choices_in_the_editor_and_a_learner_answers_them() -> None:
    app = opened("lessons", "lesson=write")
    app.button(key="add lesson").click().run()
    app.selectbox(key="own lesson asks").set_value("choice").run()
    assert [each for each in app.text if each.value.startswith("No question yet")]
    app.text_area(key="own lesson asked").set_value("**One** <i>x</i>\n* **Two**").run()
    [written] = from_text(app.session_state["own lessons"]).lessons
    assert written.ask == AskChoice(("**One** <i>x</i>", "**Two**"), 1)
    app.button(key="look").click().run()
    name = app.session_state["lesson"]
    send_action(app, "answered", 0, f"ask {name}")
    assert asked(app, f"ask {name}")["given"] == 0


def test_plain_asks_are_what_lesson_files_hold() -> None:
    for each in all_lessons():
        assert each.ask is not None
        assert isinstance(each.ask, AskMerge) or checked_ask(plain_ask(each.ask), "") == each.ask
