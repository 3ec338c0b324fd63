"""The merge table: searchable, a row goes to its step. While a class guesses, later merges are not in it."""

from __future__ import annotations

import contextlib

import streamlit as st

from ui import cache, state
from ui.layout import heading
from ui.messages import note
from ui.token_view import Words, token_table
from ui.train.here import Here
from ui.train.player import jump_to

_HEIGHT = 350
_KNOWN = 100
"""Merges shown while a class guesses: these many before the step."""


def show_table(here: Here) -> None:
    """The card with the merge table."""
    with st.container(border=True, height="stretch", key="merges"):
        ranks = _ranks(here)
        st.text_input(
            "Find a token in the merge table",
            placeholder="Find a token by its text or its bytes in hex",
            label_visibility="collapsed",
            icon=":material/search:",
            max_chars=100,
            **state.MERGE_SEARCH.widget(),
        )
        if not ranks:
            heading("Merge table")
            note("No merge makes such a token." if state.MERGE_SEARCH.get() else "No merge yet.")
            return
        token_table(
            cache.merge_table(here.source, here.config, ranks, here.forks),
            key="merge table",
            current=ranks.index(here.step - 1) if here.step - 1 in ranks else None,
            moving=True,
            height=_HEIGHT,
            label="Merges",
            words=Words("Merge table", "click a row to go there"),
            on_pick=lambda row: jump_to(ranks[row] + 1),
        )


def _ranks(here: Here) -> range | tuple[int, ...]:
    """The ranks of the merges that are shown: those whose token holds the searched text, or bytes in hex."""
    known = range(here.last)
    if state.PREDICTING.get():
        known = range(max(0, here.step - _KNOWN), here.step)
    search = state.MERGE_SEARCH.get()
    if not search:
        return known
    wanted = [search.encode("utf-8", "replace")]
    with contextlib.suppress(ValueError):
        wanted.append(bytes.fromhex(search))
    tokens = ((rank, here.tokenizer.token_bytes(here.training.merges[rank].token_id)) for rank in known)
    return tuple(rank for rank, token in tokens if any(part in token for part in wanted))
