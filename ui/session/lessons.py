"""Bundled lessons: one file each in `lessons/`, ordered by number.

A file holds the lesson's text, notes for the speaker, the view that its button opens (in the plain form of links and
lesson files), an exhibit shown next to the answer, its question to the reader, its steps, and results printed in
textbooks. Independent of Streamlit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ui.session.asks import Ask, checked_ask
from ui.session.folders import LESSON_FOLDER
from ui.session.lesson_steps import LessonStep, checked_steps
from ui.session.printed import Printed, all_printed

__all__ = ["LESSON_FOLDER", "Exhibit", "Lesson", "all_lessons", "lesson"]


@dataclass(frozen=True)
class Exhibit:
    """Computed content next to an answer.

    Either a text, with tokenizers by name or with steps of the view's training; or a `table`
    (ui/lessons/tables.py), computed from the view and optional `words`.
    """

    text: str = ""
    tokenizers: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    table: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson. `text` and `answer` are markdown from its file; `view` is the plain form of the view it opens."""

    name: str
    number: int
    title: str
    question: str
    text: str
    answer: str
    view: Mapping[str, Any]
    exhibit: Exhibit
    printed: tuple[Printed, ...] = ()
    ask: Ask | None = None
    steps: tuple[LessonStep, ...] = ()
    notes: str = ""
    """For the speaker only; plain text."""

    @property
    def page(self) -> str:
        """The page that the lesson opens."""
        return str(self.view["page"])


def all_lessons() -> tuple[Lesson, ...]:
    """All lessons in order.

    >>> all_lessons()[0].title
    'Why counting letters fails'
    """
    return _LESSONS


def lesson(name: str) -> Lesson | None:
    """The lesson of this name, or None.

    >>> lesson("overlaps").number
    3
    """
    return next((each for each in all_lessons() if each.name == name), None)


def _read(path: Path) -> Lesson:
    number, name = path.stem.split("_", 1)
    content = tomllib.loads(path.read_text("utf-8"))
    shown = content.get("exhibit", {})
    return Lesson(
        name=name,
        number=int(number),
        title=content["title"],
        question=content["question"],
        text=content["text"].strip(),
        answer=content["answer"].strip(),
        view=content["scene"],
        exhibit=Exhibit(
            shown.get("text", ""),
            tuple(shown.get("with", ())),
            tuple(shown.get("steps", ())),
            shown.get("table", ""),
            tuple(shown.get("words", ())),
        ),
        printed=all_printed(content.get("printed", ())),
        ask=checked_ask(content["ask"], name, trains=True) if "ask" in content else None,
        notes=content.get("notes", "").strip(),
        steps=checked_steps(content.get("steps", []), content["scene"]["page"], name),
    )


_LESSONS = tuple(map(_read, sorted(LESSON_FOLDER.glob("[0-9]*_*.toml"))))
