"""Mounts the curves and their mark: Python's side of curves.js.

A click on a curve is a move of the player that is on the same page: the curves themselves send nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ui.components.curves.curve import Curves
from ui.components.exchange import encode_body, frame
from ui.components.tokens.captions import NO_CAPTIONS, Captions
from ui.components.tokens.registration import view_component

_CURVES = view_component(Path(__file__).parent, '<div class="curves"></div>')
_NOTHING = encode_body({})


def curves_view(curves: Curves, *, key: str, captions: Captions = NO_CAPTIONS) -> None:
    """Draw curves side by side; each says its value at the step that `mark_curves` names, and marks it."""
    _CURVES(key=key, data=frame({**asdict(captions), "kind": "curves", "name": key}, curves.body))


def mark_curves(name: str, curves: Curves, step: int, values: Sequence[float], *, key: str) -> None:
    """Mark a step, with the value of each curve there, on the curves whose key is `name`.

    It may be in another fragment than they are: they stay as they are when it moves.
    """
    head = {"kind": "mark", "name": name, "of": curves.body.rev, "step": step, "values": list(values)}
    _CURVES(key=key, data=frame(head, _NOTHING))
