"""Why two tokenizers differ: one disagreement after the other, with its cause and the evidence, and all as a list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from bpe_core import Comparison, Disagreement
from bpe_core.comparison.boundaries import Region
from bpe_core.comparison.evidence import Piece
from bpe_core.comparison.tables import disagreement_table
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.listing import CAUSE_GLOSSES, CAUSE_TITLES, MOST_LISTED, ROWS_PER_PAGE, causes, nearest, of_cause
from ui.components.pager import pager
from ui.components.reason import RegionTokens, reason_view
from ui.components.token_table import token_table
from ui.components.tokens import Chip
from ui.session import state
from ui.session.state import ALL_CAUSES
from ui.shared.display import chip, title_of
from ui.shared.downloads import download_popover
from ui.shared.layout import heading
from ui.shared.messages import note

MOST_TOKENS = 24
"""Tokens drawn for each side of a disagreement; the rest are counted."""


def shown_disagreements(chosen: Chosen) -> tuple[Sequence[Disagreement], int]:
    """The disagreements of the chosen pair and cause, and the index of the current one."""
    pair = chosen.pair()
    found = of_cause(chosen.disagreements(pair), state.COMPARE_CAUSE.get()) if pair else []
    return found, nearest(found, state.COMPARE_AT.get())


def shown_place(chosen: Chosen) -> tuple[int, int] | None:
    """The first and last byte of the current disagreement, of any cause without waiting for the explanations."""
    pair = chosen.pair()
    if pair is None:
        return None
    if state.COMPARE_CAUSE.get() != ALL_CAUSES:
        found, at = shown_disagreements(chosen)
        return (found[at].start, found[at].end) if found else None
    starts, ends = chosen.comparison().disagreement_ranges(*(title_of(name) for name in pair))
    if not len(starts):
        return None
    at = min(int(np.searchsorted(ends, state.COMPARE_AT.get(), side="right")), len(starts) - 1, MOST_LISTED - 1)
    return int(starts[at]), int(ends[at])


def show_why(chosen: Chosen, pair: tuple[str, str], found: Sequence[Disagreement], at: int) -> None:
    """The card: the pair, the way from one disagreement to the next, the current one explained, and the list."""
    with st.container(border=True, key="why"):
        total = len(chosen.disagreements(pair))
        heading("Why they differ", f"{at + 1:,} of {len(found):,}" if found else "")
        with st.container(horizontal=True, vertical_alignment="center", key="why controls"):
            _choose_pair(chosen, pair)
            st.space("stretch")
            pager(
                at,
                len(found),
                key="disagreement pager",
                what="Disagreements",
                back=("p",),
                forward=("n",),
                on_go=lambda to: _go_to(found[to].start),
            )
        if total:
            _choose_cause(chosen, pair, total)
        agreed = state.COMPARE_AGREED.get()
        if agreed:
            state.COMPARE_AGREED.set("")
            note(agreed)
        if total == MOST_LISTED:
            every = len(chosen.comparison().disagreement_ranges(*(title_of(name) for name in pair))[0])
            st.caption(f"They differ {every:,} times; the first {total:,} are listed.")
        if found:
            _show_reason(chosen.comparison(), pair, found[at])
            _show_list(chosen, pair, at)
        elif total:
            note("None of this cause.")
        else:
            note("They segment this text alike.")
        _downloads(chosen, pair)


def _downloads(chosen: Chosen, pair: tuple[str, str]) -> None:
    # A click is answered outside of the page's run: everything that the table needs is computed before.
    comparison, found = chosen.comparison(), chosen.disagreements(pair)
    left, right = (comparison.tokenizer(title_of(name)) for name in pair)
    download_popover(
        lambda: disagreement_table(comparison.text, left, right, found),
        "disagreements",
        key="disagreements",
        about="One row per disagreement, of every cause: offsets, the tokens of both, the explanation.",
        disabled=not found,
    )


def _choose_pair(chosen: Chosen, pair: tuple[str, str]) -> None:
    left, right = pair
    state.COMPARE_LEFT.set(left)
    state.COMPARE_RIGHT.set(right)
    _one_of("One tokenizer", chosen.names, state.COMPARE_LEFT)
    st.text("against", width="content")
    _one_of("The other tokenizer", [name for name in chosen.names if name != left], state.COMPARE_RIGHT)


def _one_of(label: str, names: Sequence[str], item: state.Item[str]) -> None:
    st.selectbox(label, names, format_func=title_of, label_visibility="collapsed", width=118, **item.widget())


def _go_to(byte: int) -> None:
    state.COMPARE_AT.set(byte)


def _choose_cause(chosen: Chosen, pair: tuple[str, str], total: int) -> None:
    counts = {ALL_CAUSES: total, **causes(chosen.disagreements(pair))}
    counts.setdefault(state.COMPARE_CAUSE.get(), 0)
    st.pills(
        "Causes",
        list(counts),
        format_func=lambda cause: f"{cause.capitalize()} {counts[cause]:,}",
        required=True,
        label_visibility="collapsed",
        **state.COMPARE_CAUSE.widget(),
    )


def _show_reason(comparison: Comparison, pair: tuple[str, str], current: Disagreement) -> None:
    left, right = (title_of(name) for name in pair)
    reason = comparison.reason(left, right, current.start, current.end)
    reason_view(
        CAUSE_TITLES[reason.cause],
        CAUSE_GLOSSES[reason.cause],
        [_side(comparison, left, reason.left), _side(comparison, right, reason.right)],
        [part if isinstance(part, str) else _drawn(comparison, part, reason.left) for part in reason.sentence],
        key="reason",
    )


def _side(comparison: Comparison, name: str, region: Region) -> RegionTokens:
    """The tokens of a region with what the split drops between them, and where the split cuts."""
    tokenizer = comparison.tokenizer(name)
    places: list[tuple[int, Chip | bytes]] = [
        (region.starts[at], chip(tokenizer, token_id, region.around(at)))
        for at, token_id in enumerate(region.ids[:MOST_TOKENS])
    ]
    places += [(start, region.original[start:end]) for start, end in region.dropped[:MOST_TOKENS]]
    places.sort(key=lambda place: place[0])
    boundaries = {at for at, (start, _) in enumerate(places) if start in region.split_boundaries}
    return RegionTokens(
        name, [piece for _, piece in places], frozenset(boundaries), max(0, len(region.ids) - MOST_TOKENS)
    )


def _drawn(comparison: Comparison, piece: Piece, region: Region) -> Chip | bytes:
    """A piece of a sentence: a token with its id, or a bit of text."""
    if piece.tokenizer is None or piece.id is None:
        return piece.data
    return chip(comparison.tokenizer(piece.tokenizer), piece.id, region.head + region.original + region.tail)


def _show_list(chosen: Chosen, pair: tuple[str, str], at: int) -> None:
    page, row = divmod(at, ROWS_PER_PAGE)
    cause = state.COMPARE_CAUSE.get()
    found = of_cause(chosen.disagreements(pair), cause)
    token_table(
        cache.disagreement_table(*pair, cause, page, *chosen),
        key="disagreements",
        current=row,
        moving=True,
        height=300,
        label="Disagreements",
        on_pick=lambda picked: _go_to(found[page * ROWS_PER_PAGE + picked].start),
    )
