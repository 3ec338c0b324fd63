"""Mounts the chart: Python's side of dots.js."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ui.components.exchange import encode_body, frame
from ui.components.tokens.registration import view_component

_DOTS = view_component(Path(__file__).parent, '<div class="dots"></div>')


class DotRow(NamedTuple):
    """A row: its name, a value for each name of the chart (None: it has none), and whether its mark is hollow."""

    name: str
    values: Sequence[float | None]
    hollow: Sequence[bool]


def dots_view(
    names: Sequence[str], rows: Sequence[DotRow], *, key: str, label: str, axis: str, digits: int, hollow: str
) -> None:
    """Draw a row after the other, the marks of all names along one axis that begins at 0.

    label: for a screen reader. axis: what is measured. digits: decimal places of the values. hollow: what a hollow mark
    means, in a few words.
    """
    body = {
        "names": list(names),
        "rows": [[row.name, list(row.values), [int(each) for each in row.hollow]] for row in rows],
        "axis": axis,
        "digits": digits,
        "hollow": hollow,
    }
    _DOTS(key=key, data=frame({"label": label}, encode_body(body)))
