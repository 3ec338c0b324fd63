"""Facts about a model from the files next to an uploaded tokenizer."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import translate
from ui import cache
from ui.session.tokenizer_choice import own_file
from ui.session.tokenizer_files import is_own
from ui.widgets.messages import note, problem


def show_embedding_fit(name: str) -> None:
    """Draw a line on the embedding rows in the config.json next to a tokenizer; nothing without that file."""
    fit = cache.embedding_fit(own_file(name)) if is_own(name) else None
    if isinstance(fit, BpeError):
        problem(fit, key=f"config of {name}")
    elif fit is not None:
        (note if fit.without else st.caption)(translate(fit.sentence()))
