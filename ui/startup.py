"""What happens once when the server starts, behind the first page: compile, load, and freeze the heap."""

from __future__ import annotations

import gc
from threading import Thread

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from bpe_core import PRETRAINED, VocabularyError, compiled, load_pretrained


@st.cache_resource(max_entries=1, show_spinner=False)
def start() -> Thread:
    """Begin to get ready in the background; every later call does nothing."""
    thread = Thread(target=_get_ready, name="get ready", daemon=True)
    thread.start()
    return thread


def _get_ready() -> None:
    """Compile the engine or load it from disk, load the vocabularies, then take all that out of garbage collection.

    Frozen objects are not looked at again; with `runner.postScriptGC = false` a rerun then costs no collection.
    """
    compiled.warm_up()
    for name in PRETRAINED:
        try:
            load_pretrained(name)
        except VocabularyError:
            continue  # the page that needs it says so
    gc.collect()
    gc.freeze()


_page_was_shown = False


def app_first() -> None:
    """For the top of every page: run app.py, and the page in it, where Streamlit has begun with the page's own file.

    It does so when a page's address is the first thing that is opened after a start: until `st.navigation` was called
    once, a folder named pages means its old way of having pages.
    """
    global _page_was_shown
    first, _page_was_shown = not _page_was_shown, True
    if first and PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
