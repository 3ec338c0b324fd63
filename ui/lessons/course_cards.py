"""Course cards, each with its lessons, their minutes, and the total."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, gettext
from ui.session.courses import Course, all_courses
from ui.session.lessons import lesson
from ui.widgets.address import open_lesson


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
