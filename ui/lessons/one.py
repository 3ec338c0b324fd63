"""A single lesson: its question and text, the page it opens, and its answer."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from bpe_core import count_words
from bpe_core.language import _, gettext, term, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.tokenizer.chips import plain
from ui.lessons import words
from ui.lessons.as_page import show_lesson_as_page
from ui.lessons.ask import go_on_button, reveal, show_ask, waits_for_answer
from ui.lessons.strip import go_to
from ui.session import own_drafts, query
from ui.session.asks import AskChoice
from ui.session.language import language_params
from ui.session.navigation import ALL_LESSONS, ANSWERED, WRITING
from ui.session.places import Place
from ui.session.shared_view import training_of
from ui.views.buttons import print_button
from ui.views.pager import pager_view
from ui.views.token_table import token_table_view
from ui.widgets.address import open_lesson
from ui.widgets.layout import side_by_side
from ui.widgets.lesson_words import asked

_HIDDEN_TEXT = """<style>
:root:not([data-stage], [data-paper]) [data-testid="stLayoutWrapper"]:has(> .st-key-lesson-text) { display: none }
</style>"""
"""Hides the text, which often names the right choice. The stage shows it after the question, and paper always."""


def show_one(shown: Place) -> None:
    """Draw the page of this lesson."""
    _show_navigation(shown)
    left, right = side_by_side(1, 1, key="lesson")
    with left, st.container(border=True, height="stretch", key="question"):
        words.show_title(shown)
        with st.container(key="to the class"):
            st.text(asked(shown))
        with st.container(key="lesson text" if shown.lesson.ask else None):
            words.show_text(shown)
        show_ask(shown, key="ask", shows=ANSWERED)
        if isinstance(shown.lesson.ask, AskChoice) and waits_for_answer(shown):
            st.html(_HIDDEN_TEXT)
            go_on_button(shown, _("Read the text first"), key="read first")
        words.open_in_page(shown)
    with right, st.container(border=True, height="stretch", key="answer"):
        answered = ANSWERED.get() == shown.name
        st.button(
            _("Hide the answer") if answered else _("Show the answer"),
            icon=":material/visibility_off:" if answered else ":material/visibility:",
            key="reveal",
            on_click=reveal,
            args=(ANSWERED, "" if answered else shown.name),
        )
        if answered:
            with st.container(key="shown answer"):
                words.show_answer(shown)
                words.show_evidence(shown)
        else:
            show_to_fill(shown)


def _show_navigation(shown: Place) -> None:
    """Draw the navigation: all lessons, previous, next."""
    with st.container(horizontal=True, vertical_alignment="center", key="way"):
        st.button(_("All lessons"), icon=":material/grid_view:", on_click=open_lesson, args=(ALL_LESSONS,))
        if shown.is_own:
            st.button(_("Edit"), icon=":material/edit:", on_click=_edit, args=(shown.at,))
        st.space("stretch")
        if shown.minutes is not None:
            course, minutes = gettext(shown.course), shown.minutes
            course_and_minutes = _("{course} · {minutes} min", course=course, minutes=minutes) if course else ""
            st.caption(course_and_minutes or _("{minutes} min", minutes=minutes), width="content")
        show_lesson_as_page(shown)
        _show_print(shown)
        st.text(_("{number} of {all}", number=shown.number, all=len(shown.names)), width="content")
        pager_view(
            shown.at,
            len(shown.names),
            key="lesson pager",
            what=_("Lessons"),
            back=("ArrowLeft", "PageUp"),
            forward=("ArrowRight", "PageDown"),
            opens=True,
            on_go=lambda to: open_lesson(shown.names[to]),
        )
        if shown.at:
            with st.container(key="answer before"):  # hidden: for the stage, where a remote control goes back to it
                st.button(
                    translate(term("lesson", "Previous")),
                    key="to the answer before",
                    on_click=_to_answer_before,
                    args=(shown,),
                )


def _show_print(shown: Place) -> None:
    """Draw the print button. The handout contains the link, unless the lesson is custom."""
    print_button(
        of="lesson",
        title=" · ".join(filter(None, ("BPE Lab", gettext(shown.course), shown.label))),
        query="" if shown.is_own else urlencode({**query.lesson_params(shown.name), **language_params()}),
    )


def _to_answer_before(shown: Place) -> None:
    go_to(shown.names[shown.at - 1], answered=True)


def _edit(at: int) -> None:
    own_drafts.begin()
    own_drafts.load(at)
    open_lesson(WRITING)


_LONGEST_TEXT, _LONGEST_WORD, _MOST_WORDS = 600, 16, 8
"""Maximum characters of a text to count in, characters of its words, and number of distinct ones."""

_MERGES = 4


def show_to_fill(shown: Place) -> None:
    """Draw the text and its tables, visible only in print; nothing for a long text, or without a training."""
    training = training_of(shown.scene)
    if training is None or len(training.source.text) > _LONGEST_TEXT:
        return
    words = [
        plain(word.encode("utf-8", "replace")) for word in count_words(training.source.text, training.config).words
    ]
    if not 1 < len(words) <= _MOST_WORDS or max(map(len, words)) > _LONGEST_WORD:
        return
    empty = [""] * len(words)
    with st.container(key="to fill"):
        st.text(training.source.text)
        after = [_("After merge {number}", number=number + 1) for number in range(_MERGES - 1)]
        columns = (
            Column(translate(term("typed", "Word")), words),
            *(Column(title, empty) for title in (_("Count"), *after)),
        )
        token_table_view(Table(*columns), key="words to count", height=None, label=_("Words to count"), pickable=False)
        blank = [""] * _MERGES
        merges = [str(number + 1) for number in range(_MERGES)]
        titles = (_("Pair"), _("Count"), _("New token"))
        columns = (Column(_("Merge"), merges), *(Column(title, blank) for title in titles))
        token_table_view(Table(*columns), key="merges to fill", height=None, label=_("Merges to find"), pickable=False)
