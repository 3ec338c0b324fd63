"""Card of one token of the step: its origin as a sentence and a tree, and a link to the step that created it."""

from __future__ import annotations

import streamlit as st

from bpe_core.bpe.step_sentences import made_by, origin_of
from bpe_core.language import _
from bpe_core.tokenizer.trees import Tree
from ui.session import training as state
from ui.session.elsewhere import show_in_vocabulary
from ui.session.tokenizer_choice import TRAINED
from ui.train.step import Step, go_to
from ui.views.story import story_view
from ui.views.tree import tree_view
from ui.widgets.layout import heading

_HEIGHT = 262


def opened_token(step: Step) -> int | None:
    """Id of the opened token if this training has it, otherwise None. Always None in predict mode."""
    token = state.OPENED_TOKEN.get()
    return None if state.PREDICTING.get() or token is None or token >= step.training.vocab_size else token


def show_token(step: Step, token: int) -> None:
    """Draw the card, in place of the candidates."""
    root = step.training.tree(token)
    with st.container(border=True, height="stretch", key="token"):
        with st.container(horizontal=True, vertical_alignment="center"):
            heading(_("Token {id:,}", id=token))
            st.space("stretch")
            if root.rank is not None:
                label = _("Go to merge {number:,}", number=root.rank + 1)
                st.button(label, on_click=go_to, args=(root.rank + 1,), type="primary")
            st.button(_("Close"), on_click=state.OPENED_TOKEN.set, args=(None,), key="close token")
        story_view([origin_of(step, root)], key="token story", label=_("Where this token comes from"))
        if st.button(
            _("Show in Vocabulary"), icon=":material/arrow_forward:", type="tertiary", key="token in vocabulary"
        ):
            show_in_vocabulary(TRAINED, token)
            st.switch_page("pages/vocabulary.py")
        if root.left is not None:
            tree_view(
                Tree.of(root, step.chip, made_by),
                key="tree of a token",
                height=_HEIGHT,
                on_pick=state.OPENED_TOKEN.set,
            )
