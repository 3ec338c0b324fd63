"""The text in tokens, as a flow or in three aligned lanes, and which of them is chosen."""

from __future__ import annotations

import numpy as np
import streamlit as st

from bpe_core import Encoding
from ui import state
from ui.display import counted, spans
from ui.encode.subject import Subject, mode
from ui.lanes_view import lanes_view
from ui.messages import note
from ui.token_view import TokenSpans, token_view

LANES_WINDOW = 240
"""Tokens that are drawn in lanes at once."""

_VIEWS = {"tokens": "Tokens", "lanes": "Characters, bytes, tokens"}
_TALL = 380
"""Pixels; a long text scrolls inside of them."""


def show_tokens(subject: Subject, encoding: Encoding) -> int | None:
    """The card with the counts and the drawn text; the number of the chosen token."""
    chosen = _chosen(encoding)
    with st.container(border=True, key="tokens"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{counts(encoding)}**", width="content")
            st.caption(f"{subject.title} · {mode()}", width="content")
            st.space("stretch")
            st.segmented_control(
                "Show the text as",
                list(_VIEWS),
                format_func=_VIEWS.__getitem__,
                required=True,
                label_visibility="collapsed",
                **state.ENCODE_VIEW.widget(),
            )
        _tell_changes(encoding)
        if state.ENCODE_VIEW.get() == "lanes":
            _lanes(encoding, chosen)
        else:
            _flow(encoding, chosen)
    return chosen


def counts(encoding: Encoding) -> str:
    """The three sizes of a text.

    >>> from bpe_core import load_pretrained
    >>> counts(load_pretrained("gpt2").encode("Hello こ"))
    '3 tokens · 7 characters · 9 bytes'
    """
    size = len(encoding.text.encode())
    sizes = ((len(encoding), "token"), (len(encoding.text), "character"), (size, "byte"))
    return " · ".join(counted(count, unit) for count, unit in sizes)


def _tell_changes(encoding: Encoding) -> None:
    """What was done to the text before it was split."""
    normalized = encoding.normalized
    if normalized.surrogates:
        many = (
            "A lone surrogate was" if normalized.surrogates == 1 else f"{normalized.surrogates:,} lone surrogates were"
        )
        note(f"{many} replaced by U+FFFD: half of a character has no bytes in UTF-8.")
    if normalized.text != normalized.original:
        note("This tokenizer normalizes the text first: what is shown and counted is the normalized text.")


def _flow(encoding: Encoding, chosen: int | None) -> None:
    long = len(encoding) > 500 or encoding.text.count("\n", 0, 100_000) > 12
    token_view(
        spans(encoding),
        key="encode view",
        height=_TALL if long else None,
        selected=chosen,
        label="The text in tokens",
        on_select=choose,
    )


def _lanes(encoding: Encoding, chosen: int | None) -> None:
    total = len(encoding)
    first = min(state.ENCODE_LANES_AT.get(), max(total - 1, 0))
    window: TokenSpans = spans(encoding, first=first, count=LANES_WINDOW)
    lanes_view(
        window,
        key="encode lanes",
        selected=chosen,
        height=520,
        label="The text in characters, bytes and tokens",
        on_select=choose,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("A column is a byte. Orange: a character that is split over tokens.", width="content")
        if total > LANES_WINDOW:
            st.space("stretch")
            st.text(f"Tokens {first + 1:,} to {first + len(window.ids):,} of {total:,}", width="content")
            _window_button("Earlier", ":material/chevron_left:", first - LANES_WINDOW, first > 0)
            _window_button("Later", ":material/chevron_right:", first + LANES_WINDOW, window.rest > 0)


def _window_button(label: str, icon: str, first: int, possible: bool) -> None:
    st.button(label, icon=icon, on_click=state.ENCODE_LANES_AT.set, args=(max(first, 0),), disabled=not possible)


# -- the chosen token ----------------------------------------------------------------------------------------


def choose(index: int | None) -> None:
    """Open a token's card, or take the choice back; for callbacks."""
    state.ENCODE_CHOSEN.set(index)
    state.ENCODE_CHOSEN_AT.set(None)


def forget_choice() -> None:
    """Another text: no token of it is chosen yet, and the lanes begin at its start."""
    choose(None)
    state.ENCODE_LANES_AT.set(0)


def _chosen(encoding: Encoding) -> int | None:
    """The number of the chosen token. Under another tokenizer, the token that stands at the same byte."""
    index = state.ENCODE_CHOSEN.get()
    if index is None or not len(encoding):
        return None
    known, byte = state.ENCODE_CHOSEN_AT.get() or (None, 0)
    if index == known and (index >= len(encoding) or int(encoding.starts[index]) != byte):
        index = int(np.searchsorted(encoding.starts, byte, side="right")) - 1
    index = max(0, min(index, len(encoding) - 1))
    state.ENCODE_CHOSEN.set(index)
    # The byte that was chosen stays, also where a longer token covers it, for the tokenizer after this one.
    covered = known is not None and encoding.starts[index] <= byte < encoding.ends[index]
    state.ENCODE_CHOSEN_AT.set((index, byte if covered else int(encoding.starts[index])))
    return index
