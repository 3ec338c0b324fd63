"""Server preparation in the background: compile, load, freeze the heap."""

from __future__ import annotations

import gc
from importlib import import_module
from threading import Event, Thread

from bpe_core import VocabularyError
from bpe_core.bundled.openai import OPENAI
from bpe_core.kernels import backend, processes
from bpe_core.work import limit_work
from ui import cache
from ui.memory.cache import WORK
from ui.memory.system import keep_large_apart
from ui.memory.visitors import VISITORS
from ui.serving.patches import replace_parts
from ui.session.expiry import held_by
from ui.session.language import install_languages

FIRST_USED_BY_A_PAGE = ("pandas", "pyarrow")
"""Modules that pages and Streamlit import when they need them, and that are slow to import."""

IMPORTED = Event()
"""Set once these modules are imported, after which pages may run.

Plotly and Streamlit look for them among the modules that there are, and fail on one that is half imported.
"""


def prepare() -> Thread:
    """The preparation thread, started once per server."""
    return cache.started(_begin)


def _begin() -> Thread:
    install_languages()
    keep_large_apart()
    limit_work(WORK)
    VISITORS.held = held_by
    replace_parts()
    thread = Thread(target=_get_ready, name="get ready", daemon=True)
    thread.start()
    return thread


def _get_ready() -> None:
    """Import libraries, warm up kernels and vocabularies, then exclude them from garbage collection.

    Frozen objects are never scanned; with `runner.postScriptGC = false` a rerun then costs no collection.
    """
    try:
        for module in FIRST_USED_BY_A_PAGE:
            import_module(module)
    finally:
        IMPORTED.set()
    processes.compile_missing()
    backend.warm_up()
    for name in OPENAI:  # the others are loaded on first use
        try:
            cache.published(name).encode("ready")  # builds its encoding tables
        except VocabularyError:
            continue  # reported by the page that needs it
    backend.warm_up_later()
    gc.collect()
    gc.freeze()
