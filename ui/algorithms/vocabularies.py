"""Vocabularies side by side, with a filter and a search."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, joined, message, translate
from ui.algorithms import cache
from ui.algorithms.shown_step import ShownStep
from ui.runs.compared_pieces import MOST_ROWS, chosen, is_shown, pieces_table
from ui.session import algorithms as state
from ui.session.algorithms import TITLES
from ui.session.shared_view import LONGEST_WORD
from ui.views.choice import Option, choice_view
from ui.views.token_table import token_table_view
from ui.widgets.panels import show_panel

_ABOUT = message(
    "Compared without their marks: `##` inside a word (WordPiece), `▁` the space in front of one (Unigram, "
    "SentencePiece), `·` a space (BPE). After each piece its id or score: lower is better for Unigram, higher for "
    "SentencePiece. Special tokens and bytes are left out."
)


def show_vocabularies(shown: ShownStep) -> None:
    """Draw the expander with all pieces and the algorithms that have them; a link with a filter opens it."""
    filters = state.SHOWN.get(), state.FIND.get()
    if filters != state.FILTERS_DRAWN.get():
        state.VOCABULARIES_OPEN.set(True)
    state.FILTERS_DRAWN.set(filters)
    show_panel(
        _("The vocabularies side by side"),
        "view_column",
        state.VOCABULARIES_OPEN,
        lambda: _show_pieces(shown),
        card="algorithms vocabularies",
    )


def _show_pieces(shown: ShownStep) -> None:
    names = list(shown.runs)
    pieces = cache.pieces_side_by_side(shown.source, shown.recipe, None if shown.at_end else shown.step)
    st.caption(
        _("at the end, with ids or scores")
        if shown.at_end
        else _("at step {step:,}, with ids or scores", step=shown.step)
    )
    kinds = ["all", "shared", *names] if len(names) > 1 else ["all"]
    counts = {kind: sum(is_shown(piece, kind, names) for piece in pieces) for kind in kinds}
    only = {name: _("Only {algorithm}", algorithm=TITLES[name]) for name in names}
    labels = {"all": _("All"), "shared": _("In every one"), **only}
    with st.container(horizontal=True, vertical_alignment="bottom", key="algorithms filters"):
        choice_view(
            [Option(kind, labels[kind], f"{counts[kind]:,}") for kind in kinds],
            [state.SHOWN.get()],
            key="algorithms pieces kinds",
            label=_("Pieces"),
            on_choice=lambda kind, _taken: state.SHOWN.set(kind),
        )
        st.text_input(
            _("Find a piece"),
            placeholder=_("part of a piece"),
            max_chars=LONGEST_WORD,
            width=220,
            **state.FIND.widget(),
        )
    rows = chosen(pieces, state.SHOWN.get(), state.FIND.get(), names)
    token_table_view(
        pieces_table(rows, names), key="algorithms pieces table", height=420, pickable=False, label=_("Pieces")
    )
    more = _("The first {first:,} of {all:,} are listed.", first=MOST_ROWS, all=len(rows))
    st.caption(translate(joined(_ABOUT, more if len(rows) > MOST_ROWS else "")))
