"""Merge table: searchable; clicking a row goes to its step. In predict mode it omits later merges."""

from __future__ import annotations

import contextlib

import numpy as np
import streamlit as st

from bpe_core.bpe.merge_rows import merges_options
from bpe_core.language import _
from bpe_core.payloads.tables import current_row, current_row_frame
from bpe_core.tokenizer.token_ranges import tokens_holding
from ui.session import training as state
from ui.train import cache
from ui.train.step import Step
from ui.views.token_table import token_table_view
from ui.widgets.layout import heading
from ui.widgets.messages import note

_VIEW = "merge table"
_KNOWN = 100
"""Maximum number of merges shown in predict mode, up to the current step."""


def show_table(step: Step) -> None:
    """Draw the card with the merge table."""
    with st.container(border=True, height="stretch", key="merges"):
        ranks = _ranks(step)
        st.text_input(
            _("Find a token in the merge table"),
            placeholder=_("Find a token by text or hex bytes"),
            label_visibility="collapsed",
            icon=":material/search:",
            max_chars=100,
            **state.MERGE_SEARCH.widget(),
        )
        if not ranks:
            heading(_("Merge table"))
            note(_("No merge makes such a token.") if state.MERGE_SEARCH.get() else _("No merge yet."))
            return
        token_table_view(
            cache.merge_table(step.source, step.config, ranks, step.forks),
            key=_VIEW,
            moving="by a relay",
            **merges_options(step.name_of_training),
        )


def current_merge_frames(step: Step) -> dict[str, bytes]:
    """Frame of the table row of this step's merge."""
    ranks = _ranks(step)
    if not ranks:
        return {}
    table = cache.merge_table(step.source, step.config, ranks, step.forks)
    current = ranks.index(step.number - 1) if step.number - 1 in ranks else None
    return {current_row(_VIEW): current_row_frame(table, key=_VIEW, current=current)}


def _ranks(step: Step) -> range | tuple[int, ...]:
    """Ranks of the shown merges: those whose token contains the search text, or its hex bytes."""
    known = range(step.last)
    if state.PREDICTING.get():
        known = range(max(0, step.number - _KNOWN), step.number)
    search = state.MERGE_SEARCH.get()
    if not search:
        return known
    wanted = [search.encode("utf-8", "replace")]
    with contextlib.suppress(ValueError):
        wanted.append(bytes.fromhex(search))
    tokens = step.tokenizer.model.tokens
    found = np.any([tokens_holding(tokens, part) for part in wanted], axis=0)[-len(step.training.merges) :]
    return tuple(rank for rank in known if found[rank])
