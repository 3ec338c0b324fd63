"""A word's lattice, drawn: nodes between its characters, an edge for every piece that fits, the best way thick."""

from .component import lattice_view
from .lattice import Lattice

__all__ = ["Lattice", "lattice_view"]
