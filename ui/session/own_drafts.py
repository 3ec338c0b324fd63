"""Lesson editor: the edited lesson, its fields, and the callbacks of the buttons.

Every change is saved immediately. Each callback first saves the fields, so that a click loses no typed text; replacing
or deleting lessons can be undone once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from bpe_core import FormatError
from bpe_core.language import message, translate
from ui.session import own_steps
from ui.session.asks import CUT_BY, KINDS, LONGEST_FIELD, Ask, AskMerge, fields_of, written_ask
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
    trains,
)
from ui.session.shared_view import now, to_plain

T = TypeVar("T")

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
    own_steps.load(each.steps)
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
        changed = _with(changed, at, replace(each, steps=own_steps.taken(each.steps)))
    if changed != own and keep(changed):
        DRAFTS_OF.set(OWN_LESSONS.get())


def drafted_ask() -> Ask | None:
    """The question in the fields; None if it is incomplete, or asks for the next merge of a view without a training."""
    ask = written_ask(DRAFT_ASK.get(), DRAFT_ASKED.get()[:LONGEST_FIELD], DRAFT_ASK_BY.get())
    return None if isinstance(ask, AskMerge) and not can_ask_merge() else ask


def choose_ask() -> None:
    """Apply a change of the kind of question; the next merge defaults to that of the step that the lesson opens."""
    own = own_set()
    if DRAFT_ASK.get() == "merge" and own.lessons and not DRAFT_ASKED.get().strip().isdecimal():
        DRAFT_ASKED.set(str(own.lessons[edited()].scene.get("step", 0)))
    take()


def can_ask_merge() -> bool:
    """Whether the edited lesson opens a training, whose next merge can be asked for."""
    own = own_set()
    return bool(own.lessons) and trains(own.lessons[edited()].scene)


def select(at: int) -> None:
    """Switch to another lesson."""
    take()
    load(at)


def fill() -> None:
    """Load the fields if they do not belong to the current lessons, as after a reload or through a link."""
    if DRAFTS_OF.get() != OWN_LESSONS.get():
        load(edited())


def begin() -> None:
    """Open the editor, and create a first lesson if there is none."""
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
    own = own_set()
    lessons = moved(own.lessons, at, by)
    if lessons is None:
        return
    was = edited()
    if keep(replace(own, lessons=lessons)):
        load(at + by if was == at else at if was == at + by else was)


def moved(members: tuple[T, ...], at: int, by: int) -> tuple[T, ...] | None:
    """The members with one moved up or down; None if it cannot be.

    >>> moved(("a", "b", "c"), 2, -1), moved(("a", "b"), 1, 1)
    (('a', 'c', 'b'), None)
    """
    order = list(members)
    if not (0 <= at < len(order) and 0 <= at + by < len(order)):
        return None
    order.insert(at + by, order.pop(at))
    return tuple(order)


def _with(own: OwnLessons, at: int, each: OwnLesson) -> OwnLessons:
    """The lessons with one in place of another."""
    return replace(own, lessons=(*own.lessons[:at], each, *own.lessons[at + 1 :]))


def use_page() -> None:
    """Set the lesson's view to the chosen page in its current state.

    Drops steps at places that the page lacks, and a question about a merge; can be undone.
    """
    take()
    own, at = own_set(), edited()
    if not own.lessons:
        return
    before, page = own.lessons[at], DRAFT_PAGE.get()
    each = replace(before, scene=to_plain(now(page)), steps=own_steps.on_page(before.steps, page))
    if isinstance(each.ask, AskMerge) and not trains(each.scene):
        each = replace(each, ask=None)
    changed = _with(own, at, each)
    if len(each.steps) < len(before.steps) or each.ask != before.ask:
        _undoable(lambda: keep(changed))
    else:
        keep(changed)
    load(at)


def change_steps(change: Callable[[own_steps.Steps], own_steps.Steps]) -> None:
    """Change the steps of the edited lesson."""
    take()
    own, at = own_set(), edited()
    if not own.lessons:
        return
    each = replace(own.lessons[at], steps=change(own.lessons[at].steps))
    if each != own.lessons[at] and keep(_with(own, at, each)):
        load(at)


def add_step(table: Any) -> None:
    """Append an untrusted step; ignore it if it is invalid."""
    own = own_set()
    if own.lessons:
        page = own.lessons[edited()].page
        change_steps(lambda steps: own_steps.added(steps, table, page))


def move_step(at: int, by: int) -> None:
    """Move a step up or down."""
    change_steps(lambda steps: moved(steps, at, by) or steps)


def delete_step(at: int) -> None:
    """Delete a step."""
    change_steps(lambda steps: steps[:at] + steps[at + 1 :])


def open_lessons(text: str) -> None:
    """Replace the lessons with those of a validated text; can be undone."""

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
