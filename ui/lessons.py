"""The lessons that come with the app: one file each in `lessons/`, in the order of their numbers.

A file holds the words of the lesson, the scene that its button opens (as links and lesson files describe it) and an
exhibit that stands beside the answer. Nothing here needs Streamlit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["LESSON_FOLDER", "Exhibit", "Lesson", "lesson", "lessons"]

LESSON_FOLDER = Path(__file__).resolve().parent.parent / "lessons"


@dataclass(frozen=True)
class Exhibit:
    """A text and who cuts it: tokenizers by name, or the scene's training after so many merges."""

    text: str
    tokenizers: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """One lesson. `text` and `answer` are markdown of ours; `scene` is the plain form of what the button opens."""

    name: str
    number: int
    title: str
    question: str
    text: str
    answer: str
    scene: Mapping[str, Any]
    exhibit: Exhibit

    @property
    def page(self) -> str:
        """The page that the lesson opens."""
        return str(self.scene["page"])


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons in their order.

    >>> lessons()[0].title
    'Why counting letters fails'
    """
    return tuple(map(_read, sorted(LESSON_FOLDER.glob("*.toml"))))


def lesson(name: str) -> Lesson | None:
    """The lesson of this name, if there is one.

    >>> lesson("overlaps").number
    3
    """
    return next((each for each in lessons() if each.name == name), None)


def _read(path: Path) -> Lesson:
    number, name = path.stem.split("_", 1)
    told = tomllib.loads(path.read_text("utf-8"))
    shown = told["exhibit"]
    return Lesson(
        name=name,
        number=int(number),
        title=told["title"],
        question=told["question"],
        text=told["text"].strip(),
        answer=told["answer"].strip(),
        scene=told["scene"],
        exhibit=Exhibit(shown["text"], tuple(shown.get("with", ())), tuple(shown.get("steps", ()))),
    )
