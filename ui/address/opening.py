"""Opens the link in the address bar: when a session begins, when a lesson is opened, and on Back and Forward."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe_core import BpeError, FormatError
from ui import cache, state
from ui.links import from_params
from ui.messages import problem
from ui.scene import PAGES, Scene, show

from .component import HOME


def open_link(path: str, pages: Mapping[str, StreamlitPage]) -> None:
    """Show what the address asks for, if this run begins there. Call it before the page at `path` draws anything.

    pages: by name; a lesson file that was just opened may ask for another one.

    Every run comes with an address, sometimes one that is a moment old. It is meant only in a new session, on a page
    that was reached with parameters (a lesson), and on the browser's own Back and Forward.
    """
    asked = state.GO_TO_PAGE.get()
    state.GO_TO_PAGE.set("")
    if asked in pages and pages[asked].url_path != path:
        st.switch_page(pages[asked])
    page = path or HOME
    moved = page != state.PAGE.get()
    first = not state.LINK_READ.get()
    state.PAGE.set(page)
    state.LINK_READ.set(True)
    if page == "lessons":
        state.VIA_LESSON.set("")
    elif "via" in st.query_params:
        state.VIA_LESSON.set(st.query_params["via"])
    if moved:
        state.PLAYING.set(False)  # nobody watches it while another page is shown
    if page == "lessons" and first and "lesson" not in st.query_params and st.query_params:
        # Streamlit writes the address of the home page as "?…": in a new tab a lesson's link to it ends up here
        st.switch_page(pages[HOME], query_params=_params())
    if page not in PAGES or not (first or moved or _by_history()):
        return
    try:
        scene = _scene(page)
    except BpeError as error:
        instead = "the page opens with its defaults" if first else "what was here is kept"
        problem(FormatError(f"This link cannot be opened. {error} So {instead}."), key="link problem")
        return
    if scene is not None:
        show(scene)


def _scene(page: str) -> Scene | None:
    return from_params(page, _params(), cache.kept_long_text)


def _params() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _by_history() -> bool:
    context = get_script_run_ctx()
    return bool(getattr(context, "is_history_navigation", False))
