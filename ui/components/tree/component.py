"""Mount the tree: Python's side of tree.js."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bpe_core.language import _
from ui.components.exchange import acting, frame, is_index
from ui.components.tokens.registration import view_component
from ui.components.tree.tree import Tree

_TREE_VIEW = view_component(Path(__file__).parent, '<div class="scroll"></div>')


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
    on_pick: called with the id of the node that was clicked (or chosen with Enter) before the page runs again.
    """
    rev = tree.body.rev

    def picked(value: Any) -> None:
        node = _checked_node(value, rev, len(tree.ids))
        if on_pick is not None and node is not None:
            on_pick(tree.ids[node])

    head = {"name": key, "label": label or _("Merge tree"), "height": height, "pick": on_pick is not None}
    _TREE_VIEW(key=key, data=frame(head, tree.body), on_acts_change=acting(key, picked=picked))


def _checked_node(value: Any, rev: str, count: int) -> int | None:
    """Node in the browser's [rev, node] if it is about this tree. It can be forged."""
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
        return None
    node = value[1]
    return node if is_index(node, 0, count) else None
