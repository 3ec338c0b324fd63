"""Plotly figures of a comparison."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from bpe_core import checks
from bpe_core.display.comparison_figures import agreement_figure, tokens_figure
from bpe_core.drawing.themes import checked_theme

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from bpe_core.comparison.comparison import Comparison

FIGURES = ("tokens", "agreement")
"""Figures of a comparison by name."""


def comparison_figure(comparison: Comparison, name: str, theme: str) -> go.Figure:
    """Return the figure documented by `Comparison.figure`.

    >>> from bpe_core import compare
    >>> comparison_figure(compare("low", {}), "tokens", "light").layout.annotations[0].text
    'No tokenizer is compared.'
    """
    checks.choice(name, "name", FIGURES)
    checked_theme(theme)
    if name == "tokens":
        return tokens_figure(comparison.rows, theme)
    agreements = {pair: comparison.agreement(*pair) for pair in permutations(comparison.names, 2)}
    return agreement_figure(comparison.names, agreements, theme)
