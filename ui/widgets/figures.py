"""Figures of the core on a page, with title and subtitle, and the composition of vocabularies by kinds or scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import unescape

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.display.library import Figure
from bpe_core.language import _, message, translate
from bpe_core.payloads.captions import Captions
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.tokenizer_figures import kinds_figure, scripts_figure
from ui.cache import composition_of
from ui.session import training, vocabulary
from ui.views.plot import PointChips, plot_view
from ui.widgets.controls import segments
from ui.widgets.display import title_of


def show_figure(
    figure: Figure,
    *,
    key: str,
    chips: PointChips | None = None,
    on_pick: Callable[[int, int], None] | None = None,
) -> None:
    """Draw a figure made for the theme "light". `on_pick`: called with the indices of a trace and a point."""
    title = unescape(figure.layout.title.text)
    subtitle = unescape(figure.layout.title.subtitle.text or "")
    plot_view(figure, key=key, label=title, captions=Captions(title, subtitle), chips=chips, on_pick=on_pick)


def token_chips(figure: Figure, tokenizer: Tokenizer) -> PointChips:
    """Token of each point, for traces whose customdata begin with a token and its id, if any."""
    return {
        number: [() if token_id is None else (chip(tokenizer, token_id),) for _token, token_id, *_more in points]
        for number, points in enumerate(trace.customdata for trace in figure.data)
        if points is not None
    }


_BY = {"kinds": message("Kinds"), "scripts": message("Scripts")}


def choose_composition() -> None:
    """Draw the choice between kinds and scripts."""
    segments(_("Tokens by"), _BY, vocabulary.COMPOSITION_BY, hidden=True)


def show_composition(names: Sequence[str], *, key: str) -> None:
    """Draw the chart of these tokenizers. Raises BpeError for a tokenizer that cannot be loaded or trained."""
    by, made_of = vocabulary.COMPOSITION_BY.get(), (training.source(), training.CONFIG.get(), training.FORKS.get())
    found = [composition_of(name, *made_of, by)._replace(name=translate(title_of(name))) for name in names]
    show_figure((kinds_figure if by == "kinds" else scripts_figure)(found, "light"), key=key)
    if by == "kinds":
        st.caption(
            _(
                "Word starts: letters after a space. Code-like: letters with symbols, or a capital after a small "
                "letter. Parts of characters: bytes that are not a whole character."
            )
        )
