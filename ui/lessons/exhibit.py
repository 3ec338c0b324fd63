"""What is shown beside the answer of a lesson, computed now."""

from __future__ import annotations

import streamlit as st

from ui.components.interlinear import interlinear
from ui.components.token_table import token_table
from ui.lessons.cache import exhibit_table, printed_and_here
from ui.lessons.textbooks import Held
from ui.session.lessons import Lesson
from ui.session.shared_view import from_plain
from ui.shared import cache
from ui.shared.display import NAMES, lane


def show_exhibit(chosen: Lesson) -> None:
    """A text in tokens, by tokenizers or by the training after some of its merges; or a table; then what is printed."""
    if chosen.exhibit.table:
        with st.spinner("Computing this now"):
            table = exhibit_table(chosen.name)
        token_table(table, key=f"exhibit of {chosen.name}", pickable=False, label="What comes out")
    elif chosen.exhibit.text:
        _show_tokens(chosen)
    with st.spinner("Computing this now"):
        held = printed_and_here(chosen.name)
    if held:
        with st.container(key="printed and here"):
            for each in held:
                _show_printed(each)


def _show_tokens(chosen: Lesson) -> None:
    exhibit = chosen.exhibit
    training = from_plain(dict(chosen.view)).training
    if exhibit.steps and training is not None:
        source, config = training.source, training.config
        lanes = [
            lane(
                f"{step} merge" if step == 1 else f"{step} merges",
                cache.trained_tokenizer(source, config, step).encode(exhibit.text),
            )
            for step in exhibit.steps
        ]
    else:
        lanes = [lane(NAMES[name], cache.published(name).encode(exhibit.text)) for name in exhibit.tokenizers]
    interlinear(exhibit.text, lanes, key=f"exhibit of {chosen.name}", label="The text of this lesson in tokens")


def _show_printed(held: Held) -> None:
    """A printed result, what comes out here under it, and the rule that makes the difference."""
    with st.container(border=True, gap="xsmall"):
        st.text(held.printed.what)
        st.caption(f"{held.printed.by} · {'the same here' if held.equal else 'not the same here'}")
        st.code(f"printed  {held.printed.printed}\nhere     {held.here}", language=None, wrap_lines=True)
        if held.printed.because:
            st.text(held.printed.because)
