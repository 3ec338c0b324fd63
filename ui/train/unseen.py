"""A text not used in training, in the tokens of a step."""

from __future__ import annotations

import streamlit as st

from bpe_core import Encoding
from bpe_core.bpe.training_step import TEXT_HEIGHT, size_words
from bpe_core.language import _
from ui import cache
from ui.session import training as state
from ui.session.limits import LONGEST_UNSEEN
from ui.session.tokenizer_choice import TRAINED
from ui.train.step import Step, fresh_tokens
from ui.views.live_text import live_text_view
from ui.widgets.display import spans

UNSEEN_VIEW = "unseen view"
"""Key of the view of the unseen text."""


def unseen_text(step: Step) -> bytes:
    """Frame of the unseen text, encoded with the merges up to this step."""
    text = state.UNSEEN_TEXT.get()[:LONGEST_UNSEEN]
    encoding, symbols = (
        cache.encoding(TRAINED, step.source, step.config, text, "text", number, step.forks)
        for number in (step.number, 0)
    )
    tokens, size = len(encoding), _covered(encoding, step.config.unit)
    return spans(encoding).frame(
        key=UNSEEN_VIEW,
        label=_("The unseen text in tokens"),
        captions=size_words(
            step,
            tokens,
            size / tokens if tokens else 0.0,
            1 - tokens / len(symbols) if tokens else 0.0,
            _caption(step.number),
        ),
        height=TEXT_HEIGHT,
        fresh=fresh_tokens(step, encoding.ids),
    )


def _caption(merges: int) -> str:
    if not merges:
        return _("A text the training has not seen, encoded with no merge.")
    if merges == 1:
        return _("A text the training has not seen, encoded with the first merge.")
    return _("A text the training has not seen, encoded with the first {merges:,} merges.", merges=merges)


def _covered(encoding: Encoding, unit: str) -> int:
    """Bytes or characters inside tokens, without white space dropped by a split."""
    starts, ends = (encoding.starts, encoding.ends) if unit == "byte" else (encoding.char_starts, encoding.char_ends)
    return int((ends - starts).sum())


def edit_unseen() -> None:
    """Button that opens the unseen text for editing. The view and the URL update on each key."""
    with st.popover(_("Edit"), icon=":material/edit:"), st.container(width=460):
        live_text_view(
            _("A text that the training has not seen"),
            state.UNSEEN_TEXT.get,
            key=f"{state.UNSEEN_TEXT.key} area",
            on_change=state.UNSEEN_TEXT.set,
            height=160,
            longest=LONGEST_UNSEEN,
        )
