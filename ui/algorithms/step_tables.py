"""Tables of a step in full: every pair of WordPiece, and every piece of Unigram."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, message, n_
from bpe_core.payloads.chips import Column, Table
from ui.algorithms.shown_step import ShownStep
from ui.algorithms.unigram import Unigram
from ui.algorithms.wordpiece import WordPiece
from ui.session import algorithms as state
from ui.views.token_table import token_table_view
from ui.widgets.layout import heading, side_by_side
from ui.widgets.panels import show_panel

_MOST_ROWS = 10_000
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
    left, right = side_by_side(1, 1, key="algorithms-step-tables")
    for run in shown.runs.values():
        step = min(shown.step, run.steps)
        if isinstance(run, WordPiece):
            with left:
                _pairs(run, step)
        elif isinstance(run, Unigram):
            with right:
                _pieces(run, step)


def _pairs(run: WordPiece, step: int) -> None:
    pairs = run.training.at(step).pairs()
    heading(
        "WordPiece",
        n_("{count:,} pair, in the order of the text", "{count:,} pairs, in the order of the text", len(pairs)),
    )
    shown = pairs[:_MOST_ROWS]
    table = Table(
        (
            Column(message("Pair"), [(run.chip(pair.left), run.chip(pair.right)) for pair in shown], "chip"),
            Column(message("Count"), [pair.count for pair in shown], "number"),
            Column(message("Left"), [pair.left_count for pair in shown], "number"),
            Column(message("Right"), [pair.right_count for pair in shown], "number"),
            Column(message("Score"), [pair.score for pair in shown], "number", digits=6),
        )
    )
    best = next((at for at, pair in enumerate(shown) if pair.chosen), None)
    _table(table, "pairs", _("WordPiece's pairs"), len(pairs), best)


def _pieces(run: Unigram, step: int) -> None:
    counts, scores = run.training.seed, run.model(step).scores
    pieces = sorted(scores, key=lambda piece: len(piece) == 1)  # longer ones are in the order of their counts
    heading("Unigram", n_("{count:,} piece, most frequent first", "{count:,} pieces, most frequent first", len(pieces)))
    shown = pieces[:_MOST_ROWS]
    table = Table(
        (
            Column(message("Piece"), [run.chip(piece) for piece in shown], "chip"),
            Column(message("Count"), [counts[piece] for piece in shown], "number"),
            Column(message("Score"), [scores[piece] for piece in shown], "number", digits=2),
        )
    )
    _table(table, "pieces", _("Unigram's pieces"), len(pieces), None)


def _table(table: Table, key: str, label: str, rows: int, current: int | None) -> None:
    token_table_view(
        table,
        key=f"algorithms step {key}",
        height=_HEIGHT,
        label=label,
        pickable=False,
        current=current,
        none=_("No pair is left."),
    )
    if rows > _MOST_ROWS:
        st.caption(_("The first {first:,} of {all:,} are listed.", first=_MOST_ROWS, all=rows))
