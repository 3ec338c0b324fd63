"""Segmentations of one word, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bpe_core.language import translate
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import encode_body, frame
from ui.views.component import View

_SEGMENTATIONS = View("word_segmentations")


class SegmentationRow(NamedTuple):
    """Pieces of the word by one algorithm, with a line of explanation."""

    title: str
    chips: tuple[Chip, ...]
    why: str


def segmentations_view(rows: Sequence[SegmentationRow], *, key: str, label: str) -> None:
    """Draw the pieces of a word, one row per algorithm."""
    _SEGMENTATIONS(key=key, data=segmentations_frame(rows, label=label))


def segmentations_frame(rows: Sequence[SegmentationRow], *, label: str) -> bytes:
    """Frame of the view; the parameters are those of `segmentations_view`."""
    body = encode_body(
        {"rows": [[translate(row.title), [chip.wire() for chip in row.chips], translate(row.why)] for row in rows]}
    )
    return frame({"label": label}, body)
