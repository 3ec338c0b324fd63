"""The Lessons page: all of them as cards, or one of them with its question, its answer and the page it opens."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import streamlit as st

from ui.components.interlinear import interlinear
from ui.components.pager import pager
from ui.session import query, state
from ui.session.lessons import Lesson, all_lessons, lesson
from ui.session.links import to_link
from ui.session.shared_view import SharedView, from_plain
from ui.shared import cache
from ui.shared.display import NAMES, lane
from ui.shared.layout import side_by_side

ACROSS = 3
"""Cards in a row."""


def show_lessons() -> None:
    """The whole page."""
    st.html(Path(__file__).parent / "lessons.css")
    chosen = lesson(state.LESSON.get())
    if chosen is None:
        _show_all()
    else:
        _show_one(chosen)


def _open(name: str) -> None:
    state.LESSON.set(name)
    state.ANSWERED.set("")


# -- all of them ---------------------------------------------------------------------------------------------


def _show_all() -> None:
    st.subheader("Lessons", anchor=False)
    st.caption("A question for the class, a page that is set up to find out, and the answer when you want it.")
    for first in range(0, len(all_lessons()), ACROSS):
        for column, each in zip(st.columns(ACROSS), all_lessons()[first : first + ACROSS], strict=False):
            with column:
                _card(each)


def _card(each: Lesson) -> None:
    with st.container(border=True, height="stretch", gap="xsmall", key=f"card of {each.name}"):
        st.caption(f"{each.number} · {each.page.capitalize()}")
        st.button(each.title, key=f"open {each.name}", type="tertiary", on_click=_open, args=(each.name,))
        st.text(each.question)


# -- one of them ---------------------------------------------------------------------------------------------


def _show_one(chosen: Lesson) -> None:
    _show_way(chosen)
    left, right = side_by_side(1, 1, key="lesson")
    with left, st.container(border=True, height="stretch", key="question"):
        st.header(chosen.title, anchor=False)
        with st.container(key="to the class"):
            st.text(chosen.question)
        st.markdown(chosen.text)
        _link(from_plain(dict(chosen.view)), chosen.name)
    with right, st.container(border=True, height="stretch", key="answer"):
        shown = state.ANSWERED.get() == chosen.name
        st.button(
            "Hide the answer" if shown else "Show the answer",
            icon=":material/visibility_off:" if shown else ":material/visibility:",
            key="reveal",
            on_click=state.ANSWERED.set,
            args=("" if shown else chosen.name,),
        )
        if shown:
            st.markdown(chosen.answer)
            _show_exhibit(chosen)


def _show_way(chosen: Lesson) -> None:
    """To all lessons, to the one before, to the next."""
    with st.container(horizontal=True, vertical_alignment="center", key="way"):
        st.button("All lessons", icon=":material/grid_view:", on_click=_open, args=(state.ALL_LESSONS,))
        st.space("stretch")
        st.text(f"{chosen.number} of {len(all_lessons())}", width="content")
        pager(
            chosen.number - 1,
            len(all_lessons()),
            key="lesson pager",
            what="Lessons",
            back=("ArrowLeft", "PageUp"),
            forward=("ArrowRight", "PageDown"),
            on_go=lambda to: _open(all_lessons()[to].name),
        )


def _link(view: SharedView, lesson: str) -> None:
    """The button that opens the view: a link, so that Back comes back here and a new tab works as well."""
    link = to_link(view, lambda text: "").query
    accent = st.get_option("theme.light.primaryColor")  # white is readable on it in both themes
    st.html(f"<style>.st-key-open-the-page a, .st-key-open-the-page a:hover {{ background: {accent} }}</style>")
    with st.container(key="open the page"):
        st.page_link(
            f"pages/{view.page}.py",
            label=f"Open in {view.page.capitalize()}",
            icon=":material/arrow_forward:",
            icon_position="right",
            query_params={**parse_qs(link, keep_blank_values=True), **query.via(lesson)},
        )


def _show_exhibit(chosen: Lesson) -> None:
    """The text in tokens, computed now: by tokenizers, or by the training after some of its merges."""
    exhibit = chosen.exhibit
    training = from_plain(dict(chosen.view)).training
    if exhibit.steps and training is not None:
        source, config = training.source, training.config
        lanes = [
            lane(
                f"{step} merge" if step == 1 else f"{step} merges",
                cache.trained_tokenizer(source, config, step).encode(exhibit.text),
            )
            for step in exhibit.steps
        ]
    else:
        lanes = [lane(NAMES[name], cache.published(name).encode(exhibit.text)) for name in exhibit.tokenizers]
    interlinear(exhibit.text, lanes, key=f"exhibit of {chosen.name}", label="The text of this lesson in tokens")
