"""Texts of a lesson: markdown if bundled, plain text if custom."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

import streamlit as st

from bpe_core.language import _, gettext
from ui.lessons.exhibit import show_exhibit
from ui.session import query
from ui.session.language import language_params
from ui.session.lessons import Lesson
from ui.session.links import to_link
from ui.session.own_drafts import title_of
from ui.session.places import Place
from ui.session.shared_view import from_plain
from ui.widgets.address import keep_text
from ui.widgets.display import page_title


def show_title(shown: Place) -> None:
    """Draw the title of a lesson's page."""
    if isinstance(shown.lesson, Lesson):
        st.header(gettext(shown.lesson.title), anchor=False)
    else:
        with st.container(key="own title"):
            st.text(title_of(shown.lesson))


def show_text(shown: Place) -> None:
    """Draw the introduction for the class."""
    if isinstance(shown.lesson, Lesson):
        st.markdown(unbroken(gettext(shown.lesson.text)))
    elif shown.lesson.text:
        st.text(shown.lesson.text)


def show_answer(shown: Place) -> None:
    """Draw the answer, without its evidence."""
    if isinstance(shown.lesson, Lesson):
        st.markdown(unbroken(gettext(shown.lesson.answer)))
    else:
        st.text(shown.lesson.answer or _("This lesson has no answer."))


def show_evidence(shown: Place) -> None:
    """Draw the computed evidence next to the answer."""
    if isinstance(shown.lesson, Lesson):
        show_exhibit(shown.lesson)


def open_in_page(shown: Place) -> None:
    """Draw the button that opens the view: a link, so that Back and new tabs work."""
    view = from_plain(dict(shown.scene))
    link = to_link(view, keep_text).query
    accent = st.get_option("theme.light.primaryColor")  # contrasts with white in both themes
    st.html(f"<style>.st-key-open-the-page a, .st-key-open-the-page a:hover {{ background: {accent} }}</style>")
    with st.container(key="open the page"):
        st.page_link(
            f"pages/{view.page}.py",
            label=_("Open in {page}", page=page_title(view.page)),
            icon=":material/arrow_forward:",
            icon_position="right",
            query_params={**parse_qs(link, keep_blank_values=True), **query.via(shown.name), **language_params()},
        )


def unbroken(text: str) -> str:
    """Prevent line breaks after the opening quotation mark of tokens that begin with a space, such as “ dog”."""
    return re.sub(r"(?<=[“「『‘]) ", "\u00a0", text)
