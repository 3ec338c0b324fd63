"""Bundled courses: lists of lessons with their minutes, from `lessons/courses.toml`.

    [[course]]
    name = "beginners"
    title = "For beginners"
    audience = "For a class that meets tokens for the first time."
    lessons = [["counting_letters", 5], ["hug_pug", 9]]

Independent of Streamlit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ui.session.lessons import LESSON_FOLDER

__all__ = ["COURSE_FILE", "Course", "all_courses", "course"]

COURSE_FILE = LESSON_FOLDER / "courses.toml"


@dataclass(frozen=True)
class Course:
    """A course: lesson names in order, each with its minutes. `audience` is one sentence."""

    name: str
    title: str
    audience: str
    lessons: tuple[tuple[str, int], ...]

    @property
    def minutes(self) -> int:
        """Total minutes of all lessons."""
        return sum(minutes for _, minutes in self.lessons)


def all_courses() -> tuple[Course, ...]:
    """All courses in order.

    >>> all_courses()[0].minutes
    45
    """
    return _COURSES


def course(name: str) -> Course | None:
    """The course of this name, or None."""
    return next((each for each in all_courses() if each.name == name), None)


def _read(content: Mapping[str, Any]) -> Course:
    lessons = tuple((name, minutes) for name, minutes in content["lessons"])
    return Course(content["name"], content["title"], content["audience"], lessons)


_COURSES = tuple(map(_read, tomllib.loads(COURSE_FILE.read_text("utf-8"))["course"]))
