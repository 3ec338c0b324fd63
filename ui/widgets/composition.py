"""Composition of vocabularies: a chart of token kinds or scripts, with the choice between them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from bpe_core.language import _, message, translate
from bpe_core.tokenizer.tokenizer_figures import kinds_figure, scripts_figure
from ui.cache import composition_of
from ui.session import training, vocabulary
from ui.widgets.controls import segments
from ui.widgets.display import title_of
from ui.widgets.figures import show_figure

_BY = {"kinds": message("Kinds"), "scripts": message("Scripts")}


def choose_composition() -> None:
    """Draw the choice between kinds and scripts."""
    segments(_("Tokens by"), _BY, vocabulary.COMPOSITION_BY, hidden=True)


def show_composition(names: Sequence[str], *, key: str) -> None:
    """Draw the chart of these tokenizers. Raises BpeError for a tokenizer that cannot be loaded or trained."""
    by, made_of = vocabulary.COMPOSITION_BY.get(), (training.source(), training.CONFIG.get(), training.FORKS.get())
    found = [composition_of(by, name, *made_of)._replace(name=translate(title_of(name))) for name in names]
    show_figure((kinds_figure if by == "kinds" else scripts_figure)(found, "light"), key=key)
    if by == "kinds":
        st.caption(
            _(
                "Word starts: letters after a space. Code-like: letters with signs, or a capital after a small letter. "
                "Parts of characters: bytes that are no whole character."
            )
        )
