"""Progress bar for heavy work: its place in the queue, its progress, and a Cancel button."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException

from bpe_core import BpeError
from bpe_core.language import _
from ui.memory.cache import visitor
from ui.memory.visitors import VISITORS
from ui.session import training
from ui.session.items import Item
from ui.widgets.messages import note, problem
from ui.widgets.shell import end_run
from ui.work.work_queue import WORK_QUEUE

_RUN_ENDS = (RerunException, StopException)
"""Exceptions by which Streamlit ends a run when another one begins, or when the visitor is disconnected."""

_QUIET = 0.4
"""Delay in seconds before progress is shown; most trainings finish sooner."""

_BETWEEN_REPORTS = 0.1


class TrainingBar:
    """A placeholder for the progress bar; `turn` queues the work, `report` updates the bar, and `clear` removes it.

    A click, on Cancel or elsewhere, in a fragment or not, interrupts the script when the bar is next drawn, with one of
    `_RUN_ENDS`: unfinished work is discarded, and its slot in the queue released. The next run, of the whole page,
    starts it again unless that run was caused by Cancel.

    key: unique among a page's bars. on_cancel: called first in the run started by Cancel.
    """

    def __init__(self, *, key: str = "training", on_cancel: Callable[[], None] | None = None) -> None:
        self._place = st.empty()
        self._key = key
        self._on_cancel = on_cancel
        self._started = self._reported = time.monotonic()
        self._bar: Any = None

    @contextmanager
    def turn(self, *, heavy: bool) -> Iterator[None]:
        """Queue heavy work, showing its place; light work does not wait.

        Raises BpeError if the visitor has too many jobs in the queue.
        """
        if not heavy:
            yield
            return
        with WORK_QUEUE.turn(visitor(), self._wait):
            yield

    def _wait(self, before: int) -> None:
        self._draw(0.0, _("Waiting: {before:,} before you", before=before))

    def report(self, done: int, total: int, words: str) -> None:
        """Draw the progress, at limited intervals and not for short work. `words` must not contain user text."""
        now = time.monotonic()
        if now - self._reported < _BETWEEN_REPORTS or now - self._started < _QUIET:
            return
        self._reported = now
        self._draw(min(1.0, done / max(1, total)), words)

    def _draw(self, share: float, words: str) -> None:
        if self._bar is None:
            VISITORS.let_actions_stop_run(visitor(), True)
            with self._place.container(border=True, horizontal=True, vertical_alignment="center", key=self._key):
                self._bar = st.progress(0.0)
                st.button(_("Cancel"), icon=":material/close:", key=f"{self._key} cancel", on_click=self._on_cancel)
        self._bar.progress(share, words)

    def begin(self, share: float, words: str) -> None:
        """Draw the bar immediately, for long work that reports no progress."""
        self._reported = time.monotonic()
        self._draw(share, words)

    def clear(self) -> None:
        """Remove the bar."""
        self._place.empty()
        if self._bar is not None:
            VISITORS.let_actions_stop_run(visitor(), False)
        self._bar = None


def cancellable(stopped: Item[str], request: str, *, key: str, cancelled: str, again: str) -> TrainingBar | None:
    """Progress bar for work that every run attempts until its result is cached; None if the visitor has cancelled it.

    stopped: holds the cancelled request, a text that identifies the work. The sentence `cancelled` then replaces the
    result, with a button labelled `again` that starts the work anyway.
    """
    if stopped.get() == request:
        note(cancelled)
        st.button(again, on_click=stopped.set, args=("",), type="primary", key=f"{key} again")
        return None
    return TrainingBar(key=key, on_cancel=lambda: stopped.set(request))


@contextmanager
def answering(*requests: Item[Any]) -> Iterator[Callable[[], bool]]:
    """Clear these requests when the work on them succeeds or fails; a BpeError is shown on the page.

    Yields a function to call with the result at hand: it clears the requests, or returns False if another run has
    cancelled, replaced or answered them. If the run is interrupted, they are kept for the next run, which answers them.
    """
    values = [request.get() for request in requests]

    def clear() -> None:
        for request in requests:
            request.set(request.default)

    def answered() -> bool:
        if any(request.get() is not value for request, value in zip(requests, values, strict=True)):
            return False
        clear()
        return True

    training.TOLD.set(None)
    try:
        yield answered
    except _RUN_ENDS:
        raise
    except BpeError as error:
        clear()
        training.PROBLEM.set(error)
    except BaseException:
        clear()
        raise


def not_now(error: BpeError, again: str, *, unchanged: str, on_click: Callable[[], None] | None = None) -> NoReturn:
    """End the page because a result cannot be made now: show the error and a retry button."""
    problem(error, unchanged=unchanged, key="not now")
    st.button(again, on_click=on_click, type="primary")
    end_run()
    st.stop()
