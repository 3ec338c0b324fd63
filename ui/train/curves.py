"""The curves: tokens and compression of the training text over the steps; a click goes to a step.

They are a fragment of their own, since a step changes only the marks on them. `mark_step` belongs to a fragment
that a step does run, and moves the marks; what changes the curves themselves runs the whole page.
"""

from __future__ import annotations

import streamlit as st

from ui import cache, charts, state
from ui.layout import heading
from ui.train.clicks import clickable
from ui.train.here import Here, here_now
from ui.train.player import jump_to, rerun_after_jump
from ui.train.views import Mark, curve_words, mark_curves

_NAMES = ("token curve", "compression curve")


def curves_fit(here: Here) -> bool:
    """Whether the curves on the page are those of the training, and tell as much as may be told."""
    return state.CURVES_DRAWN.get() in (None, _drawn(here))


@st.fragment
def show_curves() -> None:
    """The card with both curves."""
    rerun_after_jump()
    here = here_now()
    state.CURVES_DRAWN.set(_drawn(here))
    if not here.last:
        return
    with st.container(border=True, key="curves"):
        heading("Over the merges", "click to go there" + (" · dashed: the training by the rule" if here.forks else ""))
        unit = here.symbols.capitalize()
        captions = (
            "Tokens: every merge saves some, later ones fewer.",
            f"{unit} per token: what a larger vocabulary buys.",
        )
        titles = ("Tokens of the training text over the merges", f"{unit} per token over the merges")
        until = _until(here)
        for column, name, caption, title, (_, figure) in zip(
            st.columns(2), _NAMES, captions, titles, _curves(here), strict=True
        ):
            with column:
                curve_words(caption, charts.curve_plot(), key=name)
                clickable(
                    figure,
                    key=f"{name} chart",
                    alt=title,
                    within=range((here.last if until is None else until) + 1),
                    on_pick=jump_to,
                )


def mark_step(here: Here) -> None:
    """Mark the step on both curves. In the fragment of the steps."""
    values = (here.training.token_count(here.step), here.training.compression(here.step))
    mark_curves(
        [
            Mark(
                name,
                f"Merge {here.step:,}: {value:,.{line.digits}f} {line.unit}",
                *charts.curve_place(line, here.step, value),
            )
            for name, (line, _), value in zip(_NAMES, _curves(here), values, strict=True)
        ],
        key="curve marks",
    )


def _curves(here: Here) -> cache.Curves:
    return cache.curves(here.source, here.config, here.forks, _until(here))


def _until(here: Here) -> int | None:
    """The last step that the curves may tell: a class that guesses sees no later one."""
    return here.step if state.PREDICTING.get() else None


def _drawn(here: Here) -> object:
    return here.source.digest, here.config, here.forks, _until(here)
