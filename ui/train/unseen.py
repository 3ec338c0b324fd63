"""A text that the training has not seen, in the tokens of a step."""

from __future__ import annotations

import streamlit as st

from ui.components.live_text import live_text
from ui.session import state
from ui.session.limits import LONGEST_UNSEEN
from ui.session.state import TRAINED
from ui.shared import cache
from ui.shared.display import spans
from ui.train.step import TEXT_HEIGHT, Step, fresh_tokens, size_words

UNSEEN_VIEW = "unseen view"
"""The key of the unseen text in tokens."""


def unseen_text(step: Step) -> bytes:
    """The unseen text, encoded with the merges up to this step: a frame."""
    text = state.UNSEEN_TEXT.get()[:LONGEST_UNSEEN]
    encoding = cache.encoding(TRAINED, step.source, step.config, text, "text", step.number, step.forks)
    tokens, size = len(encoding), len(encoding.utf8) if step.config.unit == "byte" else len(encoding.text)
    merges = (
        "no merge"
        if not step.number
        else "the first merge"
        if step.number == 1
        else f"the first {step.number:,} merges"
    )
    caption = f"A text the training has not seen, encoded with {merges}."
    return spans(encoding).frame(
        key=UNSEEN_VIEW,
        label="The unseen text in tokens",
        captions=size_words(
            step, tokens, size / tokens if tokens else 0.0, 1 - tokens / size if size else 0.0, caption
        ),
        height=TEXT_HEIGHT,
        fresh=fresh_tokens(step, encoding.ids),
    )


def edit_unseen() -> None:
    """A button that opens the unseen text for editing. It follows each key, and so does the address."""
    with st.popover("Edit", icon=":material/edit:"), st.container(width=460):
        live_text(
            "A text that the training has not seen",
            state.UNSEEN_TEXT.get(),
            key=f"{state.UNSEEN_TEXT.key} area",
            on_change=state.UNSEEN_TEXT.set,
            height=160,
            longest=LONGEST_UNSEEN,
        )
