"""Tables of a step in full: every pair of WordPiece, and every piece of Unigram."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, current_language, n_
from ui.algorithms import cache
from ui.algorithms.shown_step import ShownStep
from ui.algorithms.tables_of_step import MOST_ROWS
from ui.session import algorithms as state
from ui.views.token_table import token_table_view
from ui.widgets.layout import heading, side_by_side
from ui.widgets.panels import show_panel

_HEIGHT = 420


def show_step_tables(shown: ShownStep) -> None:
    """Draw the expander with both tables."""
    show_panel(
        _("All pairs and pieces at this step"),
        "table_rows",
        state.TABLES_OPEN,
        lambda: _show_tables(shown),
        card="algorithms step tables",
    )


def _show_tables(shown: ShownStep) -> None:
    columns = dict(zip(("wordpiece", "unigram"), side_by_side(1, 1, key="algorithms-step-tables"), strict=True))
    for name, column in columns.items():
        if name in shown.runs:
            with column:
                _show(shown, name, min(shown.step, shown.runs[name].steps))


def _show(shown: ShownStep, name: str, step: int) -> None:
    table, rows, current = cache.step_table(name, shown.source, shown.recipe.of(name), step, current_language())
    is_pairs = name == "wordpiece"
    if is_pairs:
        heading(
            "WordPiece",
            n_("{count:,} pair, in the order of the text", "{count:,} pairs, in the order of the text", rows),
        )
    else:
        heading("Unigram", n_("{count:,} piece, most frequent first", "{count:,} pieces, most frequent first", rows))
    token_table_view(
        table,
        key=f"algorithms step {'pairs' if is_pairs else 'pieces'}",
        height=_HEIGHT,
        label=_("WordPiece's pairs") if is_pairs else _("Unigram's pieces"),
        pickable=False,
        current=current,
        none=_("No pair is left."),
    )
    if rows > MOST_ROWS:
        st.caption(_("The first {first:,} of {all:,} are listed.", first=MOST_ROWS, all=rows))
