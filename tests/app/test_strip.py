"""The strip: the lesson on the page that it opened, its answer, and navigation to the next one; and courses."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.pages import has, hash_of, opened, params, texts
from tests.app.sending import address, pager, send_action
from ui.session.asks import AskMerge
from ui.session.courses import Course, all_courses
from ui.session.lessons import Lesson, all_lessons, lesson
from ui.session.places import place
from ui.session.shared_view import from_plain

FIRST = all_courses()[0]


def found(name: str) -> Lesson:
    each = lesson(name)
    assert each is not None
    return each


def has_strip(app: AppTest) -> bool:
    return any(button.key == "strip answer" for button in app.button)


def links(app: AppTest) -> list[str]:
    return [each.proto.label for each in app.get("page_link")]


def in_course(course: Course, at: int) -> str:
    return f"{course.name}.{course.lessons[at][0]}"


def page_of(name: str) -> str:
    return found(name.rpartition(".")[2]).page


def go(app: AppTest, at: int) -> None:
    """Press a button of the strip's pager; the browser then opens the next page."""
    app.query_params.clear()
    send_action(app, "open", at, "strip pager")
    app._page_hash = "" if app.session_state["page"] == "train" else hash_of(app.session_state["page"])


def at_lesson(name: str) -> AppTest:
    """The page of a lesson, opened by the link of its button."""
    return opened(page_of(name), f"via={name}")


# -- the strip -------------------------------------------------------------------------------------------------------


def test_the_page_that_a_lesson_opens_shows_its_question_and_its_answer_when_asked() -> None:
    app = at_lesson("overlaps")
    assert found("overlaps").question in texts(app)
    assert found("overlaps").answer not in [text.value for text in app.markdown]
    app.button(key="strip answer").click().run()
    assert found("overlaps").answer in [text.value for text in app.markdown]
    assert has(app, "exhibit of overlaps")
    app.button(key="strip answer").click().run()
    assert found("overlaps").answer not in [text.value for text in app.markdown]


def test_next_opens_the_page_of_the_next_lesson_as_that_needs_it_with_its_answer_hidden() -> None:
    app = at_lesson("counting_letters")
    app.button(key="strip answer").click().run()
    for each in all_lessons()[1:6]:
        go(app, each.number - 1)
        assert each.question in texts(app)
        assert each.answer not in [text.value for text in app.markdown]
        assert app.session_state["page"] == each.page
        for button in [button for button in app.button if button.key == "strip look"]:
            button.click().run()
        assert params(address(app)["query"])["via"] == [each.name]
        training = from_plain(dict(each.view)).training
        if training is not None:
            assert app.session_state["source"].text == training.source.text
            assert app.session_state["step"] == training.step


def test_previous_leads_back_on_the_same_page_which_is_a_place_of_its_own_in_the_history() -> None:
    app = at_lesson("overlaps")
    before = address(app)
    send_action(app, "open", found("hug_pug").number - 1, "strip pager")
    assert found("hug_pug").question in texts(app)
    assert (address(app)["path"], address(app)["place"]) == (before["path"], "hug_pug")
    assert before["place"] == "overlaps"


def test_a_remote_finds_its_way_in_every_lesson_from_question_to_page_and_from_answer_to_question() -> None:
    for names in ([in_course(FIRST, at) for at in range(len(FIRST.lessons))], [each.name for each in all_lessons()]):
        app = opened("lessons", f"lesson={names[0]}")
        for at, name in enumerate(names):
            if at:
                send_action(app, "open", at, "lesson pager")
            assert found(name.rpartition(".")[2]).question in texts(app)
            assert [label for label in links(app) if label.startswith("Open in ")]
            assert ("to the answer before" in [button.key for button in app.button]) == (at > 0)


def test_the_remote_s_link_leads_to_the_next_question_and_its_way_back_to_the_answer_before() -> None:
    app = at_lesson("overlaps")
    on = next(each.proto for each in app.get("page_link") if each.proto.label == "Next")
    assert (on.page, on.query_string) == ("lessons", f"lesson={all_lessons()[found('overlaps').number].name}")
    app = opened("lessons", "lesson=a_tie_decides")
    app.query_params.clear()
    app.button(key="to the answer before").click().run()
    app._page_hash = ""
    app.run()
    assert found("overlaps").answer in [text.value for text in app.markdown]
    assert "via=overlaps" in address(app)["query"]
    last = at_lesson(all_lessons()[-1].name)
    assert "Next" not in links(last)


def test_no_lesson_opens_beyond_the_step_that_it_asks_about() -> None:
    for each in all_lessons():
        training = from_plain(dict(each.view)).training
        if training is None:
            continue
        assert training.step == 0 or "from 0" not in each.text, each.name
        assert not isinstance(each.ask, AskMerge) or training.step <= each.ask.step, each.name


def test_who_closes_the_strip_leaves_the_lesson_and_the_page_stays_as_it_is() -> None:
    app = at_lesson("overlaps")
    app.session_state["step"] = 1
    app.button(key="strip close").click().run()
    assert not has_strip(app)
    assert "via" not in params(address(app)["query"])
    assert app.session_state["step"] == 1
    app.query_params["via"] = "overlaps"  # an outdated address
    app.run()
    assert not has_strip(app)


def test_another_page_has_a_link_to_the_lesson_and_no_strip_and_all_lessons_end_it() -> None:
    app = at_lesson("overlaps")
    app.query_params.clear()
    app.switch_page("pages/encode.py").run()
    assert not has_strip(app)
    assert place("overlaps").label in links(app)  # type: ignore[union-attr]
    app.switch_page("pages/train.py").run()
    assert has_strip(app)
    app.switch_page("pages/lessons.py").run()
    app.switch_page("pages/train.py").run()
    assert not has_strip(app)


def test_a_forged_name_of_a_lesson_shows_no_strip() -> None:
    for forged in (
        "nothing",
        "own-12345678",
        "own-",
        "beginners.",
        ".overlaps",
        "nobody.overlaps",
        "<b>",
        "all",
        "\ud800",
    ):
        app = opened("train", "")
        app.session_state["lesson that led here"] = forged
        app.run()
        assert not app.exception
        assert not has_strip(app)
        assert place(forged) is None


def test_a_forged_place_of_the_strip_changes_nothing() -> None:
    app = at_lesson("overlaps")
    for forged in (-1, 10_000, True, "1", None, [1]):
        send_action(app, "open", forged, "strip pager")
        assert found("overlaps").question in texts(app)


# -- courses ---------------------------------------------------------------------------------------------------------


def test_a_course_has_lessons_that_there_are_each_once_and_forty_five_minutes() -> None:
    assert len({each.name for each in all_courses()}) == len(all_courses()) == 5
    for each in all_courses():
        names = [name for name, _ in each.lessons]
        assert all(lesson(name) is not None for name in names)
        assert len(set(names)) == len(names)
        assert all(minutes > 0 for _, minutes in each.lessons)
        assert each.minutes == 45
        assert each.audience.endswith(".")


def test_the_lessons_page_lists_every_course_with_the_minutes_of_each_lesson() -> None:
    app = opened("lessons", "")
    captions = [each.value for each in app.caption]
    for each in all_courses():
        assert f"**{each.title}**" in [text.value for text in app.markdown]
        assert each.audience in captions
        for name, minutes in each.lessons:
            assert app.button(key=f"open {each.name}.{name}").label == found(name).title
            assert f"{minutes} min" in captions


def test_a_course_is_stepped_through_on_the_lessons_page_and_on_the_pages_that_it_opens() -> None:
    app = opened("lessons", "")
    app.button(key=f"start {FIRST.name}").click().run()
    assert pager(app, "lesson pager") == (0, len(FIRST.lessons))
    send_action(app, "open", 1, "lesson pager")
    assert found(FIRST.lessons[1][0]).question in texts(app)
    assert params(address(app)["query"])["lesson"] == [in_course(FIRST, 1)]
    app = at_lesson(in_course(FIRST, 0))
    for at in range(1, len(FIRST.lessons)):
        go(app, at)
        assert found(FIRST.lessons[at][0]).question in texts(app)
        assert pager(app, "strip pager") == (at, len(FIRST.lessons))
        assert f"Lesson {at + 1} of {len(FIRST.lessons)}" in links(app)
        assert params(address(app)["query"])["via"] == [in_course(FIRST, at)]
