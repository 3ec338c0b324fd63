"""Address bar: opens its link, and updates it to the current view."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core import BpeError, FormatError
from bpe_core.language import current_language, message
from ui.serving.choices import take_choice
from ui.session import cache, drafts, query, training
from ui.session.choices import PAGES
from ui.session.language import chosen_in_link, follow_link, visitor_language
from ui.session.links import LONGEST_QUERY, from_params, to_link
from ui.session.navigation import ANSWERED, GO_TO_PAGE, LESSON, LINK_PROBLEM, LINK_READ, PAGE, VIA_LESSON
from ui.session.reasons import reason
from ui.session.shared_view import (
    WITH_TRAINING,
    chosen,
    has_training_of_newcomers,
    latest,
    now,
    show,
)
from ui.views.address import address_bar, address_frame, note_undone
from ui.widgets.messages import problem_told

HOME = "train"
"""The page at the site's root."""

_NOT_OF_THE_PAGE = (query.LANGUAGE_PARAM, query.CARD_PARAM, query.STAGE_PARAM, query.TOUR_PARAM)
"""Parameters that are not part of a page's view."""

_WHOLE_PAGE = "page"


def open_language() -> None:
    """Set the language, and initial texts in it, from the link that opens a session.

    Call once per run, before any translation.

    Later the language is independent of the URL: Back restores the view but not its language.
    """
    if not LINK_READ.get():
        follow_link()
        drafts.begin(visitor_language(), is_bare=not {*query.params()} - {*_NOT_OF_THE_PAGE})


def open_link(path: str, pages: Mapping[str, StreamlitPage]) -> None:
    """Apply the view in the URL, if this run opens it, or show why not. Call before the page at `path` draws anything.

    pages: pages by name; a lesson file opened just now may switch to another page.
    Every run has a URL, which may be out of date. It is applied only in a new session, on a change to a page
    with parameters (a lesson), and on the browser's Back and Forward.
    """
    _apply_link(path, pages)
    problem_told(LINK_PROBLEM, key="link problem")


def _apply_link(path: str, pages: Mapping[str, StreamlitPage]) -> None:
    target = GO_TO_PAGE.get()
    if target in pages and pages[target].url_path != path:
        query.go_to(pages[target])
    GO_TO_PAGE.set("")  # not earlier: another run may stop this one before the page is reached
    page = path or HOME
    params = {name: values for name, values in query.params().items() if name not in _NOT_OF_THE_PAGE}
    moved = page != PAGE.get()
    first = not LINK_READ.get()
    PAGE.set(page)
    LINK_READ.set(True)
    _follow_lesson(page, params, first or moved, _by_history())
    if moved:
        training.PLAYING.set(False)  # the player is not visible on other pages
    of_lessons = {each.name for each in PAGES["lessons"]}.intersection(name.partition(".")[0] for name in params)
    if page == "lessons" and first and not of_lessons and params:
        # Streamlit writes the home page's URL as "?…": opened in a new tab from a lesson, its link ends up here.
        st.switch_page(pages[HOME], query_params=params)
    if not (first or moved or _by_history()):
        return
    LINK_PROBLEM.set(None)
    if page not in PAGES:
        return
    try:
        view = from_params(page, params, cache.cached_long_text)
    except BpeError as error:
        _note_damaged(error, first)
        return
    if view is not None:
        show(view)
        note_undone()


def _note_damaged(error: BpeError, first: bool) -> None:
    """Record why a link cannot be opened; `first`: the link opened this session."""
    why = reason(error)
    problem_text = (
        message("This link cannot be opened. {reason} So the page opens with its defaults.", reason=why)
        if first
        else message("This link cannot be opened. {reason} So what was here is kept.", reason=why)
    )
    LINK_PROBLEM.set((FormatError(problem_text), monotonic()))


def _follow_lesson(page: str, params: Mapping[str, list[str]], opened: bool, by_history: bool) -> None:
    """Record the lesson that opened this page. Navigating back past it, or to the Lessons page, clears it."""
    lesson = params.get(query.VIA_PARAM, [""])[-1]
    if page == "lessons":
        VIA_LESSON.set("")
    elif by_history or (opened and VIA_LESSON.valid(lesson) and lesson):
        VIA_LESSON.set(lesson)


def keep_address(part: str = _WHOLE_PAGE) -> None:
    """Update the URL to the current view. Call at the end of a page and of each of its fragments.

    part: name of the fragment, since a fragment rerun does not reach the end of the page.
    """
    page = PAGE.get()
    if page not in PAGES:
        return
    if part == _WHOLE_PAGE:  # only a full rerun can change the views of other pages
        address_bar(
            _current_address(), key=f"page {page}", others=_others(page), on_resume=_resume, on_choice=take_choice
        )
    else:
        address_bar(_current_address(), key=part)


def address_of_step() -> bytes:
    """The current view as a frame for the address bar, sent with a step; for pages that have a URL."""
    return address_frame(_current_address())


def open_lesson(name: str) -> None:
    """Switch the Lessons page to a lesson, the list or the editor; for its callbacks."""
    LESSON.set(name)
    ANSWERED.set("")


def _current_address() -> dict[str, Any]:
    page = PAGE.get()
    view = latest().view = now(page)
    link = to_link(view, keep_text)
    via = VIA_LESSON.get()
    return {
        "query": "&".join(filter(None, (link.query, via and f"{query.VIA_PARAM}={via}", chosen_in_link()))),
        "language": current_language(),
        "whole": link.whole,
        "page": page,
        "path": _path(page),
        "paths": [_path(other) for other in PAGES],
        "place": LESSON.get() if page == "lessons" else via,
    }


def _others(page: str) -> dict[str, str]:
    """Queries of other pages with choices. They omit the training if this page's query has it."""
    views = {other: chosen(other) for other in PAGES if other != page}
    if page not in WITH_TRAINING:
        home = now(HOME)
        views[HOME] = replace(home, training=training.WANTED.get() or home.training)
    return {other: to_link(view, keep_text).query for other, view in views.items() if view is not None}


def _resume(others: Mapping[str, str]) -> None:
    """Restore the views of all pages after a reload; invalid ones are ignored.

    Later choices of the visitor are kept, and so is a training other than the initial one.
    """
    begins = has_training_of_newcomers()
    for other, asked in others.items():
        if other not in PAGES or len(asked) > LONGEST_QUERY:
            continue
        with suppress(BpeError, ValueError):
            view = from_params(other, parse_qs(asked, keep_blank_values=True), cache.cached_long_text)
            if view is None:
                continue
            if chosen(other) is not None:
                view = replace(view, choices=now(other).choices)
            show(view if begins else replace(view, training=None))


def _path(page: str) -> str:
    return "" if page == HOME else page


def keep_text(text: str) -> str:
    """Cache a text too long for a link, and return its digest."""
    source = training.source()
    digest = source.digest if text is source.text else training.digest_of(text)
    cache.long_text(digest, text)
    return digest


def _by_history() -> bool:
    context = get_script_run_ctx()
    return bool(getattr(context, "is_history_navigation", False))
