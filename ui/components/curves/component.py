"""Mounts the curves and their mark: Python's side of curves.js.

A click on a curve is a move of the player that is on the same page: the curves themselves send nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from ui.components.curves.curve import Curves
from ui.components.exchange import EMPTY_BODY, frame, relayed
from ui.components.tokens.captions import NO_CAPTIONS, Captions
from ui.components.tokens.registration import view_component

_CURVES = view_component(Path(__file__).parent, '<div class="curves"></div>')


class OtherMark(NamedTuple):
    """The mark of other curves over the same steps: their key, they, and which of its values is the first one here."""

    name: str
    curves: Curves
    value: int


def curves_view(
    curves: Curves, *, key: str, captions: Captions = NO_CAPTIONS, marked_with: OtherMark | None = None
) -> None:
    """Draw curves side by side; each says its value at the step that `mark_frame` names, and marks it.

    marked_with: the mark is not its own, but that of other curves on the page.
    """
    mark = marked_with or OtherMark(key, curves, 0)
    head = {
        **asdict(captions),
        "kind": "curves",
        "name": key,
        "mark": {"name": mark.name, "of": mark.curves.body.rev, "value": mark.value},
    }
    _CURVES(key=key, data=frame(head, curves.body))


def mark_frame(name: str, curves: Curves, step: int, values: Sequence[float]) -> bytes:
    """A mark at a step, with the value of each curve there, on the curves whose key is `name`.

    Values after those are for curves that are marked with these.
    """
    head = {"kind": "mark", "name": name, "of": curves.body.rev, "step": step, "values": list(values)}
    return frame(head, EMPTY_BODY)


def relayed_mark(key: str) -> None:
    """Where a relay marks curves: `mark_frame` under this key. They stay as they are when the mark moves."""
    _CURVES(key=key, data=relayed(key))
