"""The address bar: opens the link in it, and keeps it at the link to what the visitor sees."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core import BpeError, FormatError
from bpe_core.language import message, spoken
from ui.components.address import address_bar, address_frame
from ui.server.choices import take_choice
from ui.session import cache, query, state
from ui.session.choices import PAGES
from ui.session.language import chosen_in_link, follow_link
from ui.session.links import LONGEST_QUERY, from_params, to_link
from ui.session.reasons import reason
from ui.session.shared_view import (
    WITH_TRAINING,
    chosen,
    has_training_of_newcomers,
    latest,
    now,
    show,
)
from ui.shared.messages import problem

HOME = "train"
"""The page at the root of the site."""

_WHOLE_PAGE = "page"


def open_language() -> None:
    """Speak the language of the link that a session begins with. Once a run, before anything is said.

    Later on the language is the visitor's, not the place's: Back leads to what was shown, in the language of now.
    """
    if not state.LINK_READ.get():
        follow_link()


def open_link(path: str, pages: Mapping[str, StreamlitPage]) -> None:
    """Show what the address asks for, if this run begins there. Call it before the page at `path` draws anything.

    pages: by name; a lesson file that was just opened may ask for another one.

    Every run comes with an address, sometimes one that is a moment old. It is meant only in a new session, on a page
    that was reached with parameters (a lesson), and on the browser's own Back and Forward.
    """
    asked = state.GO_TO_PAGE.get()
    state.GO_TO_PAGE.set("")
    if asked in pages and pages[asked].url_path != path:
        query.go_to(pages[asked])
    page = path or HOME
    params = {name: values for name, values in query.params().items() if name != query.LANGUAGE_PARAM}
    moved = page != state.PAGE.get()
    first = not state.LINK_READ.get()
    state.PAGE.set(page)
    state.LINK_READ.set(True)
    _follow_lesson(page, params, first or moved, _by_history())
    if moved:
        state.PLAYING.set(False)  # nobody watches it while another page is shown
    of_lessons = {each.name for each in PAGES["lessons"]}.intersection(name.partition(".")[0] for name in params)
    if page == "lessons" and first and not of_lessons and params:
        # Streamlit writes the address of the home page as "?…": in a new tab a lesson's link to it ends up here
        st.switch_page(pages[HOME], query_params=params)
    if page not in PAGES or not (first or moved or _by_history()):
        return
    try:
        view = from_params(page, params, cache.kept_long_text)
    except BpeError as error:
        _say_damaged(error, first)
        return
    if view is not None:
        show(view)


def _say_damaged(error: BpeError, first: bool) -> None:
    """Say why a link cannot be opened; `first`: with it a visitor's session begins."""
    why = reason(error)
    told = (
        message("This link cannot be opened. {reason} So the page opens with its defaults.", reason=why)
        if first
        else message("This link cannot be opened. {reason} So what was here is kept.", reason=why)
    )
    problem(FormatError(told), key="link problem")


def _follow_lesson(page: str, params: Mapping[str, list[str]], opened: bool, by_history: bool) -> None:
    """Note which lesson led here. Another page leaves it, until the visitor goes back to before, or to all lessons."""
    asked = params.get(query.VIA_PARAM, [""])[-1]
    if page == "lessons":
        state.VIA_LESSON.set("")
    elif by_history or (opened and state.VIA_LESSON.valid(asked) and asked):
        state.VIA_LESSON.set(asked)


def keep_address(part: str = _WHOLE_PAGE) -> None:
    """Let the address bar say what is now chosen. Call it at the end of a page, and of each of its fragments.

    part: the fragment's name; a fragment's own run does not reach the end of the page.
    """
    page = state.PAGE.get()
    if page not in PAGES:
        return
    if part == _WHOLE_PAGE:  # only such a run can have changed what other pages show
        address_bar(_said(), key=f"page {page}", others=_others(page), on_resume=_resume, on_choice=take_choice)
    else:
        address_bar(_said(), key=part)


def address_of_step() -> bytes:
    """What is now chosen, for the address bar that a relay brings it; a step is on a page that has an address."""
    return address_frame(_said())


def open_lesson(name: str) -> None:
    """Show another lesson of the Lessons page, all of them, or where they are written; for callbacks there."""
    state.LESSON.set(name)
    state.ANSWERED.set("")


def _said() -> dict[str, Any]:
    page = state.PAGE.get()
    view = latest().view = now(page)
    link = to_link(view, keep_text)
    via = state.VIA_LESSON.get()
    return {
        "query": "&".join(filter(None, (link.query, via and f"{query.VIA_PARAM}={via}", chosen_in_link()))),
        "language": spoken(),
        "whole": link.whole,
        "page": page,
        "path": _path(page),
        "paths": [_path(other) for other in PAGES],
        "place": state.LESSON.get() if page == "lessons" else via,
    }


def _others(page: str) -> dict[str, str]:
    """The queries of the other pages on which something was chosen. The training is in this page's, if it has one."""
    views = {other: chosen(other) for other in PAGES if other != page}
    if page not in WITH_TRAINING:
        home = now(HOME)
        views[HOME] = replace(home, training=state.WANTED.get() or home.training)
    return {other: to_link(view, keep_text).query for other, view in views.items() if view is not None}


def _resume(others: Mapping[str, str]) -> None:
    """Show on all pages what they showed before one was loaded again; what they cannot is passed over.

    What the visitor has chosen since then stays, and so does a training that is not the one that all begin with.
    """
    begins = has_training_of_newcomers()
    for other, asked in others.items():
        if other not in PAGES or len(asked) > LONGEST_QUERY:
            continue
        with suppress(BpeError, ValueError):
            view = from_params(other, parse_qs(asked, keep_blank_values=True), cache.kept_long_text)
            if view is None:
                continue
            if chosen(other) is not None:
                view = replace(view, choices=now(other).choices)
            show(view if begins else replace(view, training=None))


def _path(page: str) -> str:
    return "" if page == HOME else page


def keep_text(text: str) -> str:
    """Keep a text that is too long for a link; returns its digest."""
    source = state.source()
    digest = source.digest if text is source.text else state.digest_of(text)
    cache.long_text(digest, text)
    return digest


def _by_history() -> bool:
    context = get_script_run_ctx()
    return bool(getattr(context, "is_history_navigation", False))
