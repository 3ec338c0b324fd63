"""What a server does once, behind the first page: compile, load, freeze the heap; and how a run begins in app.py."""

from __future__ import annotations

import gc
from threading import Thread

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from bpe_core import PRETRAINED, VocabularyError, compiled, load_pretrained
from ui import state


def start() -> None:
    """Begin a run of app.py; the first one of a server begins to get ready in the background."""
    state.IN_APP.set(True)
    _get_ready_once()


@st.cache_resource(max_entries=1, show_spinner=False)
def _get_ready_once() -> Thread:
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


def app_first() -> None:
    """For the top of every page: run app.py, and the page in it, where Streamlit has begun with the page's own file.

    It does so when a page's address is opened before any session has called `st.navigation`: until then, a folder named
    pages means its old way of having pages.
    """
    if not state.IN_APP.get():
        PagesManager.uses_pages_directory = False
        st.rerun()
    state.IN_APP.set(False)
