"""Lesson strip on the page that the lesson opened: question, answer, and navigation, at the top."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from bpe_core.language import _, gettext, n_, term, translate
from ui.lessons import words
from ui.lessons.ask import covers_page, go_on_button, reveal, show_ask
from ui.lessons.choosing import show_choosing
from ui.session import query, training
from ui.session.language import language_params
from ui.session.navigation import GO_TO_PAGE, PAGE, STRIP_ANSWERED, VIA_LESSON
from ui.session.places import Place, place
from ui.session.shared_view import MOST_STEPS, SharedView, from_plain, show
from ui.views.buttons import tour_button
from ui.views.pager import pager_view
from ui.widgets.lesson_words import asked

_HERE = Path(__file__).parent


def show_strip() -> bool:
    """Draw the strip if a lesson opened this page, once per run. Return whether the page waits for an answer."""
    room = st.empty()  # drawn even without a lesson, so that elements below keep their position
    with room.container():
        if show_choosing():
            return False
    shown = place(VIA_LESSON.get())
    if shown is None or shown.page != PAGE.get():
        return False
    is_covered = covers_page(shown)
    with room.container(border=True, gap="small", key="lesson strip"):
        st.html(_HERE / "strip.css")
        st.html(f"<style>.st-key-lesson-strip {{ --accent: {st.get_option('theme.light.primaryColor')} }}</style>")
        answered = STRIP_ANSWERED.get() == shown.name
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False, key="lesson row"):
            _show_row(shown, answered, is_covered)
        show_ask(shown, key="strip ask", shows=STRIP_ANSWERED, compact=True)
        if is_covered:
            go_on_button(shown, _("Show the page without an answer"), key="strip look")
        if answered:
            _show_answer(shown)
    return is_covered


def _show_row(shown: Place, answered: bool, is_covered: bool) -> None:
    with st.container(key="strip question"):
        st.text(asked(shown), width="stretch")
    if not is_covered:
        _show_steps(shown)
    st.button(
        _("Hide answer") if answered else _("Answer"),
        icon=":material/visibility_off:" if answered else ":material/visibility:",
        key="strip answer",
        on_click=reveal,
        args=(STRIP_ANSWERED, "" if answered else shown.name),
    )
    with st.container(key="strip link", width="content"):
        st.page_link(
            "pages/lessons.py",
            label=shown.label,
            help=gettext(shown.course) or None,  # bundled text only, since tooltips are markdown
            query_params={**query.lesson_params(shown.name), **language_params()},
        )
    pager_view(
        shown.at,
        len(shown.names),
        key="strip pager",
        what=_("Lessons on their pages"),
        small=_("lesson"),
        opens=True,
        on_go=lambda to: go_to(shown.names[to]),
    )
    _show_way_on(shown)
    st.button(
        _("Leave the lesson"),
        key="strip close",
        icon=":material/close:",
        type="tertiary",
        help=_("Leave the lesson. The page stays as it is."),
        on_click=_leave,
    )


def _show_way_on(shown: Place) -> None:
    """Draw the link that the stage follows to the next lesson's question; hidden by CSS."""
    if shown.number < len(shown.names):
        with st.container(key="strip next question"):
            params = {**query.lesson_params(shown.names[shown.number]), **language_params()}
            st.page_link("pages/lessons.py", label=translate(term("lesson", "Next")), query_params=params)


def _show_steps(shown: Place) -> None:
    """Draw the button that leads through the lesson's steps, if it has any."""
    steps = shown.lesson.steps
    if not steps:
        return
    with st.container(key="strip steps", width="content"):
        tour_button(
            shown.lesson_name,
            [each.wire(shown.translated(each.says)) for each in steps],
            key="lesson steps",
            label=_("Show me"),
            title=n_("{count} step through this page", "{count} steps through this page", len(steps)),
            ends=_("Close the steps"),
            counted=len(steps),
        )


def _show_answer(shown: Place) -> None:
    with st.container(key="strip answered", gap="small"):
        words.show_answer(shown)
        words.show_evidence(shown)


def go_to(name: str, *, answered: bool = False) -> None:
    """Open the page of a lesson with its view; if `answered`, with the answer and at the last step. For callbacks."""
    wanted = place(name)
    if wanted is None:
        return
    show(_at_the_end(from_plain(dict(wanted.scene))) if answered else from_plain(dict(wanted.scene)))
    training.PLAYING.set(False)
    reveal(STRIP_ANSWERED, name if answered else "")
    VIA_LESSON.set(name)
    GO_TO_PAGE.set(wanted.page)


def _at_the_end(view: SharedView) -> SharedView:
    """The view at the last step of its page's player; players clamp larger numbers to their last step."""
    if view.page == "algorithms":
        return replace(view, choices={**view.choices, "at_step": MOST_STEPS})
    is_train = view.page == "train" and view.training is not None
    return replace(view, training=replace(view.training, step=MOST_STEPS)) if is_train else view  # type: ignore[type-var]


def _leave() -> None:
    VIA_LESSON.set("")
    STRIP_ANSWERED.set("")
