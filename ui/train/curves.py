"""The curves: tokens and compression of the training text over the steps; a click goes to a step."""

from __future__ import annotations

import streamlit as st

from ui import cache, charts, state
from ui.layout import heading
from ui.train.clicks import clickable
from ui.train.here import Here
from ui.train.player import go_to
from ui.train.views import curve_mark


def show_curves(here: Here) -> None:
    """The card with both curves."""
    with st.container(border=True, key="curves"):
        rest = "click to go there" + (" · dashed: the training by the rule" if here.forks else "")
        heading("Over the merges", rest)
        until = here.step if state.PREDICTING.get() else None
        drawn = cache.curves(here.source, here.config, here.forks, until)
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
                curve_mark(
                    caption,
                    f"Merge {here.step:,}: {value:,.{line.digits}f} {line.unit}",
                    charts.curve_place(line, here.step, value),
                    charts.curve_plot(),
                    key=f"{key} mark",
                )
                clickable(
                    figure,
                    key=key,
                    alt=title,
                    within=range((here.last if until is None else until) + 1),
                    on_pick=go_to,
                )
