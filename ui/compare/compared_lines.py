"""The compared text line by line under every tokenizer; a click on a token shows why the tokenizers differ there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from bpe_core import BpeError, Disagreement
from bpe_core.arrays import sorted_place
from bpe_core.comparison.word_boundaries import word_agreement
from bpe_core.language import _, n_, translate
from bpe_core.tokenizer.lanes import lane, words_lane
from ui.compare.chosen import Chosen
from ui.compare.listing import nearest, of_cause
from ui.session import compare as state
from ui.session.compare import ALL_CAUSES
from ui.session.word_sources import ON_COMPARE
from ui.views.interlinear import interlinear_frame, interlinear_view
from ui.widgets.dictionary_words import caption, found_words, show_agreements, show_source
from ui.widgets.display import title_of
from ui.widgets.layout import heading

_LINES = "lines view"
NOTE = "reason below the line"
"""Name of the note with the reason why the tokenizers differ at the marked bytes."""


def show_lines(chosen: Chosen, current: tuple[int, int] | None) -> None:
    """Draw the lines, with the bytes of the current disagreement marked."""
    comparison = chosen.comparison()
    with st.container(border=True, key="lines"):
        heading(
            _("The same lines, in the tokens of each"), _("click a token to ask why") if len(chosen.names) > 1 else ""
        )
        surrogates = comparison.encoding(title_of(chosen.names[0])).normalized.surrogates
        if surrogates:
            st.caption(
                n_(
                    "{count:,} lone surrogate was replaced by U+FFFD: UTF-8 cannot encode half of a pair.",
                    "{count:,} lone surrogates were replaced by U+FFFD: UTF-8 cannot encode half of a pair.",
                    surrogates,
                )
            )
        source = ON_COMPARE.get()
        words = None if source == "off" else found_words(comparison.text, source, key="words of lines")
        for name in chosen.names:
            if warning := comparison.tokenizer(title_of(name)).kept.get("dictionary"):
                st.caption(f"{translate(title_of(name))}: {translate(warning)}")
        look = _look(chosen, current)
        if words is not None:
            look["lanes"].append(words_lane(_("Dictionary words"), words))
        interlinear_view(**look, on_pick=lambda row, token: _ask_why(chosen, row, token), is_renewed=True)
        show_source(ON_COMPARE)
        if source != "off":
            st.caption(caption(comparison.text, source))
        if words is not None:
            titles = [title_of(name) for name in chosen.names]
            show_agreements({translate(title): word_agreement(comparison.boundaries(title), words) for title in titles})


def typed_lines(chosen: Chosen, current: tuple[int, int] | None) -> dict[str, bytes]:
    """Frame of these lines for a relay, by the key of their view."""
    return {_LINES: interlinear_frame(**_look(chosen, current))}


def _look(chosen: Chosen, current: tuple[int, int] | None) -> dict[str, Any]:
    comparison = chosen.comparison()
    lanes = [
        lane(translate(title_of(name)), comparison.encoding(title_of(name)), comparison.offsets(title_of(name)))
        for name in chosen.names
    ]
    return {
        "text": comparison.text,
        "lanes": lanes,
        "key": _LINES,
        "highlight": current,
        "height": 420 if len(chosen.names) <= 4 else 560,
        "note": NOTE if len(chosen.names) > 1 else None,
    }


def _ask_why(chosen: Chosen, row: int, token: int) -> None:
    """Go to the disagreement at the clicked token; show a note if there is none. Ignore clicks on the row of words."""
    if row >= len(chosen.names):
        return
    clicked, pair = chosen.names[row], chosen.pair()
    if pair is None:
        return
    if clicked not in pair:
        pair = (pair[0], clicked)
        state.RIGHT.set(clicked)
    starts, ends = chosen.comparison().offsets(title_of(clicked))
    go_to(chosen, pair, int(starts[token]), int(ends[token]))


def go_to(chosen: Chosen, pair: tuple[str, str], start: int, end: int) -> None:
    """Show the first disagreement of two tokenizers in these bytes; show a note if there is none."""
    if not _differ_at(chosen, pair, start, end):
        state.AGREED.set(state.Agreed((start, end), chosen.text.digest, pair, state.AT.get()))
        return
    state.AT.set(start)
    try:
        found = of_cause(chosen.disagreements(pair), state.CAUSE.get())
    except BpeError:  # the page reports it
        found = []
    if not _holds(found, start, end):
        state.CAUSE.set(ALL_CAUSES)


def _differ_at(chosen: Chosen, pair: tuple[str, str], start: int, end: int) -> bool:
    starts, ends = chosen.comparison().disagreement_ranges(*(title_of(name) for name in pair))
    at = sorted_place(ends, start, "right")
    return at < len(starts) and int(starts[at]) < max(end, start + 1)


def _holds(found: Sequence[Disagreement], start: int, end: int) -> bool:
    return bool(found) and (each := found[nearest(found, start)]).start < max(end, start + 1) and each.end > start
