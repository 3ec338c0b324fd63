"""Lets a part of the page follow the player: it runs again when the player has drawn another step and the app rests.

What stands in sight is then drawn first, and what stands below it a moment later.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_FOLLOWER = st.components.v2.component(
    "bpe_lab_follower", html="<i hidden></i>", js=(_HERE / "follower.js").read_text("utf-8")
)


def _run_again() -> None:
    """A callback is what makes Streamlit run the fragment; where the player is, the session knows."""


def follow(step: int, *, key: str) -> None:
    """In a fragment that shows this step: run it again when the player is at another one."""
    _FOLLOWER(key=key, data={"step": step}, on_follow_change=_run_again)
