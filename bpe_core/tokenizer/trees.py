"""Merge tree of a token as parallel lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bpe_core.language import _, translate
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import Body, TranslatedBody, encode_body, frame
from bpe_core.tokenizer.model import TokenNode

MOST_NODES = 401
"""Limit of drawn nodes; deeper nodes are counted at the last drawn node."""


class Character(NamedTuple):
    """A character below its symbols, `first` … `last` counted from 0; `part`: which part of it they cover.

    >>> Character(0, 1, "é").part
    ''
    """

    first: int
    last: int
    char: str
    part: str = ""


@dataclass(frozen=True)
class Tree:
    """Nodes of a merge tree, level by level from the token down; -1 for no child.

    >>> leaf = TokenNode(97)
    >>> Tree.of(leaf, lambda i: Chip.of_bytes(i, b"a"), lambda node: "base").body.data[:10]
    b'{"ids":[97'
    """

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


def tree_frame(tree: Tree, key: str, *, height: int | None, label: str = "", pick: bool = False) -> bytes:
    """Frame of a tree for the view `key`. `height`: maximum in pixels; `pick`: whether its nodes can be clicked.

    >>> tree = Tree.of(TokenNode(97), lambda i: Chip.of_bytes(i, b"a"), lambda node: "base")
    >>> tree_frame(tree, "tree", height=None).partition(b"\\n")[2] == tree.body.data
    True
    """
    return frame({"name": key, "label": label or _("Merge tree"), "height": height, "pick": pick}, tree.body)
