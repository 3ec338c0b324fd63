"""Mount the lattice: Python's side of lattice.js."""

from __future__ import annotations

from pathlib import Path

from bpe_core.language import _
from ui.components.exchange import frame
from ui.components.lattice.lattice import Lattice
from ui.components.tokens.registration import view_component

_LATTICE_VIEW = view_component(Path(__file__).parent, '<div class="scroll" role="listbox" tabindex="0"></div>')


def lattice_view(lattice: Lattice, *, key: str, height: int | None = 420, label: str = "") -> None:
    """Draw a lattice; large ones scroll.

    height: maximum in pixels; None grows with the lattice.
    """
    _LATTICE_VIEW(key=key, data=frame({"label": label or _("Lattice"), "height": height}, lattice.body))
