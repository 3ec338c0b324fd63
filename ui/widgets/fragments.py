"""Pages and fragments (parts of a page that also run alone): each shows its own errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

from bpe_core import BpeError
from bpe_core.language import _, message
from ui.memory.cache import visitor
from ui.memory.visitors import VISITORS
from ui.widgets.messages import problem

P = ParamSpec("P")

_NO_MEMORY = BpeError(
    message("The server has too little free memory for this."),
    remedy=message("Try again later, or take a shorter text, a smaller file or fewer tokenizers."),
)


@contextmanager
def problems_shown(*, key: str) -> Iterator[None]:
    """Show a BpeError or MemoryError of the `with` block as a problem, instead of a traceback.

    Either may occur anywhere: values evicted since the page was drawn may need too much memory to be recomputed.
    """
    try:
        yield
    except (BpeError, MemoryError) as error:
        shown = error if isinstance(error, BpeError) else _NO_MEMORY
        problem(shown, unchanged=_("What was here before is kept."), key=key)


def fragment(draw: Callable[P, None]) -> Callable[P, None]:
    """Decorator: `st.fragment` for a function whose problems are shown."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        with problems_shown(key=f"problem of {draw.__module__} {draw.__qualname__}"):
            draw(*args, **kwargs)

    return st.fragment(drawn)


def fragment_ahead(draw: Callable[P, None]) -> Callable[P, None]:
    """Decorator: a fragment that runs ahead of its page: it stops the page's run in progress.

    So it must request a new run of the page: see `follow_up_view`.
    """

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        VISITORS.let_run_ahead(visitor(), ThreadState.get().fragment_id)
        draw(*args, **kwargs)

    return st.fragment(drawn)
