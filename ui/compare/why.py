"""Why two tokenizers differ: one disagreement after the other, with its cause and the evidence, and all as a list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from bpe_core import Comparison, Disagreement
from bpe_core.cuts import Stretch
from bpe_core.evidence import Piece
from ui import cache, state
from ui.compare.chosen import Chosen
from ui.compare.listing import GLOSSES, MOST_LISTED, PAGE, TITLES, causes, nearest, of_cause
from ui.display import chip, title_of
from ui.layout import heading
from ui.messages import note
from ui.reason_view import Side, reason_view
from ui.state import ALL_CAUSES
from ui.token_view import Chip, token_table

MOST_TOKENS = 24
"""Tokens drawn of either side of a disagreement; the rest are counted."""


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
    starts, ends = chosen.comparison().differing(*(title_of(name) for name in pair))
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
            _step_buttons(found, at)
        if total:
            _choose_cause(chosen, pair, total)
        agreed = state.COMPARE_AGREED.get()
        if agreed:
            state.COMPARE_AGREED.set("")
            note(agreed)
        if total == MOST_LISTED:
            every = len(chosen.comparison().differing(*(title_of(name) for name in pair))[0])
            st.caption(f"They differ {every:,} times; the first {total:,} are listed.")
        if found:
            _show_reason(chosen.comparison(), pair, found[at])
            _show_list(chosen, pair, at)
        elif total:
            note("None of this cause.")
        else:
            note("They cut this text alike.")


def _choose_pair(chosen: Chosen, pair: tuple[str, str]) -> None:
    left, right = pair
    state.COMPARE_LEFT.set(left)
    state.COMPARE_RIGHT.set(right)
    _one_of("One tokenizer", chosen.names, state.COMPARE_LEFT)
    st.text("against", width="content")
    _one_of("The other tokenizer", [name for name in chosen.names if name != left], state.COMPARE_RIGHT)


def _one_of(label: str, names: Sequence[str], item: state.Item[str]) -> None:
    st.selectbox(label, names, format_func=title_of, label_visibility="collapsed", width=118, **item.widget())


def _step_buttons(found: Sequence[Disagreement], at: int) -> None:
    last = len(found) - 1
    st.button(
        "Previous",
        on_click=_go_to,
        args=(found[at - 1].start if at > 0 else 0,),
        disabled=at <= 0,
        icon=":material/chevron_left:",
        shortcut="p",
    )
    st.button(
        "Next",
        on_click=_go_to,
        args=(found[at + 1].start if at < last else 0,),
        disabled=at >= last,
        icon=":material/chevron_right:",
        type="primary",
        shortcut="n",
    )


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
        TITLES[reason.cause],
        GLOSSES[reason.cause],
        [_side(comparison, left, reason.left), _side(comparison, right, reason.right)],
        [part if isinstance(part, str) else _drawn(comparison, part, reason.left) for part in reason.sentence],
        key="reason",
    )


def _side(comparison: Comparison, name: str, stretch: Stretch) -> Side:
    """The tokens of a stretch with what the split drops between them, and the places of its cuts."""
    tokenizer = comparison.tokenizer(name)
    places: list[tuple[int, Chip | bytes]] = [
        (stretch.starts[at], chip(tokenizer, token_id, stretch.around(at)))
        for at, token_id in enumerate(stretch.ids[:MOST_TOKENS])
    ]
    places += [(start, stretch.original[start:end]) for start, end in stretch.gaps[:MOST_TOKENS]]
    places.sort(key=lambda place: place[0])
    cuts = {at for at, (start, _) in enumerate(places) if start in stretch.cuts}
    return Side(name, [piece for _, piece in places], frozenset(cuts), max(0, len(stretch.ids) - MOST_TOKENS))


def _drawn(comparison: Comparison, piece: Piece, stretch: Stretch) -> Chip | bytes:
    """A piece of a sentence: a token with its id, or a bit of text."""
    if piece.tokenizer is None or piece.id is None:
        return piece.data
    return chip(comparison.tokenizer(piece.tokenizer), piece.id, stretch.head + stretch.original + stretch.tail)


def _show_list(chosen: Chosen, pair: tuple[str, str], at: int) -> None:
    page, row = divmod(at, PAGE)
    cause = state.COMPARE_CAUSE.get()
    found = of_cause(chosen.disagreements(pair), cause)
    token_table(
        cache.disagreement_table(*pair, cause, page, *chosen),
        key="disagreements",
        current=row,
        moving=True,
        height=300,
        label="Disagreements",
        on_pick=lambda picked: _go_to(found[page * PAGE + picked].start),
    )
