"""The bar of heavy work: its place in the line, how far it is, and a way to cancel it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import _
from ui.memory.cache import visitor
from ui.shared.address import keep_address
from ui.shared.messages import problem
from ui.shared.turns import TURNS

_QUIET = 0.4
"""Seconds before a training shows its progress: most are over by then."""

_BETWEEN_REPORTS = 0.1


class TrainingBar:
    """A place on the page for the bar; `turn` waits in line, `report` is called as it goes on, `clear` at the end.

    A click, on Cancel or anywhere, interrupts the script when the bar is next drawn: nothing is kept of a training
    that is not finished, and its place in the line is free. `key`: another one for each bar of a page. `on_cancel`:
    called first in the run that a click on Cancel begins.
    """

    def __init__(self, *, key: str = "training", on_cancel: Callable[[], None] | None = None) -> None:
        self._place = st.empty()
        self._key = key
        self._on_cancel = on_cancel
        self._started = self._reported = time.monotonic()
        self._bar: Any = None

    @contextmanager
    def turn(self, *, heavy: bool) -> Iterator[None]:
        """Wait in line for heavy work, with the place in it shown. Work that is soon done does not wait.

        Raises BpeError for more work of one visitor than the line takes.
        """
        if not heavy:
            yield
            return
        with TURNS.turn(visitor(), self._wait):
            yield

    def _wait(self, before: int) -> None:
        self._draw(0.0, _("Waiting: {before:,} before you", before=before))

    def report(self, done: int, total: int, words: str) -> None:
        """Draw how far it is, unless it was drawn just now or is over soon. `words` are ours, never a visitor's."""
        now = time.monotonic()
        if now - self._reported < _BETWEEN_REPORTS or now - self._started < _QUIET:
            return
        self._reported = now
        self._draw(min(1.0, done / max(1, total)), words)

    def _draw(self, share: float, words: str) -> None:
        if self._bar is None:
            with self._place.container(border=True, horizontal=True, vertical_alignment="center", key=self._key):
                self._bar = st.progress(0.0)
                st.button(_("Cancel"), icon=":material/close:", key=f"{self._key} cancel", on_click=self._on_cancel)
        self._bar.progress(share, words)

    def begin(self, share: float, words: str) -> None:
        """Draw it at once, for what is known to take long and says nothing before its end."""
        self._reported = time.monotonic()
        self._draw(share, words)

    def clear(self) -> None:
        """The work is finished."""
        self._place.empty()
        self._bar = None


def not_now(error: BpeError, again: str, *, kept: str, on_click: Callable[[], None] | None = None) -> NoReturn:
    """End the page where what it needs cannot be made now: say why, with a button to do it all the same."""
    problem(error, kept=kept, key="not now")
    st.button(again, on_click=on_click, type="primary")
    keep_address()
    st.stop()
