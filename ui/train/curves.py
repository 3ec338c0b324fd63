"""The curves: tokens and compression of the training text over the steps; a click goes to a step."""

from __future__ import annotations

import streamlit as st

from ui import cache, charts, state
from ui.layout import heading
from ui.train.clicks import clickable
from ui.train.here import Here
from ui.train.lines import Line, neighbourhood
from ui.train.player import go_to


def show_curves(here: Here) -> None:
    """The card with both curves."""
    with st.container(border=True, key="curves"):
        rest = "click to go there" + (" · dashed: the training by the rule" if here.forks else "")
        heading("Over the merges", rest)
        until = here.step if state.PREDICTING.get() else None
        near = neighbourhood(here.step, here.last)
        drawn = cache.curves(here.source, here.config, here.forks, near, until)
        unit = here.symbols
        captions = (
            "Tokens: every merge saves some, later ones fewer.",
            f"{unit.capitalize()} per token: what a larger vocabulary buys.",
        )
        values = (here.training.token_count(here.step), here.training.compression(here.step))
        titles = ("Tokens of the training text over the merges", f"{unit.capitalize()} per token over the merges")
        keys = ("token curve", "compression curve")
        for column, key, caption, title, (line, figure), value in zip(
            st.columns(2), keys, captions, titles, drawn, values, strict=True
        ):
            with column:
                st.caption(caption)
                st.markdown(f"**Merge {here.step:,}: {value:,.{line.digits}f} {line.unit}**")
                with st.container(key=f"{key} box"):
                    clickable(
                        figure,
                        key=key,
                        alt=title,
                        within=range((here.last if until is None else until) + 1),
                        on_pick=go_to,
                    )
                    _mark(f"{key} box", line, here.step, value)


def _mark(box: str, line: Line, step: int, value: float) -> None:
    """A dot on the curve, drawn over the chart: a chart that changes is built anew, one that stays costs nothing."""
    left, top = charts.curve_place(line, step, value)
    name = box.replace(" ", "-")
    from_top, from_bottom = charts.CURVE_MARGIN["t"], charts.CURVE_MARGIN["b"]
    st.html(
        f"<style>.st-key-{name} {{ position: relative }} "
        f".st-key-{name} text {{ font-variant-numeric: tabular-nums }} "
        f".st-key-{name}::before, .st-key-{name}::after {{ content: ''; position: absolute; z-index: 1;"
        f" pointer-events: none; left: {left} }} "
        f".st-key-{name}::before {{ top: {from_top}px; height: {charts.CURVE_HEIGHT - from_top - from_bottom}px;"
        f" border-left: 1.5px dotted {charts.REST}; margin-left: -0.75px }} "
        f".st-key-{name}::after {{ top: {top}; width: 12px; height: 12px; margin: -6px; border-radius: 50%;"
        f" background: {charts.ACCENT} }}</style>"
    )
