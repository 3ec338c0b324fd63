"""One player for all: every button moves each algorithm by one of its own steps."""

from __future__ import annotations

import streamlit as st

from ui import state


def player(last: int) -> None:
    """Draw the player for the steps 0 … `last`. The arrow keys are heard by the cards."""
    step = min(state.FAMILY_STEP.get(), last)
    state.FAMILY_STEP.set(step)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="family player"):
        for label, icon, target, off, key in (
            ("First", "first_page", -last, step == 0, "Home key"),
            ("Back", "chevron_left", -1, step == 0, "← key"),
            ("Next", "chevron_right", 1, step == last, "→ key"),
            ("Last", "last_page", last, step == last, "End key"),
        ):
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"family {label}",
                on_click=_by,
                args=(target, last),
                disabled=off,
                help=key,
                type="primary" if label == "Next" else "secondary",
            )
        if last:
            st.slider("Steps of each", 0, last, label_visibility="collapsed", **state.FAMILY_STEP.widget())
        st.text(f"step {step:,} of each, {last:,} at most", width="content")


def go_to(step: int) -> None:
    """Show another step; for callbacks."""
    state.FAMILY_STEP.set(step)


def _by(steps: int, last: int) -> None:
    """From where the step is when the click arrives: a second click may come before the first one is drawn."""
    go_to(max(0, min(last, state.FAMILY_STEP.get() + steps)))
