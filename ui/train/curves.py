"""The curves: tokens and compression of the training text over the steps; a click goes to a step.

A step leaves them as they are and moves only the mark on them; what changes the curves themselves runs the whole page.
"""

from __future__ import annotations

import streamlit as st

from ui.components.curves import Curves, curves_view, mark_frame, relayed_mark
from ui.components.tokens import Captions
from ui.train import cache
from ui.train.step import Step

_NAME = "curves view"
_MARK = "curve marks"


def show_curves(step: Step) -> None:
    """The card with both curves."""
    if not step.last:
        return
    rest = "click to go there" + (" · dashed: the training by the rule" if step.forks else "")
    with st.container(border=True, key="curves"):
        curves_view(_curves(step), key=_NAME, captions=Captions("Over the merges", rest))
        relayed_mark(_MARK)


def mark_frames(step: Step) -> dict[str, bytes]:
    """The mark of this step on both curves."""
    values = (step.training.token_count(step.number), step.training.compression(step.number))
    return {_MARK: mark_frame(_NAME, _curves(step), step.number, values)}


def _curves(step: Step) -> Curves:
    return cache.training_curves(step.source, step.config, step.forks, step.last_told)
