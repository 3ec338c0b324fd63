"""Card about the cost of a vocabulary: embedding parameters against saved tokens, with published vocabularies.

Only the mark on the curve moves with the step; it is the mark of the curves over the merges.
"""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _
from bpe_core.payloads.captions import Captions
from ui.session import training as state
from ui.session.limits import MOST_WIDTH
from ui.train import cache
from ui.train.cost_lines import what_doubling_buys, what_published_ones_take
from ui.train.curves import NAME_OF_CURVES, SHARE_OF_MARK, curves_of_step
from ui.train.step import Step
from ui.views.plot_steps import OtherMark, steps_view
from ui.views.token_table import token_table_view
from ui.widgets.address import keep_address
from ui.widgets.fragments import fragment
from ui.widgets.layout import heading

_TABLE_HEIGHT = 404


def show_costs(step: Step) -> None:
    """Draw the card, except for a training with a base, and in predict mode, since it would reveal the next merges."""
    if step.last and not state.PREDICTING.get() and step.training.base is None:
        _card(step)


@fragment
def _card(drawn: Step) -> None:
    """Draw the card in a fragment, since the embedding width affects nothing else."""
    step = drawn.now()
    width = state.EMBEDDING_WIDTH.get()
    with st.container(border=True, key="costs"):
        with st.container(horizontal=True, vertical_alignment="center"):
            heading(_("What a vocabulary costs"))
            st.space("stretch")
            st.caption(_("Width of an embedding"), width="content")
            st.number_input(
                _("Width of an embedding: numbers for each id"),
                1,
                MOST_WIDTH,
                step=64,
                label_visibility="collapsed",
                width=150,
                **state.EMBEDDING_WIDTH.widget(),
            )
        st.markdown(f"**{what_doubling_buys(step.training, width)}**")
        taken = what_published_ones_take(cache.published_costs(step.source))
        if taken:
            st.caption(taken)
        _show_curve(step, width)
        _show_sizes(step, width)
    keep_address("costs")


def _show_curve(step: Step, width: int) -> None:
    steps_view(
        cache.cost_curve(step.source, step.config, step.forks, width),
        key="cost curve",
        captions=Captions(_("Tokens saved against parameters"), "\n" + _("click to go there")),
        marked_with=OtherMark(NAME_OF_CURVES, curves_of_step(step), SHARE_OF_MARK),
    )


def _show_sizes(step: Step, width: int) -> None:
    token_table_view(
        cache.sizes_table(step.source, step.config, step.forks, width),
        key="sizes table",
        height=_TABLE_HEIGHT,
        label=_("Sizes of the vocabulary"),
        captions=Captions(
            _("All sizes from one training"),
            "\n" + _("click to go there"),
            _("Used once, unused: ids, in the whole text."),
        ),
        of=step.name_of_training,
    )
