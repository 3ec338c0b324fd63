"""A lesson in the list that it is taken from: all lessons, a course, or those that a teacher wrote.

Addresses call it by one name: `overlaps`, `beginners.overlaps`, or `own-1f2e3d4c`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe_core.language import _
from ui.session.courses import course
from ui.session.lessons import Lesson, all_lessons, lesson
from ui.session.own_lessons import OWN_NAME, OwnLesson, own_set


@dataclass(frozen=True)
class Place:
    """One lesson of a list.

    names      of all lessons of the list; this one is names[at]
    course     the title of the course as its file has it, "" without one
    minutes    how long the lesson takes, None where nobody says
    lesson     its words: markdown of ours, or plain text that a visitor wrote
    """

    names: Sequence[str]
    at: int
    lesson: Lesson | OwnLesson
    course: str = ""
    minutes: int | None = None

    @property
    def name(self) -> str:
        """What addresses call it."""
        return self.names[self.at]

    @property
    def number(self) -> int:
        """Its number in the list."""
        return self.at + 1

    @property
    def page(self) -> str:
        """The page that it opens."""
        return self.lesson.page

    @property
    def scene(self) -> Mapping[str, Any]:
        """The plain form of the view that it opens."""
        return self.lesson.view if isinstance(self.lesson, Lesson) else self.lesson.scene

    @property
    def is_own(self) -> bool:
        """Whether a visitor wrote it."""
        return isinstance(self.lesson, OwnLesson)

    @property
    def label(self) -> str:
        """Which one of how many, in words of ours."""
        return _("Lesson {number} of {lessons}", number=self.number, lessons=len(self.names))


def place(name: str) -> Place | None:
    """The lesson of this name in its list; None where there is none, or where it is one that this visitor has not.

    >>> place("overlaps").page
    'train'
    """
    if OWN_NAME.fullmatch(name):
        return _own(name)
    within, of_course, called = name.rpartition(".")
    found = lesson(called)
    if found is None:
        return None
    if not of_course:
        return Place([each.name for each in all_lessons()], found.number - 1, found)
    of = course(within)
    names = [each for each, _ in of.lessons] if of else []
    if of is None or called not in names:
        return None
    at = names.index(called)
    return Place([f"{within}.{each}" for each in names], at, found, of.title, of.lessons[at][1])


def _own(name: str) -> Place | None:
    own = own_set()
    names = own.names
    if name not in names:
        return None
    at = names.index(name)
    return Place(names, at, own.lessons[at], minutes=own.lessons[at].minutes)
