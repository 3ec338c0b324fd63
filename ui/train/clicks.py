"""A plotly chart in which a click chooses a point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from ui import state


def clickable(figure: go.Figure, *, key: str, alt: str, within: range, on_pick: Callable[[int], None] | None) -> None:
    """Draw a chart; on_pick: called with the x of the point clicked at, where it is a whole number `within`.

    None: a chart to look at, which is no widget. One that changes many times a second should be none: to Streamlit
    every change of a figure is a new widget, and a rerun of the page may stumble over one that is just being added.

    Every click gives the chart another key: a chart that knew its selection would take a second click on the same
    point as giving it up.
    """
    key = f"{key} {state.CHART_CLICKS.get()}"

    def picked() -> None:
        x = clicked_x(st.session_state.get(key))
        state.CHART_CLICKS.set(state.CHART_CLICKS.get() + 1)
        if on_pick and x is not None and x in within:
            on_pick(x)

    st.plotly_chart(
        figure,
        key=key,
        on_select=picked if on_pick else "ignore",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=alt,
    )


def clicked_x(selected: Any) -> int | None:
    """The x of the first selected point, None for whatever else the browser sent."""
    try:
        x = selected["selection"]["points"][0]["x"]
    except (KeyError, IndexError, TypeError):
        return None
    return x if isinstance(x, int) and not isinstance(x, bool) else None
