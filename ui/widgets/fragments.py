"""Fragments: parts of a page that also run alone, and show their own problems."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import _
from ui.widgets.messages import problem

P = ParamSpec("P")


def fragment(draw: Callable[P, None]) -> Callable[P, None]:
    """Decorator: `st.fragment` for a function whose BpeError is shown as a problem.

    Any part may meet one: what the memory gave up since the page was drawn may be too much to make now.
    """

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            draw(*args, **kwargs)
        except BpeError as error:
            kept = _("What was here before is kept.")
            problem(error, unchanged=kept, key=f"problem of {draw.__module__} {draw.__qualname__}")

    return st.fragment(drawn)
