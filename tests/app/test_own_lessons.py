"""Lessons written by a teacher: files and links restore them exactly, and hostile ones do no harm."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from bpe_core import FormatError
from tests.app.pages import opened, params
from tests.app.pages import texts as shown
from tests.app.sending import address, pager, send_action, written
from tests.app.test_links import HOSTILE
from tests.draws import Outcomes
from ui.session.lesson_file import from_file
from ui.session.links import LONGEST_QUERY, from_params, to_link
from ui.session.own_lessons import (
    LONGEST,
    MOST_CHARACTERS,
    MOST_LESSONS,
    MOST_MINUTES,
    OwnLesson,
    OwnLessons,
    from_text,
    to_text,
)
from ui.session.shared_view import from_plain

SCENE: dict[str, Any] = {"page": "encode", "choices": {"text": "hello class", "with": "cl100k_base"}}
LESSON: dict[str, Any] = {"title": "A", "question": "B?", "text": "C", "answer": "D", "minutes": 5, "scene": SCENE}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=100)
scenes = st.one_of(
    st.builds(lambda text: {"page": "encode", "choices": {"text": text, "with": "gpt2"}}, texts),
    st.builds(lambda text, step: {"page": "train", "corpus": text, "step": step}, texts, st.integers(1, 1_000)),
    st.just({"page": "pipeline"}),
)
sets = st.builds(
    OwnLessons,
    texts,
    st.lists(st.builds(OwnLesson, texts, texts, texts, texts, st.integers(1, MOST_MINUTES), scenes), max_size=4).map(
        tuple
    ),
)


def file_of(*lessons: object, **changes: Any) -> bytes:
    whole = {"format": "bpe-lab lessons", "version": 1, "title": "Tuesday", "lessons": lessons}
    return json.dumps(whole | changes).encode()


def own(app: AppTest) -> OwnLessons:
    return from_text(app.session_state["own lessons"])


# -- the file and the link -------------------------------------------------------------------------------------------


@given(sets)
def test_a_file_and_a_link_bring_back_all_lessons(lessons: OwnLessons) -> None:
    assert from_text(to_text(lessons)) == lessons
    view = from_file(to_text(lessons, indent=1).encode())
    assert (view.page, from_text(view.choices["written"])) == ("lessons", lessons)
    link = to_link(view, lambda text: "0" * 32)
    back = from_params("lessons", params(link.query), lambda digest: view.choices["written"])
    assert back is not None
    assert back.choices["written"] == view.choices["written"]


@given(sets)
def test_lessons_have_different_names_which_follow_them_in_any_order(lessons: OwnLessons) -> None:
    assert len(set(lessons.names)) == len(lessons.lessons)
    turned = OwnLessons(lessons.title, lessons.lessons[::-1])
    assert set(turned.names) == set(lessons.names)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (file_of(version=2), "version 2"),
        (file_of(version=True), "version True"),
        (file_of(code="import os"), "'code'"),
        (file_of(lessons={}), "have to be a list"),
        (file_of(title=7), "title 7"),
        (file_of(title="a" * 121), "121 characters. A title has at most 120. Shorten it."),
        (file_of("text"), "Lesson 1 is 'text'"),
        (file_of(LESSON, LESSON | {"html": "<b>"}), "Lesson 2 holds 'html'"),
        (file_of(*[LESSON] * (MOST_LESSONS + 1)), "61 lessons. A file holds at most 60. Make two files"),
        *((file_of(LESSON | {"minutes": each}), "takes 1 to 240") for each in (0, -1, 241, 1.5, True, "5", None, [])),
        *(
            (file_of(LESSON | {name: "a" * (most + 1)}), f"{most + 1:,} characters. A {name} has at most {most:,}")
            for name, most in LONGEST.items()
        ),
        (file_of(LESSON | {"answer": ["a"]}), "has the answer ['a']"),
        (file_of(LESSON | {"answer": "\ud800"}), "lone surrogate"),
        (file_of({**LESSON, "scene": None}), "opens the page None"),
        (file_of({**LESSON, "scene": {"page": "lessons"}}), "opens the page 'lessons'"),
        (file_of({**LESSON, "scene": {"page": ["train"]}}), "opens the page ['train']"),
        (file_of({**LESSON, "scene": {"page": "train", "step": 4}}), "lesson 1 cannot be opened"),
        (file_of({**LESSON, "scene": {"page": "train", "sample": "none"}}), "sample 'none'"),
        (file_of({**LESSON, "scene": {"page": "encode", "choices": {"with": "gpt3"}}}), "Its 'with' is 'gpt3'"),
        (file_of({**LESSON, "scene": {"page": "train", "corpus": "\ud800"}}), "surrogate"),
        (file_of({**LESSON, "scene": {"page": "train", "corpus": "a" * MOST_CHARACTERS}}), "at most 1,000,000"),
        (
            b'{"format": "bpe-lab lessons", "version": 1, "lessons": [' + b"[" * 900 + b"]" * 900 + b"]}",
            "nests 902 lists",
        ),
        (
            b'{"format": "bpe-lab lessons", "version": 1, "lessons": [' + b"[]," * 40_000 + b"[]]}",
            "more than 100,000 bytes",
        ),
        (b'{"format": "bpe-lab lessons", "x": [' + b'"",' * 2_000_000 + b"0]}", "more than 100,000 bytes"),
        (b"[" + b"1," * 14_000_000 + b"1]", "more than 100,000 bytes"),
        (b"[" * 900, "nests 900 lists"),
        (b'{"format": "bpe-lab lessons", "version": 1, "lessons": [' + b"1" * 5_000 + b"]}", "not JSON"),
        (b'{"format": "bpe-lab lessons", "version": NaN}', "version nan"),
        (b'{"format": "bpe-lab lesson", "scene": {"corpus": "' + b"low " * 50_000, "not JSON"),
    ],
    ids=lambda value: f"{value[-60:]!r}",
)
def test_what_is_wrong_in_a_file_is_refused_with_its_limit_and_a_remedy(data: bytes, says: str) -> None:
    with pytest.raises(FormatError) as refused:
        from_file(data)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_damaged_file_of_lessons_gives_a_format_error_and_nothing_worse(rng: random.Random) -> None:
    whole = file_of(LESSON, LESSON)
    outcomes = Outcomes()
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
        with outcomes.of(FormatError):
            from_file(bytes(damaged))
    assert outcomes.refused > 300
    assert outcomes.accepted


@pytest.mark.parametrize("text", ["", "[]", "null", "{", HOSTILE, file_of(LESSON | {"minutes": 0}).decode()])
def test_a_forged_link_of_lessons_is_told_in_one_line_and_shows_none(text: str) -> None:
    link = to_link(from_plain({"page": "lessons"}), lambda text: "")
    forged = to_link(type(from_plain({"page": "lessons"}))("lessons", None, {"written": text or " "}), lambda text: "")
    app = opened("lessons", forged.query)
    [notice] = [each for each in shown(app) if each.startswith("This link cannot be opened.")]
    assert "\n" not in notice
    assert "own lessons" not in app.session_state
    assert link.query == ""


# -- writing them ----------------------------------------------------------------------------------------------------


def writing() -> AppTest:
    """The lesson editor, with one lesson about the state of Encode."""
    app = opened("encode", "text=hello+class&with=cl100k_base")
    app.switch_page("pages/lessons.py").run()
    app.button(key="write lessons").click().run()
    app.selectbox(key="own lesson page").set_value("encode").run()
    return app


def fill(app: AppTest, **words: str) -> None:
    for name, word in words.items():
        field = app.text_input if name == "title" else app.text_area
        field(key=f"own lesson {name}").set_value(word)
    app.run()


def labels(app: AppTest) -> list[str]:
    return [each.title for each in own(app).lessons]


def test_a_lesson_that_was_written_opens_the_page_as_it_was_set_up_with_its_words_as_text() -> None:
    app = writing()
    fill(app, title="# T", question=f"Why {HOSTILE}", text="**look**", answer="$x$ <img src=x>")
    app.number_input(key="own lesson minutes").set_value(7).run()
    [each] = own(app).lessons
    assert each == OwnLesson("# T", f"Why {HOSTILE}", "**look**", "$x$ <img src=x>", 7, each.scene)
    assert from_plain(dict(each.scene)).choices == {"text": "hello class", "with": "cl100k_base"}
    app.button(key="look").click().run()
    assert {"# T", f"Why {HOSTILE}", "**look**"} <= set(shown(app))
    app.button(key="reveal").click().run()
    assert "$x$ <img src=x>" in shown(app)
    for drawn in (*app.markdown, *app.header, *app.caption):
        assert not any(word in drawn.value for word in ("**look**", "$x$", "# T"))
    link = next(each.proto for each in app.get("page_link"))
    app.query_params.update(params(link.query_string))
    app.session_state["encode text"] = "something else"
    app.switch_page("pages/encode.py").run()
    assert app.session_state["encode text"] == "hello class"
    assert f"Why {HOSTILE}" in shown(app)
    app.button(key="strip answer").click().run()
    assert "$x$ <img src=x>" in shown(app)


def test_lessons_are_ordered_deleted_and_what_was_deleted_comes_back() -> None:
    app = writing()
    fill(app, title="one")
    for title in ("two", "three"):
        app.button(key="add lesson").click().run()
        fill(app, title=title)
    app.button(key="up 2").click().run()
    assert labels(app) == ["one", "three", "two"]
    assert app.text_input(key="own lesson title").value == "three", "the fields follow their lesson"
    app.button(key="down 0").click().run()
    assert labels(app) == ["three", "one", "two"]
    app.button(key="delete 1").click().run()
    assert labels(app) == ["three", "two"]
    app.button(key="undo lessons").click().run()
    assert labels(app) == ["three", "one", "two"]
    app.button(key="delete all").click().run()
    assert app.session_state["own lessons"] == ""
    app.button(key="undo lessons").click().run()
    assert labels(app) == ["three", "one", "two"]


def test_what_was_typed_is_kept_by_a_click_that_comes_with_it() -> None:
    app = writing()
    app.button(key="add lesson").click().run()
    app.text_input(key="own lesson title").set_value("second")
    app.button(key="edit 0").click().run()
    assert labels(app) == ["", "second"]
    assert app.text_input(key="own lesson title").value == ""


def test_what_the_visitor_sees_now_takes_the_place_of_what_was_seen_before() -> None:
    app = writing()
    app.session_state["encode text"] = "a later text"
    app.button(key="use page").click().run()
    assert from_plain(dict(own(app).lessons[0].scene)).choices["text"] == "a later text"


def test_a_page_with_a_text_that_is_too_long_for_lessons_is_refused_and_they_stay() -> None:
    app = writing()
    app.session_state["encode text"] = "a" * MOST_CHARACTERS
    app.button(key="use page").click().run()
    assert any("at most 1,000,000" in text for text in shown(app))
    assert any("Take a shorter text" in text for text in shown(app))
    assert from_plain(dict(own(app).lessons[0].scene)).choices["text"] == "hello class"


def test_there_is_a_limit_to_how_many_lessons_one_writes() -> None:
    app = opened("lessons", "")
    app.session_state["own lessons"] = to_text(from_file_lessons(file_of(*[LESSON] * MOST_LESSONS)))
    app.run()
    app.button(key="write lessons").click().run()
    app.button(key="add lesson").click().run()
    assert "There are 60 lessons." in shown(app)
    assert len(own(app).lessons) == MOST_LESSONS


def from_file_lessons(data: bytes) -> OwnLessons:
    return from_text(from_file(data).choices["written"])


# -- sending and opening them ----------------------------------------------------------------------------------------


def test_the_link_for_the_class_shows_the_lessons_to_a_new_visitor() -> None:
    app = writing()
    fill(app, title="one", question="Why?", answer="So.")
    [code] = written(app)
    query = code.partition("?")[2]
    pupil = opened("lessons", query)
    assert own(pupil) == own(app)
    assert {"one", "Why?"} <= set(shown(pupil))
    [name] = own(pupil).names
    pupil.button(key=f"open {name}").click().run()
    assert pager(pupil, "lesson pager") == (0, 1)


def test_lessons_that_do_not_fit_into_a_link_are_told_and_stay_in_the_address_by_their_digest() -> None:
    rng = random.Random(1)
    words = "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(6_000))
    app = writing()
    fill(app, answer=words)
    assert any(f"{LONGEST_QUERY:,} characters of a link. Save them as a file" in text for text in shown(app))
    assert not written(app)
    assert "written.id" in params(address(app)["query"])


def test_a_file_of_lessons_is_opened_on_the_lessons_page_and_in_the_head_of_every_page() -> None:
    for page, key in (("lessons", "lessons file"), ("encode", "lesson file")):
        app = opened(page, "")
        app.file_uploader(key=key).upload("x.json", file_of(LESSON), "application/json").run()
        assert not app.exception
        assert app.session_state["page"] == "lessons"
        assert {"Tuesday", "A", "B?"} <= set(shown(app))


def test_a_file_that_is_opened_takes_the_place_of_lessons_which_can_be_taken_back() -> None:
    app = writing()
    fill(app, title="mine")
    upload = app.file_uploader(key="lessons file")
    upload.upload("x.json", b'{"format": "bpe-lab lessons", "version": 3}', "application/json").run()
    assert "The file has version 3 of the format." in shown(app)
    assert labels(app) == ["mine"]
    app.file_uploader(key="lessons file").upload("x.json", file_of(LESSON), "application/json").run()
    assert labels(app) == ["A"]
    app.button(key="undo lessons").click().run()
    assert labels(app) == ["mine"]


def test_no_link_and_no_step_back_takes_the_place_of_what_a_teacher_has_written() -> None:
    app = writing()
    fill(app, title="mine")
    for query in ("lesson=overlaps", to_link(from_file(file_of(LESSON)), lambda text: "").query):
        app.switch_page("pages/encode.py").run()
        app.query_params.update(params(query))
        app.switch_page("pages/lessons.py").run()
        assert labels(app) == ["mine"]


def test_lessons_come_back_after_a_reload_of_another_page_and_the_strip_with_them() -> None:
    app = writing()
    fill(app, title="one", question="Why?")
    app.button(key="add lesson").click().run()
    fill(app, title="two", question="And this?")
    first, second = own(app).names
    others = {"lessons": address(app)["query"]}
    again = opened("encode", f"text=hello+class&via={first}")
    assert "Why?" not in shown(again)
    send_action(again, "resume", others, key="address: page encode")
    again.run()
    assert "Why?" in shown(again)
    send_action(again, "open", 1, "strip pager")
    assert "And this?" in shown(again)
    assert params(address(again)["query"])["via"] == [second]


def test_the_editor_of_a_page_that_was_loaded_again_has_the_words_in_its_fields() -> None:
    app = writing()
    fill(app, title="one", question="Why?")
    again = opened("lessons", address(app)["query"])
    assert again.text_input(key="own lesson title").value == "one"
    again.button(key="add lesson").click().run()
    assert labels(again) == ["one", ""]


def test_two_visitors_never_see_each_others_lessons() -> None:
    app, other = writing(), opened("lessons", "")
    fill(app, title="only mine", question="Secret?")
    other.run()
    assert "own lessons" not in other.session_state
    stranger = opened("encode", f"via={own(app).names[0]}")
    assert "Secret?" not in shown(stranger)
