"""Server preparation in the background, after the first page: import, compile, load, freeze the heap."""

from __future__ import annotations

import gc
import threading
import time
from contextlib import suppress
from importlib import import_module
from threading import Event, Thread

from streamlit.delta_generator import DeltaGenerator
from streamlit.string_util import is_emoji

from bpe_core import VocabularyError
from bpe_core.bundled.openai import OPENAI
from bpe_core.display.figures import titled_figure
from bpe_core.kernels import backend, processes
from bpe_core.work import limit_work
from ui import cache
from ui.memory.cache import WORK
from ui.memory.system import keep_large_apart
from ui.memory.visitors import VISITORS
from ui.serving.patches import replace_parts
from ui.session.expiry import held_by
from ui.session.language import install_languages
from ui.views.plot_figures import figure_json

FIRST_USED_BY_A_PAGE = ("pandas", "pyarrow")
"""Modules that pages and Streamlit import when they need them, and that are slow to import."""

BEGUN, IMPORTED = Event(), Event()
"""Set when the import of these modules begins and ends, between which no page runs.

Plotly and Streamlit look for them among the modules that there are, and fail on one that is half imported.
"""

NEEDED = Event()
"""Set once a page needs these modules: they are imported at once."""

NO_VISIT, REST, LONGEST_REST = 5.0, 1.5, 12.0
"""Seconds without a first visit, seconds without a run after it, and the limit of both, after which the server prepares
the rest: until then the first page and the first click have the processor to themselves."""

NO_FILES = (OSError, ImportError)
"""How imports fail while connections have all file descriptors of the process."""

TRIES, BETWEEN_TRIES = 24, 5.0
"""Attempts to prepare the server in that case, and seconds between them."""

_LOOK = 0.05
_RUN = "scriptThread"
"""End of the names of threads in which Streamlit runs pages."""


def prepare() -> Thread:
    """The preparation thread, started once per server."""
    return cache.started(_begin)


def _begin() -> Thread:
    install_languages()
    keep_large_apart()
    limit_work(WORK)
    VISITORS.held = held_by
    replace_parts()
    thread = Thread(target=_get_ready_at_last, name="get ready", daemon=True)
    thread.start()
    return thread


def load_for_first_page() -> None:
    """Load what the first page would wait for: parts of Streamlit and Plotly, and the published tokenizers."""
    with suppress(*NO_FILES):  # then the page loads it
        is_emoji("🧩")  # imports all of them
        DeltaGenerator(root_container=None).empty()  # the first element looks at all modules
        for name in OPENAI:
            with suppress(VocabularyError):  # reported by the page that needs it
                cache.published(name)
        figure_json(titled_figure("light", "", "", "", ""))  # imports Plotly, and makes the template


def have_imported() -> None:
    """Import the modules that pages need, unless that has happened; for every page but the first."""
    NEEDED.set()
    IMPORTED.wait()


def wait_for_import() -> None:
    """Wait for an import that is under way; at the begin of a run."""
    if BEGUN.is_set():
        IMPORTED.wait()


def _let_the_first_page_run() -> None:
    """Wait until the first page is drawn and used for a moment, nobody comes, or a page needs the rest."""
    began = now = time.monotonic()
    ran: float | None = None
    while now - began < LONGEST_REST:
        if any(thread.name.endswith(_RUN) for thread in threading.enumerate()):
            ran = now
        elif now >= (began + NO_VISIT if ran is None else ran + REST):
            return
        if NEEDED.wait(_LOOK):
            return
        now = time.monotonic()


def _get_ready_at_last() -> None:
    """Get ready, after connections have left a file descriptor to it."""
    _let_the_first_page_run()
    for left in reversed(range(TRIES)):
        try:
            return _get_ready()
        except NO_FILES:
            if not left:
                raise
            time.sleep(BETWEEN_TRIES)


def _get_ready() -> None:
    """Import libraries, warm up kernels and vocabularies, then exclude them from garbage collection.

    Frozen objects are never scanned; with `runner.postScriptGC = false` a rerun then costs no collection.
    """
    BEGUN.set()
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
