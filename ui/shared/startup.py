"""What a server does once, in the background: compile, load, freeze the heap; and how a run begins in app.py."""

from __future__ import annotations

import gc
from threading import Thread

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from bpe_core import VocabularyError
from bpe_core.bundled.openai import OPENAI
from bpe_core.kernels import backend
from bpe_core.work import limit_work
from ui.memory.cache import WORK, visitor
from ui.memory.system import keep_large_apart
from ui.memory.visitors import VISITORS
from ui.server.arrivals import check_arrivals
from ui.server.returning import bring_back_pages
from ui.server.uploads import keep_uploads_in_memory
from ui.session import state
from ui.session.language import speak_to_visitors
from ui.session.leaving import held_by
from ui.shared import cache


def start() -> None:
    """Begin a run of app.py; the first run of a server starts the preparations, unless it was started prepared."""
    from ui.shared.address import open_language  # its component is registered with the server that runs on import

    state.IN_APP.set(True)
    VISITORS.came(visitor())
    prepare()
    open_language()


def prepare() -> Thread:
    """The thread of the preparations, started once in a server's life."""
    return cache.started(_begin)


def _begin() -> Thread:
    speak_to_visitors()
    keep_large_apart()
    limit_work(WORK)
    VISITORS.held = held_by
    check_arrivals()
    bring_back_pages()
    keep_uploads_in_memory()
    thread = Thread(target=_get_ready, name="get ready", daemon=True)
    thread.start()
    return thread


def _get_ready() -> None:
    """Make the engine, and the vocabularies ready, then take all that out of garbage collection.

    Frozen objects are not looked at again; with `runner.postScriptGC = false` a rerun then costs no collection.
    """
    backend.warm_up()
    for name in OPENAI:  # the others are read when a visitor first chooses them
        try:
            cache.published(name).encode("ready")  # makes the tables that it encodes with
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
