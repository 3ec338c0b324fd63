"""Texts of a lesson that are shown on other pages too."""

from __future__ import annotations

from ui.session.own_drafts import title_of
from ui.session.own_lessons import OwnLesson
from ui.session.places import Place


def asked(shown: Place) -> str:
    """The question, or the title of a custom lesson without one."""
    question = shown.translated(shown.lesson.question)
    return title_of(shown.lesson) if isinstance(shown.lesson, OwnLesson) and not question else question
