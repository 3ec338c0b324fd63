"""Navigation state: the page, the lesson, and views opened by a link or lesson file."""

from __future__ import annotations

import re

from bpe_core import BpeError
from ui.session.courses import all_courses
from ui.session.items import Item, Upload, is_a, named
from ui.session.lessons import all_lessons
from ui.session.own_lessons import OWN_NAME

ALL_LESSONS = "all"
WRITING = "write"
"""Value for the lesson editor in place of a lesson's name."""

_NAMES = (
    *(each.name for each in all_lessons()),
    *(f"{each.name}.{name}" for each in all_courses() for name, _ in each.lessons),
)
"""Names of lessons in URLs: alone, and within a course."""

PAGE: Item[str] = Item("page", "train", is_a(str))
LINK_READ = Item("link read", False, is_a(bool))
LESSON = Item("lesson", ALL_LESSONS, named(OWN_NAME, ALL_LESSONS, WRITING, *_NAMES))
ANSWERED = Item("lesson whose answer is shown", "", is_a(str))
STRIP_ANSWERED = Item("lesson whose answer is shown on its page", "", is_a(str))
LOOKED = Item("lesson that is read on without an answer", "", is_a(str))
GIVEN_ANSWERS: Item[dict[str, object]] = Item("answers given", {}, is_a(dict))
"""The learner's answers to lessons' questions, by the name of the lesson."""

_STEPS_OF = re.compile(rf"{WRITING}-([0-9]{{1,2}})")
VIA_LESSON = Item("lesson that led here", "", named(re.compile(f"{OWN_NAME.pattern}|{_STEPS_OF.pattern}"), "", *_NAMES))
"""The lesson that opened this page; or `steps_of` the edited one, while a place for one of its steps is chosen here."""

LATEST_VIEW: Item[object] = Item("latest view", None, is_a(object))
SHOWN_LINK = Item("link shown", "", is_a(str))
"""Link whose QR code is on the screen."""

LINK_PROBLEM: Item[tuple[BpeError, float] | None] = Item("link problem told", None, is_a(tuple))
GO_TO_PAGE = Item("go to page", "", is_a(str))
LESSON_FILE_PROBLEM: Item[BpeError | None] = Item("lesson file problem", None, is_a(BpeError))
LESSON_UPLOAD = Upload("lesson file")
LESSONS_PROBLEM: Item[BpeError | None] = Item("lessons problem", None, is_a(BpeError))
LESSONS_UPLOAD = Upload("lessons file")


def steps_of(at: int) -> str:
    """Value of VIA_LESSON while a step is chosen for the user's lesson at this index."""
    return f"{WRITING}-{at}"


def chosen_for() -> int | None:
    """Index of the user's lesson for which a step is being chosen; None if none is."""
    found = _STEPS_OF.fullmatch(VIA_LESSON.get())
    return int(found[1]) if found else None
