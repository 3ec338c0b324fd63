"""Cards that explain each algorithm's segmentation of a word."""

from __future__ import annotations

import streamlit as st

from ui.algorithms.shown_step import ShownStep
from ui.runs.why import WhyPart, why_cards
from ui.views.component import View
from ui.widgets.layout import heading, side_by_side
from ui.widgets.messages import note


def show_reasons(shown: ShownStep, word: str) -> None:
    """Draw a card for each algorithm that could be trained."""
    cards = why_cards([(run, shown.step_of(run)) for run in shown.runs.values()], word)
    for at in range(0, len(cards), 2):
        for column, card in zip(side_by_side(1, 1, key=f"algorithms-why-{at}"), cards[at : at + 2], strict=False):
            with column, st.container(border=True, height="stretch", key=card.key):
                heading(card.title, card.rest)
                for part in card.parts:
                    _show(part)


def _show(part: WhyPart) -> None:
    if isinstance(part.content, bytes):
        View(part.view)(key=part.key, data=part.content)
    elif part.view == "note":
        note(part.content)
    else:
        st.caption(part.content)
