"""Server preparation in the background: compile, load, freeze the heap; and the start of a run of app.py."""

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
from ui.server.message_guard import guard_messages
from ui.server.reconnect import redraw_on_reconnect
from ui.server.uploads import keep_uploads_in_memory
from ui.session import state
from ui.session.expiry import held_by
from ui.session.language import speak_to_visitors
from ui.shared import cache


def start() -> None:
    """Begin a run of app.py; the first one starts the preparation, unless the server start did."""
    from ui.shared.address import open_language  # registers its component with the running server on import

    state.IN_APP.set(True)
    VISITORS.came(visitor())
    prepare()
    open_language()


def prepare() -> Thread:
    """The preparation thread, started once per server."""
    return cache.started(_begin)


def _begin() -> Thread:
    speak_to_visitors()
    keep_large_apart()
    limit_work(WORK)
    VISITORS.held = held_by
    guard_messages()
    redraw_on_reconnect()
    keep_uploads_in_memory()
    thread = Thread(target=_get_ready, name="get ready", daemon=True)
    thread.start()
    return thread


def _get_ready() -> None:
    """Warm up kernels and vocabularies, then exclude them from garbage collection.

    Frozen objects are never scanned; with `runner.postScriptGC = false` a rerun then costs no collection.
    """
    backend.warm_up()
    for name in OPENAI:  # the others are loaded on first use
        try:
            cache.published(name).encode("ready")  # builds its encoding tables
        except VocabularyError:
            continue  # reported by the page that needs it
    gc.collect()
    gc.freeze()


def app_first() -> None:
    """Switch to app.py if Streamlit started with the page's own file; call first in every page.

    Streamlit does so when a page's URL is opened before any session has called `st.navigation`: until then it treats a
    folder named pages in its legacy way.
    """
    if not state.IN_APP.get():
        PagesManager.uses_pages_directory = False
        st.rerun()
    state.IN_APP.set(False)
