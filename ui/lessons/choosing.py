"""Choice of the place that a step of a teacher's lesson points at: on the lesson's page, with a strip above it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core.language import _, message, translate
from ui.session import own_drafts, training
from ui.session.lesson_steps import LARGEST_STEP, LONGEST_SENTENCE, MOST_STEPS, kinds_of
from ui.session.navigation import GO_TO_PAGE, PAGE, VIA_LESSON, WRITING, chosen_for, steps_of
from ui.session.own_lessons import OwnLesson, own_set
from ui.session.shared_view import from_plain, show
from ui.session.step_places import OF_EVERY_PAGE, places_of
from ui.views.step_chooser import ChoosablePlace, choose_step
from ui.widgets.address import open_lesson

KINDS = {
    "seen": message("at the button Go on"),
    "click": message("at a click there"),
    "step": message("when the player moves"),
    "reach": message("at a step of the player"),
    "token": message("when a token there is picked"),
    "change": message("when something there is changed"),
}
"""Descriptions of the actions that lead to the next step."""


def begin_choosing() -> None:
    """Open the page of the edited lesson to choose the place of its next step; for a callback."""
    own_drafts.take()
    own, at = own_set(), own_drafts.edited()
    if not own.lessons or len(own.lessons[at].steps) >= MOST_STEPS:
        return
    show(from_plain(dict(own.lessons[at].scene)))
    training.PLAYING.set(False)
    VIA_LESSON.set(steps_of(at))
    GO_TO_PAGE.set(own.lessons[at].page)


def show_choosing() -> bool:
    """Draw the strip and the chooser if a step is being chosen on this page. Return whether one is."""
    own, at = own_set(), chosen_for()
    if at is None or not own.lessons:  # after a reload the browser sends the lessons with the next run
        return False
    if at >= len(own.lessons) or own.lessons[at].page != PAGE.get():
        VIA_LESSON.set("")
        return False
    own_drafts.EDITED.set(at)
    lesson = own.lessons[at]
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="choosing"):
        st.text(_("Steps of “{title}”: choose what to point at.", title=own_drafts.title_of(lesson)))
        st.space("stretch")
        st.button(_("Back to the editor"), icon=":material/arrow_back:", key="end choosing", on_click=_end)
        choose_step(
            _places(lesson),
            key="step chooser",
            number=len(lesson.steps) + 1,
            longest=LONGEST_SENTENCE,
            last=LARGEST_STEP,
            on_choice=_chosen,
        )
    return True


def _places(lesson: OwnLesson) -> list[ChoosablePlace]:
    page = lesson.page
    absent = ("question", *(name for name in OF_EVERY_PAGE if name.rpartition(" ")[2] == page))  # links to itself
    return [
        ChoosablePlace(
            name,
            translate(place.title),
            place.selector,
            place.inside,
            [(kind, translate(KINDS[kind])) for kind in kinds_of(page, name)],
            in_header=name in OF_EVERY_PAGE,
        )
        for name, place in places_of(page).items()
        if name not in absent
    ]


def _chosen(table: Any) -> None:
    own_drafts.add_step(table)
    own, at = own_set(), own_drafts.edited()
    if own.lessons and len(own.lessons[at].steps) >= MOST_STEPS:
        _end()


def _end() -> None:
    VIA_LESSON.set("")
    own_drafts.load(own_drafts.edited())
    open_lesson(WRITING)
    GO_TO_PAGE.set("lessons")
