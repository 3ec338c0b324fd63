"""Curves of tokens and compression of the training text over the steps; a click goes to a step.

A step moves only the mark on the curves; changes of the curves rerun the page.
"""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _
from bpe_core.payloads.captions import Captions
from ui.cache import beside_of
from ui.train import cache
from ui.train.step import Step
from ui.views.plot_steps import StepFigures, mark_frame, relayed_mark, steps_view

NAME_OF_CURVES = "curves view"
SHARE_OF_MARK = 2
"""Index of the saved percentage among a mark's values."""

_MARK = "curve marks"


def show_curves(step: Step) -> None:
    """Draw the card with both curves."""
    if not step.last:
        return
    beside = beside_of(step.source, step.config, step.forks)
    rest = (beside.says if beside else "") + "\n" + _("click to go there")
    with st.container(border=True, key="curves"):
        steps_view(curves_of_step(step), key=NAME_OF_CURVES, captions=Captions(_("Over the merges"), rest))
        relayed_mark(_MARK)


def mark_frames(step: Step) -> dict[str, bytes]:
    """Frame of this step's mark on both curves, with the saved percentage for the cost curve."""
    values = (step.training.token_count(step.number), step.training.compression(step.number), 100 * step.saved)
    return {_MARK: mark_frame(NAME_OF_CURVES, curves_of_step(step), step.number, values)}


def curves_of_step(step: Step) -> StepFigures:
    """Both curves."""
    return cache.training_curves(step.source, step.config, step.forks, step.last_visible)
