"""Merge tree of a token: the token on top, its base symbols at the bottom."""

from ui.components.tree.component import tree_view
from ui.components.tree.tree import Character, Tree

__all__ = ["Character", "Tree", "tree_view"]
