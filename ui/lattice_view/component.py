"""Mounts the lattice: Python's side of lattice_view.js."""

from __future__ import annotations

from pathlib import Path

from ui.token_view.register import register
from ui.token_view.wire import frame

from .lattice import Lattice

_LATTICE_VIEW = register(
    Path(__file__).parent, "lattice_view", '<div class="scroll" role="listbox" tabindex="0"></div>'
)


def lattice_view(lattice: Lattice, *, key: str, height: int | None = 420, label: str = "Lattice") -> None:
    """Draw a lattice; wide and high ones scroll.

    height: at most this many pixels; None grows with the lattice.
    """
    _LATTICE_VIEW(key=key, data=frame({"label": label, "height": height}, lattice.body))
