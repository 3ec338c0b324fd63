"""Lesson editor: the edited lesson, its fields, and the callbacks of the buttons.

Every change is saved immediately. Each callback first saves the fields, so that a click loses no typed text; replacing
or deleting lessons can be undone once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bpe_core import FormatError
from bpe_core.language import message, translate
from ui.session.asks import CUT_BY, KINDS, LONGEST_FIELD, Ask, fields_of, written_ask
from ui.session.items import Item, is_a, is_count, one_of
from ui.session.navigation import LESSONS_PROBLEM
from ui.session.own_lessons import (
    LONGEST,
    MOST_LESSONS,
    OWN_LESSONS,
    PAGES_TO_OPEN,
    OwnLesson,
    OwnLessons,
    own_set,
    to_text,
)
from ui.session.shared_view import now, to_plain

EDITED = Item("own lesson edited", 0, is_count)
BEFORE: Item[str | None] = Item("own lessons before", None, lambda value: value is None or isinstance(value, str))
DRAFTS_OF = Item("own lessons in the fields", "", is_a(str))
"""Serialized lessons that the fields belong to: loaded from these, or last saved to them."""

DRAFT_SET_TITLE = Item("own lessons title", "", is_a(str))
DRAFT_WORDS = {name: Item(f"own lesson {name}", "", is_a(str)) for name in LONGEST}
DRAFT_MINUTES = Item("own lesson minutes", 5, is_count)
DRAFT_ASK = Item("own lesson asks", KINDS[0], one_of(*KINDS))
DRAFT_ASKED = Item("own lesson asked", "", is_a(str))
DRAFT_ASK_BY = Item("own lesson cut by", CUT_BY[0], one_of(*CUT_BY))
DRAFT_PAGE = Item("own lesson page", "train", one_of(*PAGES_TO_OPEN))

_UNSAID = message("Untitled")


def title_of(each: OwnLesson) -> str:
    """The lesson's title, or a placeholder."""
    return each.title.strip() or translate(_UNSAID)


def keep(own: OwnLessons) -> bool:
    """Save these lessons. Return False and set the page's error if they are too large."""
    try:
        text = to_text(own) if own != OwnLessons() else ""
    except FormatError as error:
        LESSONS_PROBLEM.set(error)
        return False
    LESSONS_PROBLEM.set(None)
    BEFORE.set(None)
    OWN_LESSONS.set(text)
    return True


def edited() -> int:
    """Index of the edited lesson; 0 if there is none."""
    return max(0, min(EDITED.get(), len(own_set().lessons) - 1))


def load(at: int) -> None:
    """Load the lesson at this index into the fields."""
    own = own_set()
    EDITED.set(at)
    DRAFTS_OF.set(OWN_LESSONS.get())
    DRAFT_SET_TITLE.set(own.title)
    if not own.lessons:
        return
    each = own.lessons[edited()]
    for name, item in DRAFT_WORDS.items():
        item.set(getattr(each, name))
    DRAFT_MINUTES.set(each.minutes)
    for item, value in zip((DRAFT_ASK, DRAFT_ASKED, DRAFT_ASK_BY), fields_of(each.ask), strict=True):
        item.set(value)
    DRAFT_PAGE.set(each.page)


def take() -> None:
    """Save the fields, if they belong to the current lessons."""
    if DRAFTS_OF.get() != OWN_LESSONS.get():
        return
    own = own_set()
    changed = replace(own, title=DRAFT_SET_TITLE.get()[: LONGEST["title"]])
    if own.lessons:
        at = edited()
        words: dict[str, Any] = {name: item.get()[: LONGEST[name]] for name, item in DRAFT_WORDS.items()}
        each = replace(own.lessons[at], **words, minutes=max(1, DRAFT_MINUTES.get()), ask=drafted_ask())
        changed = replace(changed, lessons=(*own.lessons[:at], each, *own.lessons[at + 1 :]))
    if changed != own and keep(changed):
        DRAFTS_OF.set(OWN_LESSONS.get())


def drafted_ask() -> Ask | None:
    """What the fields ask back; None if they are not complete."""
    return written_ask(DRAFT_ASK.get(), DRAFT_ASKED.get()[:LONGEST_FIELD], DRAFT_ASK_BY.get())


def select(at: int) -> None:
    """Switch to another lesson."""
    take()
    load(at)


def fill() -> None:
    """Load the fields if they do not belong to the current lessons, as after a reload or through a link."""
    if DRAFTS_OF.get() != OWN_LESSONS.get():
        load(edited())


def begin() -> None:
    """Open the editor, with a first lesson if there is none."""
    LESSONS_PROBLEM.set(None)
    load(edited())
    if not own_set().lessons:
        add()


def add() -> None:
    """Append a lesson that opens the edited lesson's page in its current state."""
    take()
    own = own_set()
    if len(own.lessons) >= MOST_LESSONS:
        LESSONS_PROBLEM.set(
            FormatError(
                message("There are {number} lessons.", number=len(own.lessons)),
                limit=message("A file holds at most {most}.", most=MOST_LESSONS),
                remedy=message("Save them as a file, and begin another one."),
            )
        )
        return
    new = OwnLesson("", "", "", "", 5, to_plain(now(DRAFT_PAGE.get())))
    if keep(replace(own, lessons=(*own.lessons, new))):
        load(len(own.lessons))


def delete(at: int) -> None:
    """Delete a lesson; can be undone."""
    take()
    own = own_set()
    if 0 <= at < len(own.lessons):
        _undoable(lambda: keep(replace(own, lessons=own.lessons[:at] + own.lessons[at + 1 :])))
        load(EDITED.get() - (at < EDITED.get()))


def move(at: int, by: int) -> None:
    """Move a lesson up or down in the list."""
    take()
    lessons = list(own_set().lessons)
    if not (0 <= at < len(lessons) and 0 <= at + by < len(lessons)):
        return
    was = edited()
    lessons.insert(at + by, lessons.pop(at))
    if keep(replace(own_set(), lessons=tuple(lessons))):
        load(at + by if was == at else at if was == at + by else was)


def use_page() -> None:
    """Set the lesson's view to the chosen page in its current state."""
    take()
    own, at = own_set(), edited()
    if own.lessons:
        each = replace(own.lessons[at], scene=to_plain(now(DRAFT_PAGE.get())))
        keep(replace(own, lessons=(*own.lessons[:at], each, *own.lessons[at + 1 :])))
        load(at)


def open_lessons(text: str) -> None:
    """Replace the lessons by those of a validated text; can be undone."""

    def opened() -> bool:
        OWN_LESSONS.set(text)
        LESSONS_PROBLEM.set(None)
        return True

    _undoable(opened)
    load(0)


def clear() -> None:
    """Delete all lessons; can be undone."""
    _undoable(lambda: keep(OwnLessons()))
    load(0)


def undo() -> None:
    """Undo the latest deletion or replacement."""
    before = BEFORE.get()
    if before is not None:
        OWN_LESSONS.set(before)
        BEFORE.set(None)
        LESSONS_PROBLEM.set(None)
        load(EDITED.get())


def _undoable(change: Callable[[], bool]) -> None:
    before = OWN_LESSONS.get()
    if change() and OWN_LESSONS.get() != before:
        BEFORE.set(before or None)
