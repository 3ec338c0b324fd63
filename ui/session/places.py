"""A lesson within its list: all lessons, a course, or custom lessons.

URLs refer to it by one name: `overlaps`, `beginners.overlaps`, or `own-1f2e3d4c`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe_core.language import _, gettext
from ui.session.asks import AskMerge
from ui.session.courses import course
from ui.session.lessons import Lesson, all_lessons, lesson
from ui.session.own_lessons import OWN_NAME, OwnLesson, own_set


@dataclass(frozen=True)
class Place:
    """A lesson within a list.

    names      names of all lessons in the list; this one is names[at]
    course     title of the course in its file, "" without one
    minutes    duration of the lesson, None if unknown
    lesson     its content: markdown if bundled, plain text if custom
    """

    names: Sequence[str]
    at: int
    lesson: Lesson | OwnLesson
    course: str = ""
    minutes: int | None = None

    @property
    def name(self) -> str:
        """Name in URLs."""
        return self.names[self.at]

    @property
    def lesson_name(self) -> str:
        """Name of the lesson, the same in every course."""
        return self.name.rpartition(".")[2]

    @property
    def number(self) -> int:
        """Number in the list, from 1."""
        return self.at + 1

    @property
    def page(self) -> str:
        """The page it opens."""
        return self.lesson.page

    @property
    def scene(self) -> Mapping[str, Any]:
        """Plain form of the view it opens; in predict mode if it asks for the next merge, which Train would reveal."""
        scene = self.lesson.view if isinstance(self.lesson, Lesson) else self.lesson.scene
        if not isinstance(self.lesson.ask, AskMerge):
            return scene
        return {**scene, "choices": {**scene.get("choices", {}), "predict": True}}

    @property
    def begins(self) -> int:
        """Step of the player that the view opens at; 0 on a page without one."""
        return int(self.scene.get("step", 0) or self.scene.get("choices", {}).get("at_step", 0))

    @property
    def is_own(self) -> bool:
        """Whether it is a custom lesson."""
        return isinstance(self.lesson, OwnLesson)

    def translated(self, text: str) -> str:
        """A text of the lesson in the page's language; a custom lesson's text is not translated."""
        return text if self.is_own or not text else gettext(text)

    @property
    def label(self) -> str:
        """Translated position, such as "Lesson 3 of 20"."""
        return _("Lesson {number} of {lessons}", number=self.number, lessons=len(self.names))


def place(name: str) -> Place | None:
    """The lesson of this name in its list; None if it is unknown or a custom lesson that is not loaded.

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
