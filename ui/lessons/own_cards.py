"""Custom lessons: their cards, saving, sharing with a class, and opening."""

from __future__ import annotations

import re

import streamlit as st

from bpe_core.language import _, n_
from ui.session import own_drafts
from ui.session.language import chosen_in_link
from ui.session.lesson_file import MOST_BYTES
from ui.session.links import LONGEST_QUERY, to_link
from ui.session.navigation import ALL_LESSONS, LESSONS_PROBLEM, LESSONS_UPLOAD, WRITING
from ui.session.own_lessons import FILE_NAME, OWN_LESSONS, OwnLesson, OwnLessons, own_set, to_text
from ui.session.shared_view import SharedView
from ui.views.shelf import kept_files
from ui.views.verbatim import verbatim_view
from ui.widgets.address import keep_text, open_lesson
from ui.widgets.display import page_title
from ui.widgets.downloads import download_button
from ui.widgets.lesson_opening import lesson_uploader
from ui.widgets.link import base_for_others, warn_of_reach
from ui.widgets.messages import note, problem

_SHELF = "own lessons"
_MOST_KEPT = 5
"""Maximum number of lesson files kept in the browser."""

ACROSS = 3
"""Cards per row."""

_OFTEN_CUT = 2_000
"""Characters of a link above which some chats truncate it."""


def show_own() -> None:
    """Draw the custom lessons: a title, actions, and a card for each."""
    own = own_set()
    with st.container(horizontal=True, vertical_alignment="center", key="own lessons"):
        with st.container(key="own lessons title", width="content"):
            st.text(own.title or _("Your lessons"))
        lessons = n_("{count:,} lesson", "{count:,} lessons", len(own.lessons))
        st.caption(_("{lessons} · {minutes} min", lessons=lessons, minutes=own.minutes), width="content")
        st.space("stretch")
        show_actions()
    show_problem()
    names = own.names
    for first in range(0, len(names), ACROSS):
        for at, column in zip(range(first, len(names)), st.columns(ACROSS), strict=False):
            with column:
                _card(own.lessons[at], at + 1, names[at])


def show_actions() -> None:
    """Draw the buttons for editing, saving, sharing and opening lessons."""
    own = own_set()
    st.button(
        _("Edit") if own.lessons else _("Write lessons"),
        key="write lessons",
        icon=":material/edit:",
        type="tertiary",
        help=_("Your own questions, each with a page as you set it up; for your class as a file or a link."),
        on_click=_write,
    )
    show_save_actions(own)


def show_save_actions(own: OwnLessons) -> None:
    """Draw the buttons for undo, saving, the class link, and opening."""
    if own_drafts.BEFORE.get() is not None:
        st.button(_("Undo"), key="undo lessons", icon=":material/undo:", type="tertiary", on_click=own_drafts.undo)
    if own.lessons:
        lessons = to_text(own, indent=1).encode()
        download_button(_("Save as a file"), lessons, FILE_NAME, key="save lessons", type="tertiary")
        with st.popover(_("Link for the class"), icon=":material/link:", type="tertiary"):
            _show_link()
    with st.popover(_("Open lessons"), icon=":material/folder_open:", type="tertiary"):
        lesson_uploader(_("A file of lessons saved here"), LESSONS_UPLOAD, LESSONS_PROBLEM, width=360)
        kept_files(_SHELF, LESSONS_UPLOAD.key, most=_MOST_KEPT, most_bytes=_MOST_KEPT * MOST_BYTES)
        if own.lessons:
            st.caption(_("They replace the lessons that are open now; you can undo that."))


def keep_in_browser() -> None:
    """Keep this session's lessons in the browser, which lists them under "Open lessons" after a reload."""
    own = own_set()
    if own.lessons:
        name = re.sub(r"[^\w -]", " ", own.title).strip() or FILE_NAME.removesuffix(".json")
        made = (f"{name}.json", OWN_LESSONS.get())
        kept_files(_SHELF, "", most=_MOST_KEPT, most_bytes=_MOST_KEPT * MOST_BYTES, made=made)


def show_problem() -> None:
    """Show why lessons could not be opened or saved, if there is an error."""
    failed = LESSONS_PROBLEM.get()
    if failed is not None:
        problem(failed, unchanged=_("The lessons that were here are kept."), key="lessons problem")


def _show_link() -> None:
    view = SharedView("lessons", None, {"lesson": ALL_LESSONS, "written": OWN_LESSONS.get()})
    link = to_link(view, keep_text)
    if not link.whole:
        note(_("These lessons do not fit into a link."))
        st.text(
            _(
                "Compressed, they have more than the {most:,} characters of a link. Save them as a file instead.",
                most=LONGEST_QUERY,
            )
        )
        return
    st.caption(_("Anyone who opens the link gets these lessons, each with its page."))
    warn_of_reach()
    whole = f"{base_for_others()}/lessons?{'&'.join(filter(None, (link.query, chosen_in_link())))}"
    verbatim_view(whole, label=_("Link"), key="link for the class", height=130)
    if len(whole) > _OFTEN_CUT:
        st.caption(
            _(
                "It has {characters:,} characters. Some chats shorten such links: try it there, or send the file.",
                characters=len(whole),
            )
        )


def _card(each: OwnLesson, number: int, name: str) -> None:
    with st.container(border=True, height="stretch", gap="xsmall", key=f"card of {name}"):
        label = _(
            "Lesson {number} · {page} · {minutes} min", number=number, page=page_title(each.page), minutes=each.minutes
        )
        st.button(label, key=f"open {name}", type="tertiary", on_click=open_lesson, args=(name,))
        with st.container(key=f"words of {name}", gap=None):
            st.text(own_drafts.title_of(each))
            st.text(each.question)


def _write() -> None:
    own_drafts.begin()
    open_lesson(WRITING)
