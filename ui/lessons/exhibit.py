"""Computed content next to the answer of a lesson."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, current_language, n_, translate
from bpe_core.payloads.spans import Lane
from bpe_core.tokenizer.lanes import lane
from ui import cache
from ui.lessons.cache import exhibit_table, printed_and_here
from ui.session.lessons import Lesson
from ui.session.shared_view import training_of
from ui.views.interlinear import interlinear_view
from ui.views.token_table import token_table_view
from ui.widgets.display import NAMES
from ui.widgets.printed import show_printed

_MOST_HIGH = 480
"""Height in px above which a table scrolls: thirteen rows, one for each language and the header."""


def show_exhibit(chosen: Lesson) -> None:
    """Draw the exhibit, a table or a text tokenized by tokenizers or training steps, and the printed results."""
    if chosen.exhibit.table:
        with st.spinner(_("Computing this now")):
            table = exhibit_table(chosen.name, current_language())
        token_table_view(
            table, key=f"exhibit of {chosen.name}", height=_MOST_HIGH, pickable=False, label=_("What comes out")
        )
    elif chosen.exhibit.text:
        label = _("The text of this lesson in tokens")
        interlinear_view(chosen.exhibit.text, exhibit_lanes(chosen), key=f"exhibit of {chosen.name}", label=label)
    with st.spinner(_("Computing this now")):
        held = printed_and_here(chosen.name)
    if held:
        show_printed(held)


def exhibit_lanes(chosen: Lesson) -> list[Lane]:
    """The lesson's text in the tokens of steps of its training, or of tokenizers."""
    exhibit = chosen.exhibit
    training = training_of(chosen.view)
    if exhibit.steps and training is not None:
        source, config = training.source, training.config
        return [
            lane(
                n_("{count} merge", "{count} merges", step),
                cache.trained_tokenizer(source, config, step).encode(exhibit.text),
            )
            for step in exhibit.steps
        ]
    return [lane(translate(NAMES[name]), cache.published(name).encode(exhibit.text)) for name in exhibit.tokenizers]
