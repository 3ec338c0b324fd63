"""Layout elements used on every page."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.session import training


def heading(title: str, rest: str = "") -> None:
    """Draw a card's title with a caption beside it. Neither may contain user text, since both are markdown."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown(f"## {title}", width="content")
        if rest:
            st.caption(rest, width="content")


def side_by_side(left: int, right: int, *, key: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns in these proportions; stacked in windows narrower than 960 pixels, or wide ones at 200 % zoom."""
    with st.container(key=key):
        st.html(
            "<style>@media (max-width: 960px) { "
            f".st-key-{key} > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] > [data-testid=stColumn]"
            " { min-width: 100% } }</style>"
        )
        first, second = st.columns([left, right])
    return first, second


def popover_key(name: str) -> str:
    """Key of a popover; it changes, which closes the popover, after each training and each reported problem.

    So a popover closes once its training is done, and does not cover the reason for a failure.
    """
    return f"{name} {training.TRAININGS.get()}.{training.PROBLEMS.get()}"
