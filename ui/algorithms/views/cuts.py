"""Mounts one word cut by each algorithm: Python's side of cuts.js."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ui.token_view import Chip
from ui.token_view.register import register
from ui.token_view.wire import encode_body, frame

_CUTS = register(Path(__file__).parent, "cuts", '<dl class="cuts"></dl>')


class CutRow(NamedTuple):
    """One algorithm's pieces of the word, and a line on why."""

    title: str
    chips: tuple[Chip, ...]
    why: str


def cuts_view(rows: Sequence[CutRow], *, key: str, label: str) -> None:
    """Draw the pieces of a word, a row for each algorithm."""
    body = encode_body({"rows": [[row.title, [chip.wire() for chip in row.chips], row.why] for row in rows]})
    _CUTS(key=key, data=frame({"label": label}, body))
