"""The query of the address that this run came with."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx

VIA_PARAM = "via"
"""Says which lesson's button led here."""

LESSON_PARAM = "lesson"

LANGUAGE_PARAM = "lang"
"""The language that was chosen, so that a link opens in it."""


def params() -> dict[str, list[str]]:
    """Every parameter with its values, in their order."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def via(name: str) -> dict[str, list[str]]:
    """The parameter that says which lesson a link belongs to."""
    return {VIA_PARAM: [name]}


def lesson_params(name: str) -> dict[str, str]:
    """The parameters of a lesson's own page."""
    return {LESSON_PARAM: name}


def go_to(page: StreamlitPage) -> NoReturn:
    """Go on with another page, whose address says nothing yet. In app.py, before anything is drawn.

    `st.switch_page` would empty the address of this page first, in the history as well: Back would lead to a page
    without what it showed.
    """
    data = RerunData(page_script_hash=page._script_hash)
    context = get_script_run_ctx()
    if context is not None:
        data = replace(data, cached_message_hashes=context.cached_message_hashes, context_info=context.context_info)
    raise RerunException(data)
