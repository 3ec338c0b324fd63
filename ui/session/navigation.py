"""Where the visitor is: the page, the lesson, and what a link or a lesson file asked for."""

from __future__ import annotations

from bpe_core import BpeError
from ui.session.items import Item, Upload, is_a, one_of
from ui.session.lessons import all_lessons

ALL_LESSONS = "all"
IN_APP = Item("run of app.py", False, is_a(bool))
PAGE: Item[str] = Item("page", "train", is_a(str))
LINK_READ = Item("link read", False, is_a(bool))
LESSON = Item("lesson", ALL_LESSONS, one_of(ALL_LESSONS, *(each.name for each in all_lessons())))
ANSWERED = Item("lesson whose answer is shown", "", is_a(str))
VIA_LESSON = Item("lesson that led here", "", one_of("", *(each.name for each in all_lessons())))
LATEST_VIEW: Item[object] = Item("latest view", None, is_a(object))
GO_TO_PAGE = Item("go to page", "", is_a(str))
LESSON_FILE_PROBLEM: Item[BpeError | None] = Item("lesson file problem", None, is_a(BpeError))
LESSON_UPLOAD = Upload("lesson file")
