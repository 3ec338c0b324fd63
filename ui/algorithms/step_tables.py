"""Tables of a step in full: removals of PickyBPE, pairs of WordPiece, and pieces of Unigram."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, current_language, message, n_, translate
from ui.algorithms import cache
from ui.algorithms.shown_step import ShownStep
from ui.algorithms.tables_of_step import MOST_ROWS
from ui.session import algorithms as state
from ui.views.token_table import token_table_view
from ui.widgets.layout import heading, side_by_side
from ui.widgets.panels import show_panel

_HEIGHT = 420
_KEYS = {"picky": "removals", "wordpiece": "pairs", "unigram": "pieces"}
_LABELS = {
    "picky": message("PickyBPE's removals"),
    "wordpiece": message("WordPiece's pairs"),
    "unigram": message("Unigram's pieces"),
}


def show_step_tables(shown: ShownStep) -> None:
    """Draw the expander with the tables of the algorithms that have one."""
    if not _with_tables(shown):
        return
    show_panel(
        _("All pairs and pieces at this step"),
        "table_rows",
        state.TABLES_OPEN,
        lambda: _show_tables(shown),
        card="algorithms step tables",
    )


def _show_tables(shown: ShownStep) -> None:
    names = _with_tables(shown)
    for at in range(0, len(names), 2):
        columns = side_by_side(1, 1, key=f"algorithms-step-tables-{at}" if at else "algorithms-step-tables")
        for name, column in zip(names[at : at + 2], columns, strict=False):
            with column:
                _show(shown, name, min(shown.step, shown.runs[name].steps))


def _with_tables(shown: ShownStep) -> list[str]:
    return [name for name in ("picky", "wordpiece", "unigram") if name in shown.runs]


def _show(shown: ShownStep, name: str, step: int) -> None:
    table, rows, current = cache.step_table(name, shown.source, shown.recipe.of(name), step, current_language())
    if name == "picky":
        heading("PickyBPE", n_("{count:,} removal, the last one first", "{count:,} removals, the last one first", rows))
    elif name == "wordpiece":
        heading(
            "WordPiece",
            n_("{count:,} pair, in the order of the text", "{count:,} pairs, in the order of the text", rows),
        )
    else:
        heading("Unigram", n_("{count:,} piece, most frequent first", "{count:,} pieces, most frequent first", rows))
    token_table_view(
        table,
        key=f"algorithms step {_KEYS[name]}",
        height=_HEIGHT,
        label=translate(_LABELS[name]),
        pickable=False,
        current=current,
        none=_("Nothing was removed so far.") if name == "picky" else _("No pair is left."),
    )
    if rows > MOST_ROWS:
        st.caption(_("The first {first:,} of {all:,} are listed.", first=MOST_ROWS, all=rows))
