"""Header controls of every page: the tour, the stage, contrast, copy link, save and open a lesson file."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from bpe_core.language import LANGUAGES, _, current_language, gettext
from ui.session import query
from ui.session.choices import PAGES
from ui.session.language import MENU, follow_menu, language_params
from ui.session.lesson_file import FILE_NAME, to_file
from ui.session.lesson_steps import tour_steps
from ui.session.navigation import LESSON_FILE_PROBLEM, LESSON_UPLOAD, PAGE, VIA_LESSON
from ui.session.places import place
from ui.session.shared_view import latest
from ui.views.buttons import TOUR, contrast_button, tour_button
from ui.widgets.address import keep_address
from ui.widgets.downloads import download_button
from ui.widgets.fragments import fragment
from ui.widgets.lesson_opening import lesson_uploader
from ui.widgets.link import show_copy_link
from ui.widgets.messages import problem
from ui.widgets.stage import show_stage_button

_HERE = Path(__file__).parent


def show_link_bar() -> None:
    """Draw the controls; once per run, in app.py. Their style moves them into the header."""
    if PAGE.get() not in PAGES:
        return
    held = latest()
    st.html(_HERE / "link_bar.css")
    with st.container(key="link bar", horizontal=True, vertical_alignment="center", gap="small", width="content"):
        came_from = place(VIA_LESSON.get())
        if came_from is not None and came_from.page != PAGE.get():  # that page shows the lesson as a strip
            st.page_link(
                "pages/lessons.py",
                label=came_from.label,
                icon=":material/arrow_back:",
                query_params={**query.lesson_params(came_from.name), **language_params()},
            )
        _tour()
        show_stage_button()
        contrast_button()
        _copy_link()
        _choose_language()
        with st.popover(_("Lesson file"), icon=":material/description:", type="tertiary"):
            st.caption(
                _("What you see now as a file: the text, the settings, the step. For texts too long for a link.")
            )
            download_button(_("Save as a lesson file"), lambda: to_file(held.view), FILE_NAME)
            lesson_uploader(_("Open a lesson file"), LESSON_UPLOAD, LESSON_FILE_PROBLEM)
            failed = LESSON_FILE_PROBLEM.get()
            if failed is not None:
                problem(failed, unchanged=_("What was here before is kept."), key="lesson file problem shown")


def _tour() -> None:
    """Draw the button of the tour."""
    tour_button(
        TOUR,
        [step.wire(gettext(step.says)) for step in tour_steps()],
        key="tour",
        label=_("Tour"),
        title=_("Tour: eight steps through the app"),
        ends=_("End the tour"),
        counted=len(tour_steps()) - 1,  # the last is its end
    )


def _choose_language() -> None:
    """Draw the language menu, with the languages' native names."""
    now = current_language()
    st.menu_button(
        LANGUAGES[now].title if now in LANGUAGES else now,
        list(LANGUAGES),
        format_func=lambda code: LANGUAGES[code].title + (" :material/check:" if code == now else ""),
        icon=":material/language:",
        type="tertiary",
        help=_("Language"),
        key=MENU,
        on_click=follow_menu,
    )


@fragment
def _copy_link() -> None:
    show_copy_link()
    keep_address("link bar")
