"""The vocabularies side by side, with a filter and a search."""

from __future__ import annotations

import streamlit as st

from ui import cache, state
from ui.algorithms.here import Here
from ui.algorithms.member import TITLES
from ui.algorithms.pieces import MOST_ROWS, chosen, is_shown, pieces_table
from ui.layout import heading
from ui.scene import LONGEST_WORD
from ui.token_view import token_table


def show_vocabularies(here: Here) -> None:
    """The card with every piece and who has it."""
    names = list(here.members)
    sides = cache.family_pieces(here.source, here.asked, None if here.at_end else here.step)
    with st.container(border=True, key="family vocabularies"):
        heading(
            "The vocabularies side by side",
            "at the end, with ids or scores" if here.at_end else f"at step {here.step:,}, with ids or scores",
        )
        kinds = ["all", "shared", *names] if len(names) > 1 else ["all"]
        counts = {kind: sum(is_shown(side, kind, names) for side in sides) for kind in kinds}
        labels = {"all": "All", "shared": "In every one", **{name: f"Only {TITLES[name]}" for name in names}}
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.segmented_control(
                "Pieces",
                kinds,
                format_func=lambda kind: f"{labels[kind]} {counts[kind]:,}",
                required=True,
                **state.FAMILY_SHOWN.widget(),
            )
            st.text_input(
                "Find a piece",
                placeholder="part of a piece",
                max_chars=LONGEST_WORD,
                width=220,
                **state.FAMILY_FIND.widget(),
            )
        rows = chosen(sides, state.FAMILY_SHOWN.get(), state.FAMILY_FIND.get(), names)
        token_table(pieces_table(rows, names), key="family pieces table", height=420, pickable=False, label="Pieces")
        more = f" The first {MOST_ROWS:,} of {len(rows):,} are listed." if len(rows) > MOST_ROWS else ""
        st.caption(
            "Compared without their marks: `##` inside of a word (WordPiece), `▁` the space in front of one "
            "(Unigram, SentencePiece), `·` a space (BPE). Behind a piece its id, or its score: lower is better for "
            f"Unigram, higher for SentencePiece. Special tokens are left out.{more}"
        )
