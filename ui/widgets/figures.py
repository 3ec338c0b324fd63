"""Draws a figure of the core on a page, with its title and subtitle."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING

from bpe_core import Tokenizer
from bpe_core.payloads.captions import Captions
from bpe_core.tokenizer.chips import chip
from ui.views.plot import PointChips, plot_view

if TYPE_CHECKING:
    import plotly.graph_objects as go


def show_figure(
    figure: go.Figure,
    *,
    key: str,
    chips: PointChips | None = None,
    on_pick: Callable[[int, int], None] | None = None,
) -> None:
    """Draw a figure made for the theme "light". `on_pick`: called with the indices of a trace and a point."""
    title = unescape(figure.layout.title.text)
    subtitle = unescape(figure.layout.title.subtitle.text or "")
    plot_view(figure, key=key, label=title, captions=Captions(title, subtitle), chips=chips, on_pick=on_pick)


def token_chips(figure: go.Figure, tokenizer: Tokenizer) -> PointChips:
    """Token of each point, for traces whose customdata begin with a token and its id, if any."""
    return {
        number: [() if token_id is None else (chip(tokenizer, token_id),) for _token, token_id, *_more in points]
        for number, points in enumerate(trace.customdata for trace in figure.data)
        if points is not None
    }
