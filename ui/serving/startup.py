"""Server preparation in the background, after the first page: import, compile, load, freeze the heap."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from threading import Thread

from streamlit.delta_generator import DeltaGenerator
from streamlit.string_util import is_emoji

from bpe_core import Tokenizer, VocabularyError
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

LOOKED_FOR = ("pandas", "pyarrow")
"""Modules that Plotly looks up in `sys.modules`; it fails on one that another thread has only partly imported."""

NO_VISIT, REST, LONGEST_REST = 5.0, 1.5, 12.0
"""Seconds without a first visit, seconds without a run after one, and the maximum of the whole wait, after which the
server prepares the rest: until then the first page and the first click have the processor to themselves."""

NO_FILES = (OSError, ImportError)
"""Exceptions of imports while connections use all file descriptors of the process."""

TRIES, BETWEEN_TRIES = 24, 5.0
"""Maximum number of attempts to prepare the server in that case, and seconds between them."""

_LOOK = 0.05
_RUN = "scriptThread"
"""Suffix of the names of threads in which Streamlit runs pages."""


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
        is_emoji("🧩")  # imports the list of all emoji
        DeltaGenerator(root_container=None).empty()  # the first element of a process inspects all modules
        for _tokenizer in _published():
            pass
        have_imported()
        figure_json(titled_figure("light", "", "", "", ""))  # imports Plotly, and makes the template


def have_imported() -> None:
    """Import the modules that Plotly looks up, or wait until another thread has; call before a run makes a figure.

    Upstream: plotly/plotly.py#2433.
    """
    for module in LOOKED_FOR:
        import_module(module)


def _published() -> Iterator[Tokenizer]:
    """The published tokenizers whose vocabularies can be loaded; the others are loaded on first use."""
    for name in OPENAI:
        with suppress(VocabularyError):  # reported by the page that needs it
            yield cache.published(name)


def _let_the_first_page_run() -> None:
    """Wait until runs have paused after the first page was drawn, or no session has begun."""
    began = now = time.monotonic()
    ran: float | None = None
    while now - began < LONGEST_REST:
        if any(thread.name.endswith(_RUN) for thread in threading.enumerate()):
            ran = now
        elif now >= (began + NO_VISIT if ran is None else ran + REST):
            return
        time.sleep(_LOOK)
        now = time.monotonic()


def _get_ready_at_last() -> None:
    """Get ready, as soon as connections leave a file descriptor for it."""
    _let_the_first_page_run()
    for left in reversed(range(TRIES)):
        try:
            return _get_ready()
        except NO_FILES:
            if not left:
                raise
            time.sleep(BETWEEN_TRIES)


def _get_ready() -> None:
    """Warm up kernels and vocabularies, then exclude them from garbage collection.

    Frozen objects are never scanned; with `runner.postScriptGC = false` a rerun then costs no collection.
    """
    have_imported()
    processes.compile_missing()
    backend.warm_up()
    for tokenizer in _published():
        tokenizer.encode("ready")  # builds its encoding tables
    backend.warm_up_later()
    gc.collect()
    gc.freeze()
