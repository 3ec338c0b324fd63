"""Small pieces of layout that every page uses."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.session import state


def heading(title: str, rest: str = "") -> None:
    """A card's title, and beside it a quiet line. Both are ours: no user text goes in here."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown(f"## {title}", width="content")
        if rest:
            st.caption(rest, width="content")


def side_by_side(left: int, right: int, *, key: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns of these shares; one below the other in a window under 960 pixels, or a wide one at 200 %."""
    with st.container(key=key):
        st.html(
            "<style>@media (max-width: 960px) { "
            f".st-key-{key} > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] > [data-testid=stColumn]"
            " { min-width: 100% } }</style>"
        )
        first, second = st.columns([left, right])
    return first, second


def popover_key(name: str) -> str:
    """A popover's key, another one after every training and every problem that the page tells.

    What asked for a training closes when it is done, and what was refused no longer covers the reason.
    """
    return f"{name} {state.TRAININGS.get()}.{state.PROBLEMS.get()}"
