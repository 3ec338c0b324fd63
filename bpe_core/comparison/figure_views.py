"""Plotly figures of a comparison."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from bpe_core import checks
from bpe_core.comparison.overlap import shared_tokens
from bpe_core.comparison.text_lines import line_counts
from bpe_core.display.comparison_figures import agreement_figure, tokens_figure
from bpe_core.display.library import Figure
from bpe_core.display.lines_figures import lines_figure
from bpe_core.display.overlap_figures import overlap_figure
from bpe_core.drawing.themes import checked_theme

if TYPE_CHECKING:
    from bpe_core.comparison.comparison import Comparison

FIGURES = ("tokens", "agreement", "overlap", "lines")
"""Figures of a comparison by name."""


def comparison_figure(
    comparison: Comparison, name: str, theme: str, left: str | None = None, right: str | None = None
) -> Figure:
    """Return the figure documented by `Comparison.figure`.

    >>> from bpe_core import compare
    >>> comparison_figure(compare("low", {}), "tokens", "light").layout.annotations[0].text
    'No tokenizer is compared.'
    """
    checks.choice(name, "name", FIGURES)
    checked_theme(theme)
    if name == "tokens":
        return tokens_figure(comparison.rows, theme)
    if name == "overlap":
        groups = shared_tokens({each: comparison.tokenizer(each) for each in comparison.names})
        return overlap_figure(comparison.names, groups, theme)
    if name == "lines":
        return _lines(comparison, theme, left, right)
    agreements = {pair: comparison.agreement(*pair) for pair in permutations(comparison.names, 2)}
    return agreement_figure(comparison.names, agreements, theme)


def _lines(comparison: Comparison, theme: str, left: str | None, right: str | None) -> Figure:
    """The tokens of each line under two tokenizers, by default the first two; under one, against itself."""
    names = comparison.names
    if not names:
        return tokens_figure([], theme)
    pair = (names[0] if left is None else left, names[min(1, len(names) - 1)] if right is None else right)
    lines = comparison.text.split("\n")
    return lines_figure(pair, [line_counts(comparison, name) for name in pair], lines, theme)
