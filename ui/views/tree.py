"""Merge tree of a token as parallel lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bpe_core import TokenNode
from bpe_core.language import _, translate
from ui.views.chips import Chip
from ui.views.component import View
from ui.views.protocol import Body, TranslatedBody, acting, encode_body, frame, is_index

_TREE_VIEW = View("tree")

MOST_NODES = 401
"""Limit of drawn nodes; deeper nodes are counted at the last drawn node."""


class Character(NamedTuple):
    """A character below its symbols, `first` … `last` counted from 0; `part`: which part of it they cover."""

    first: int
    last: int
    char: str
    part: str = ""


@dataclass(frozen=True)
class Tree:
    """Nodes of a merge tree, level by level from the token down; -1 for no child."""

    ids: tuple[int, ...]
    chips: tuple[Chip, ...]
    labels: tuple[str, ...]
    """Line below each node: its rank, its step, or the kind of base symbol."""
    left: tuple[int, ...]
    right: tuple[int, ...]
    truncated: frozenset[int] = frozenset()
    """Merged nodes whose children are not drawn."""
    characters: tuple[Character, ...] = ()

    @classmethod
    def of(
        cls,
        root: TokenNode,
        chip: Callable[[int], Chip],
        label: Callable[[TokenNode], str],
        *,
        most: int = MOST_NODES,
        characters: Sequence[Character] = (),
    ) -> Tree:
        """Build the tree below `root`, at most `most` nodes, the upper levels first.

        >>> leaf = TokenNode(97)
        >>> tree = Tree.of(TokenNode(256, leaf, leaf, 0), lambda i: Chip.of_bytes(i, b"a"), lambda node: str(node.rank))
        >>> tree.ids, tree.left, tree.right
        ((256, 97, 97), (1, -1, -1), (2, -1, -1))
        """
        nodes, left, right, truncated = [root], [-1], [-1], set()
        for at, node in enumerate(nodes):  # the list grows during iteration: level by level
            if node.left is None or node.right is None:
                continue
            if len(nodes) + 2 > most:
                truncated.add(at)
                continue
            left[at], right[at] = len(nodes), len(nodes) + 1
            nodes += [node.left, node.right]
            left += [-1, -1]
            right += [-1, -1]
        return cls(
            ids=tuple(node.id for node in nodes),
            chips=tuple(chip(node.id) for node in nodes),
            labels=tuple(label(node) for node in nodes),
            left=tuple(left),
            right=tuple(right),
            truncated=frozenset(truncated),
            characters=() if truncated else tuple(characters),
        )

    @TranslatedBody
    def body(self) -> Body:
        """Payload for the browser, with its content hash."""
        return encode_body(
            {
                "ids": self.ids,
                "chips": [chip.wire() for chip in self.chips],
                "labels": [translate(label) for label in self.labels],
                "left": self.left,
                "right": self.right,
                "truncated": sorted(self.truncated),
                "characters": [each._replace(part=translate(each.part)) for each in self.characters],
            }
        )


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
        node = _checked_node(value, rev, len(tree.ids))
        if on_pick is not None and node is not None:
            on_pick(tree.ids[node])

    head = {"name": key, "label": label or _("Merge tree"), "height": height, "pick": on_pick is not None}
    _TREE_VIEW(key=key, data=frame(head, tree.body), on_acts_change=acting(key, picked=picked))


def _checked_node(value: Any, rev: str, count: int) -> int | None:
    """Node of the browser's [rev, node] if it refers to this tree. The value can be forged."""
    if not (isinstance(value, list) and len(value) == 2 and value[0] == rev):
        return None
    node = value[1]
    return node if is_index(node, 0, count) else None
