"""A token's merge tree, drawn: the token on top, the symbols it was made of at the bottom."""

from ui.components.tree.component import tree_view
from ui.components.tree.tree import Character, Tree

__all__ = ["Character", "Tree", "tree_view"]
