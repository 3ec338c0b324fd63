"""Mounts the tree: Python's side of tree_view.js."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from ui.token_view.register import register
from ui.token_view.wire import frame

from .tree import Tree

_TREE_VIEW = register(Path(__file__).parent, "tree_view", '<div class="scroll"></div>')


def tree_view(
    tree: Tree,
    *,
    key: str,
    height: int | None = 420,
    label: str = "Merge tree",
    on_pick: Callable[[int], None] | None = None,
) -> None:
    """Draw a merge tree, the token on top; wide and deep ones scroll.

    height: at most this many pixels; None grows with the tree.
    on_pick: called with the id of the node that was clicked (or chosen with Enter) before the page runs again.
    """
    rev = tree.body.rev

    def changed() -> None:
        node = _picked(st.session_state.get(key), rev, len(tree.ids))
        if on_pick is not None and node is not None:
            on_pick(tree.ids[node])

    head = {"label": label, "height": height, "pick": on_pick is not None}
    _TREE_VIEW(key=key, data=frame(head, tree.body), on_picked_change=changed)


def _picked(state: Any, rev: str, count: int) -> int | None:
    """The browser's answer [rev, node] if it is about this tree. Values from the browser can be forged."""
    answer = state.get("picked") if hasattr(state, "get") else None
    if not (isinstance(answer, list) and len(answer) == 2 and answer[0] == rev):
        return None
    node = answer[1]
    return node if isinstance(node, int) and not isinstance(node, bool) and 0 <= node < count else None
