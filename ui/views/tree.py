"""Merge tree of a token as parallel lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpe_core.tokenizer.trees import Tree, tree_frame
from ui.views.component import View
from ui.views.protocol import acting, index_in

_TREE_VIEW = View("tree")


def tree_view(
    tree: Tree,
    *,
    key: str,
    height: int | None = 420,
    label: str = "",
    on_pick: Callable[[int], None] | None = None,
) -> None:
    """Draw a merge tree, the token on top; large ones scroll.

    height: maximum in pixels; None grows with the tree.
    on_pick: called before the rerun with the id of the node that was clicked or chosen with Enter.
    """
    rev = tree.body.rev

    def picked(value: Any) -> None:
        node = index_in(value, rev, len(tree.ids))
        if on_pick is not None and node is not None:
            on_pick(tree.ids[node])

    data = tree_frame(tree, key, height=height, label=label, pick=on_pick is not None)
    _TREE_VIEW(key=key, data=data, on_acts_change=acting(key, picked=picked))
