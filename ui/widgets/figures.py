"""Draws a figure of the core on a page, with its title and subtitle."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING

from ui.views.captions import Captions
from ui.views.plot import plot_view

if TYPE_CHECKING:
    import plotly.graph_objects as go


def show_figure(figure: go.Figure, *, key: str, on_pick: Callable[[int, int], None] | None = None) -> None:
    """Draw a figure made for the theme "light". `on_pick`: called with the indices of a trace and a point."""
    title = unescape(figure.layout.title.text)
    subtitle = unescape(figure.layout.title.subtitle.text or "")
    plot_view(figure, key=key, label=title, captions=Captions(title, subtitle), on_pick=on_pick)
