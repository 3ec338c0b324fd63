"""Editor of a custom template for one text and two: validated while typed, with special tokens to insert."""

from __future__ import annotations

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.language import _
from ui.pipeline.request import own_problem
from ui.session import pipeline as state
from ui.session.items import Item
from ui.session.limits import LONGEST_TEMPLATE
from ui.views.live_text import live_text_view
from ui.widgets.messages import problem

MOST_OFFERED = 8
"""Maximum number of special tokens offered."""


def show_own_template(tokenizer: Tokenizer | None, kind: str) -> bool:
    """Draw both fields with their errors. Return whether the one needed for these texts is valid."""
    offered = offers(tokenizer) if tokenizer is not None else []
    with st.container(border=True, key="own template"):
        st.caption(
            _(
                "$A and $B are the texts, all else special tokens; after the colon is the type id. A click inserts at "
                "the cursor."
            )
        )
        left, right = st.columns(2)
        with left:
            single = _field(_("For one text"), state.SINGLE, ["$A:0", *offered], pair=False)
        with right:
            pair = _field(_("For two texts"), state.DOUBLE, ["$A:0", "$B:1", *offered], pair=True)
    return pair if kind == "pair" else single


def offers(tokenizer: Tokenizer) -> list[str]:
    """Special tokens of a vocabulary as template items, without those that contain white space."""
    names = sorted(tokenizer.special_tokens, key=lambda name: ("extra" in name or "unused" in name, len(name) > 20))
    return [f"{name}:0" for name in names if name.split() == [name] and not name.startswith("$")][:MOST_OFFERED]


def _field(label: str, item: Item[str], offered: list[str], *, pair: bool) -> bool:
    """Draw a field; return whether it holds a valid template."""
    live_text_view(
        label,
        item.get,
        key=f"{item.key} area",
        on_change=item.set,
        height=72,
        longest=LONGEST_TEMPLATE,
        offers=offered,
    )
    error = own_problem(item.get(), pair=pair)
    if error is not None:
        problem(error, key=f"{item.key} problem")
    return error is None
