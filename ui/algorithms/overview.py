"""Overview of three algorithms: how each learns, what it learns, and how it encodes."""

from __future__ import annotations

from bpe_core.language import _, message
from bpe_core.payloads.chips import Column, Table
from ui.session import algorithms as state
from ui.views.token_table import token_table_view
from ui.widgets.panels import show_panel

_TABLE = Table(
    (
        Column("", [message("Training"), message("A step"), message("Learned"), message("Encoding")]),
        Column(
            "BPE",
            [
                message("from characters or bytes to longer tokens"),
                message("merges the most frequent pair"),
                message("a vocabulary and the order of its merges"),
                message("applies the merges in order"),
            ],
        ),
        Column(
            "WordPiece",
            [
                message("from characters to longer pieces"),
                message("merges the pair with the highest score, which prefers rare parts"),
                message("a vocabulary alone"),
                message("takes the longest piece from the left"),
            ],
        ),
        Column(
            "Unigram",
            [
                message("from many pieces to fewer"),
                message("removes the pieces whose loss costs the text least"),
                message("a vocabulary and a score for each piece"),
                message("takes the most probable pieces"),
            ],
        ),
    )
)


def show_overview() -> None:
    """Draw the expander with the table."""
    title = _("BPE, WordPiece and Unigram at a glance")
    show_panel(title, "table_chart", state.OVERVIEW_OPEN, _show_table, card="four algorithms")


def _show_table() -> None:
    token_table_view(_TABLE, key="algorithms overview", height=None, label=_("Three algorithms"), pickable=False)
