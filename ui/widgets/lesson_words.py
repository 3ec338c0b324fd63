"""Texts of a lesson that are shown outside of its own page too."""

from __future__ import annotations

from bpe_core.language import gettext
from ui.session.lessons import Lesson
from ui.session.own_drafts import title_of
from ui.session.places import Place


def asked(shown: Place) -> str:
    """The question, or the title of a custom lesson without one."""
    words = shown.lesson.question
    return gettext(words) if isinstance(shown.lesson, Lesson) else words or title_of(shown.lesson)


def notes_of(shown: Place) -> str:
    """The notes for the speaker, "" without any."""
    words = shown.lesson.notes
    return gettext(words) if words and isinstance(shown.lesson, Lesson) else words
