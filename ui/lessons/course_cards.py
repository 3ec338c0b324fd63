"""The courses: a card each, with its lessons, their minutes, and the total."""

from __future__ import annotations

import streamlit as st

from ui.session.courses import Course, all_courses
from ui.session.lessons import lesson
from ui.shared.address import open_lesson


def show_courses() -> None:
    """All courses, side by side."""
    for column, each in zip(st.columns(len(all_courses())), all_courses(), strict=True):
        with column, st.container(border=True, height="stretch", gap="small", key=f"course of {each.name}"):
            _show(each)


def _show(course: Course) -> None:
    with st.container(horizontal=True, vertical_alignment="top", wrap=False):
        st.markdown(f"**{course.title}**", width="stretch")
        st.markdown(f"{course.minutes} min", width="content")
    st.caption(course.audience)
    with st.container(gap=None):
        for name, minutes in course.lessons:
            found = lesson(name)
            if found is None:
                continue
            with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False):
                st.button(
                    found.title,
                    key=f"open {course.name}.{name}",
                    type="tertiary",
                    on_click=open_lesson,
                    args=(f"{course.name}.{name}",),
                )
                st.space("stretch")
                st.caption(f"{minutes} min", width="content")
    st.space("stretch")
    st.button(
        "Start",
        key=f"start {course.name}",
        icon=":material/play_arrow:",
        help=f"The first lesson; Next leads through all {len(course.lessons)}.",
        on_click=open_lesson,
        args=(f"{course.name}.{course.lessons[0][0]}",),
    )
