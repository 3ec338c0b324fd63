"""The URL query of the current script run.

Upstream, for `go_to`: streamlit/streamlit#9059, since which `st.switch_page` clears the query.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx

VIA_PARAM = "via"
"""Parameter: the lesson whose button opened the page."""

LESSON_PARAM = "lesson"

LANGUAGE_PARAM = "lang"
"""Parameter: the chosen language."""

CARD_PARAM = "card"
"""Parameter: the card that an embedded page shows. Only the browser reads it."""

STAGE_PARAM, TOUR_PARAM = "stage", "tour"
"""Parameters that open the stage and begin the tour. Only the browser reads them."""


def params() -> dict[str, list[str]]:
    """All parameters with their values, in order."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def via(name: str) -> dict[str, list[str]]:
    """Parameter that links a page to a lesson."""
    return {VIA_PARAM: [name]}


def lesson_params(name: str) -> dict[str, str]:
    """Parameters of a lesson's page."""
    return {LESSON_PARAM: name}


def go_to(page: StreamlitPage) -> NoReturn:
    """Continue with another page, with an empty query. For app.py, before anything is drawn.

    `st.switch_page` would first clear this page's URL, also in the history: Back would open the page without its state.
    """
    data = RerunData(page_script_hash=page._script_hash)
    context = get_script_run_ctx()
    if context is not None:
        data = replace(data, cached_message_hashes=context.cached_message_hashes, context_info=context.context_info)
    raise RerunException(data)
