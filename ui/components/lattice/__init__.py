"""Drawn lattice of a word: nodes between its characters, an edge for every piece that fits, the best path thick."""

from ui.components.lattice.component import lattice_view
from ui.components.lattice.lattice import Lattice

__all__ = ["Lattice", "lattice_view"]
