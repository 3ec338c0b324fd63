"""The player: first, back, next, last, play with a speed, a slider, a field to jump to, and the arrow keys."""

from __future__ import annotations

import streamlit as st

from ui import state
from ui.train.views import keys


def player(last: int) -> int:
    """Draw the player; returns the step that is shown, 0 … last."""
    step = min(state.STEP.get(), last)
    state.STEP.set(step)
    playing = state.PLAYING.get() and step < last
    state.PLAYING.set(playing)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="player"):
        _buttons(step, last, playing)
        st.slider("Merges applied", 0, last, label_visibility="collapsed", on_change=_stop, **state.STEP.widget())
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            state.JUMP.set(step)
            st.number_input(
                "Go to merge", 0, last, key=state.JUMP.key, on_change=_jump, label_visibility="collapsed", width=118
            )
            st.text(f"of {last:,}", width="content")
        st.toggle(
            "Predict",
            help="Hides the next merge everywhere: the class guesses it, then you reveal it.",
            on_change=_stop,
            **state.PREDICTING.widget(),
        )
        keys(step, last, key="player keys", pause=1 / state.SPEED.get() if playing else None, on_move=_move)
    return step


def go_to(step: int) -> None:
    """Show another step, and stop playing; for callbacks."""
    state.PLAYING.set(False)
    state.STEP.set(step)


def _buttons(step: int, last: int, playing: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
        st.button("First", icon=":material/first_page:", on_click=go_to, args=(0,), disabled=step == 0, help="Home key")
        st.button(
            "Back", icon=":material/chevron_left:", on_click=_by, args=(-1, last), disabled=step == 0, help="← key"
        )
        st.button(
            "Next",
            icon=":material/chevron_right:",
            on_click=_by,
            args=(1, last),
            disabled=step == last,
            type="primary",
            help="→ key",
        )
        st.button(
            "Last", icon=":material/last_page:", on_click=go_to, args=(last,), disabled=step == last, help="End key"
        )
        st.button(
            "Pause" if playing else "Play",
            key="play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            on_click=_play_or_pause,
            args=(last,),
            disabled=last == 0 or state.PREDICTING.get(),
        )
        st.selectbox(
            "Speed",
            state.SPEEDS,
            format_func=lambda speed: f"{speed:g} / s",
            label_visibility="collapsed",
            width=100,
            **state.SPEED.widget(),
        )


def _by(steps: int, last: int) -> None:
    """From where the step is when the click arrives: a second click may come before the first one is drawn."""
    go_to(max(0, min(last, state.STEP.get() + steps)))


def _play_or_pause(last: int) -> None:
    """Play goes on from here, or starts over at the end."""
    playing = not state.PLAYING.get()
    if playing and state.STEP.get() >= last:
        state.STEP.set(0)
    state.PLAYING.set(playing)


def _stop() -> None:
    state.PLAYING.set(False)


def _jump() -> None:
    go_to(state.JUMP.get())


def _move(target: int, by_clock: bool) -> None:
    if not by_clock:
        go_to(target)
    elif state.PLAYING.get():
        state.STEP.set(target)
