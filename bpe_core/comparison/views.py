"""Views of a comparison: its HTML for a notebook, and Plotly figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

from bpe_core import checks
from bpe_core.arrays import sorted_place
from bpe_core.comparison.overlap import shared_tokens
from bpe_core.comparison.text_lines import line_counts
from bpe_core.display.comparison_figures import agreement_figure, tokens_figure
from bpe_core.display.library import Figure
from bpe_core.display.lines_figures import lines_figure
from bpe_core.display.overlap_figures import overlap_figure
from bpe_core.drawing.themes import checked_theme
from bpe_core.drawing.token_spans import TokenSpan
from bpe_core.notebook.cards import bar, card, counted, label, side_by_side, table
from bpe_core.notebook.marked_text import marked
from bpe_core.notebook.spans import MOST_TOKENS, flow
from bpe_core.text.utf8 import whole_characters

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


_MOST_NAMES = 12
_MOST_BYTES = 240


def comparison_html(comparison: Comparison, names: Sequence[str]) -> str:
    """Counts, pairwise F1, and the start of the text in the tokens of each; for the first twelve tokenizers.

    >>> from bpe_core import compare, load_pretrained
    >>> html = comparison_html(compare("x = 12345", {"GPT-2": load_pretrained("gpt2")}), ["GPT-2"])
    >>> "1 tokenizer · 9 characters · 9 bytes" in html
    True
    """
    data = comparison.text.encode()
    facts = [counted(len(names), "tokenizer"), counted(len(comparison.text), "character"), counted(len(data), "byte")]
    shown = list(names[:_MOST_NAMES])
    if not shown:
        return card("Comparison", facts)
    tables = [_counts(comparison, len(shown))]
    if len(shown) > 1:
        tables.append(label("Shared boundaries (F1)") + _agreement(comparison, shown))
    note = f"{counted(len(names) - len(shown), 'more tokenizer')} not shown." if len(shown) < len(names) else ""
    return card("Comparison", facts, side_by_side(tables), _beginnings(comparison, shown, data), note=note)


def _counts(comparison: Comparison, shown: int) -> str:
    rows = comparison.rows[:shown]
    most = max(row.tokens for row in rows) or 1
    cells = [
        [
            marked(row.name, 40),
            f"{row.tokens:,}",
            bar(row.tokens / most),
            f"{row.bytes_per_token:.2f}",
            f"{row.chars_per_token:.2f}",
            f"{row.tokens_per_word:.2f}",
        ]
        for row in rows
    ]
    head = ["Tokenizer", "Tokens", "", "Bytes/token", "Chars/token", "Tokens/word"]
    return label("Counts") + table(head, cells, numbers=(1, 3, 4, 5))


def _agreement(comparison: Comparison, names: Sequence[str]) -> str:
    f1 = {frozenset(pair): comparison.agreement(*pair).f1 for pair in combinations(names, 2)}
    rows = []
    for name in names:
        cells = [marked(name, 40)]
        for other in names:
            share = f1.get(frozenset((name, other)))
            cells.append("" if share is None else f'<td class="f" style="--v:{round(60 * share)}">{share:.2f}</td>')
        rows.append(cells)
    head = ["", *(marked(name, 12) for name in names)]
    return table(head, rows, numbers=range(1, len(head)))


def _beginnings(comparison: Comparison, names: Sequence[str], data: bytes) -> str:
    """The same first bytes of the text under each tokenizer."""
    end = min(len(data), _MOST_BYTES)
    end = whole_characters(data, end, end)[0]
    most = MOST_TOKENS // len(names)
    parts = []
    for name in names:
        encoding = comparison.encoding(name)
        starts, ends = comparison.offsets(name)
        last = min(sorted_place(starts, end), most)
        ids, special = encoding.ids[:last].tolist(), encoding.special[:last].tolist()
        rows = zip(ids, starts[:last].tolist(), np.minimum(ends[:last], end).tolist(), special, strict=True)
        spans = [TokenSpan(token_id, encoding.token_bytes(token_id), at, to, each) for token_id, at, to, each in rows]
        left = len(encoding) - last
        rest = f'<span class="note"> … {counted(left, "more token")}</span>' if left else ""
        parts.append(f'<div class="label">{marked(name, 40)}{rest}</div>{flow(data, spans)}')
    return "".join(parts)
