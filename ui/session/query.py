"""The query of the address that this run came with."""

from __future__ import annotations

import streamlit as st

VIA_PARAM = "via"
"""Says which lesson's button led here."""

LESSON_PARAM = "lesson"


def params() -> dict[str, list[str]]:
    """Every parameter with its values, in their order."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def via(name: str) -> dict[str, list[str]]:
    """The parameter that says which lesson a link belongs to."""
    return {VIA_PARAM: [name]}


def lesson_params(name: str) -> dict[str, str]:
    """The parameters of a lesson's own page."""
    return {LESSON_PARAM: name}
