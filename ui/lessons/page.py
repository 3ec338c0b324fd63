"""The Lessons page: all lessons and courses, a single lesson, or the editor."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from bpe_core.language import _, gettext
from ui.lessons.editor import show_editor
from ui.lessons.one import show_one
from ui.lessons.own_cards import keep_in_browser, show_actions, show_own, show_problem
from ui.session.courses import Course, all_courses
from ui.session.lessons import Lesson, all_lessons, lesson
from ui.session.navigation import LESSON, WRITING
from ui.session.own_lessons import own_set
from ui.session.places import place
from ui.widgets.address import open_lesson
from ui.widgets.display import page_title

_HERE = Path(__file__).parent
ACROSS = 3
"""Cards per row."""


def show_lessons() -> None:
    """Draw the page."""
    st.html(_HERE / "lessons.css")
    st.html(_HERE / "handout.css")
    chosen = place(LESSON.get())
    if chosen is not None:
        show_one(chosen)
    elif LESSON.get() == WRITING:
        show_editor()
    else:
        _show_all()


def _show_all() -> None:
    keep_in_browser()
    if own_set().lessons:
        show_own()
        st.header(_("Courses"), anchor=False)
    else:
        with st.container(horizontal=True, vertical_alignment="center", key="own lessons"):
            st.header(_("Courses"), anchor=False, width="stretch")
            show_actions()
        show_problem()
    st.caption(_("Lessons in an order, each with the minutes that it takes with a class."))
    show_courses()
    st.header(_("All lessons"), anchor=False)
    st.caption(_("A question for the class, a page that is set up to find out, and the answer when you want it."))
    for first in range(0, len(all_lessons()), ACROSS):
        for column, each in zip(st.columns(ACROSS), all_lessons()[first : first + ACROSS], strict=False):
            with column:
                _card(each)


def _card(each: Lesson) -> None:
    with st.container(border=True, height="stretch", gap="xsmall", key=f"card of {each.name}"):
        st.caption(f"{each.number} · {page_title(each.page)}")
        title = gettext(each.title)
        st.button(title, key=f"open {each.name}", type="tertiary", on_click=open_lesson, args=(each.name,))
        st.text(gettext(each.question))


def show_courses() -> None:
    """Draw all courses side by side."""
    for column, each in zip(st.columns(len(all_courses())), all_courses(), strict=True):
        with column, st.container(border=True, height="stretch", gap="small", key=f"course of {each.name}"):
            _show(each)


def _show(course: Course) -> None:
    with st.container(horizontal=True, vertical_alignment="top", wrap=False):
        st.markdown(f"**{gettext(course.title)}**", width="stretch")
        st.markdown(_("{minutes} min", minutes=course.minutes), width="content")
    st.caption(gettext(course.audience))
    with st.container(gap=None):
        for name, minutes in course.lessons:
            found = lesson(name)
            if found is None:
                continue
            with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False):
                st.button(
                    gettext(found.title),
                    key=f"open {course.name}.{name}",
                    type="tertiary",
                    on_click=open_lesson,
                    args=(f"{course.name}.{name}",),
                )
                st.space("stretch")
                st.caption(_("{minutes} min", minutes=minutes), width="content")
    st.space("stretch")
    st.button(
        _("Start"),
        key=f"start {course.name}",
        icon=":material/play_arrow:",
        help=_("The first lesson; Next leads through all {lessons}.", lessons=len(course.lessons)),
        on_click=open_lesson,
        args=(f"{course.name}.{course.lessons[0][0]}",),
    )
