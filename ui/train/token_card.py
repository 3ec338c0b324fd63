"""One token of the step: where it comes from, as a sentence and as a tree, and the way to the step that made it."""

from __future__ import annotations

import streamlit as st

from bpe_core import TokenNode
from ui.components.story import Sentence, story
from ui.components.tree import Tree, tree_view
from ui.session import state
from ui.shared.layout import heading
from ui.train.reasons import times
from ui.train.step import Step, go_to

_HEIGHT = 302


def opened_token(step: Step) -> int | None:
    """The id of the token that is opened, if this training has it. A class that guesses opens none."""
    token = state.OPENED_TOKEN.get()
    return None if state.PREDICTING.get() or token is None or token >= step.training.vocab_size else token


def show_token(step: Step, token: int) -> None:
    """The card, where the pairs that come next are otherwise."""
    root = step.tokenizer.tree(token)
    with st.container(border=True, height="stretch", key="token"):
        with st.container(horizontal=True, vertical_alignment="center"):
            heading(f"Token {token:,}")
            st.space("stretch")
            if root.rank is not None:
                st.button(f"Go to merge {root.rank + 1:,}", on_click=go_to, args=(root.rank + 1,), type="primary")
            st.button("Close", on_click=state.OPENED_TOKEN.set, args=(None,), key="close token")
        story(None, [origin(step, root)], key="token story", label="Where this token comes from")
        if root.left is not None:
            tree = Tree.of(root, step.chip, lambda node: "base" if node.rank is None else f"merge {node.rank + 1:,}")
            tree_view(tree, key="tree of a token", height=_HEIGHT, on_pick=state.OPENED_TOKEN.set)


def origin(step: Step, root: TokenNode) -> Sentence:
    """Where a token comes from, in one sentence."""
    chip = step.chip(root.id)
    if root.rank is None or root.left is None or root.right is None:
        if root.id in step.tokenizer.special_tokens.values():
            return [chip, f", id {root.id:,}, is a special token: no merge makes it."]
        return [chip, f", id {root.id:,}, is a base symbol: in the vocabulary before any merge."]
    merge = step.training.merges[root.rank]
    return [
        chip,
        f", id {root.id:,}, was made at ",
        (f"merge {root.rank + 1:,}", True),
        " from ",
        step.pair(root.left.id, root.right.id),
        f", which occurred {times(merge.count)}.",
    ]
