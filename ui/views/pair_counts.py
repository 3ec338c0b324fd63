"""Bars of the most frequent pairs, and the choice of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from ui.views.captions import NO_CAPTIONS, Captions
from ui.views.chips import Chip, Tone
from ui.views.component import View
from ui.views.protocol import acting, encode_body, frame, is_index, relayed

_PAIR_COUNTS = View("pair_counts")
_MOST_IDS = 2**31


class PairCount(NamedTuple):
    """A pair and its count; tone: whether the pair wins, ties with the winner, or neither."""

    left: Chip
    right: Chip
    times: int
    tone: Tone = ""


def relayed_pair_counts(key: str, on_pick: Callable[[int, tuple[int, int]], None]) -> None:
    """Draw the bars that a relay draws: `pair_counts_frame` under its key.

    on_pick: called with the step at which the pairs were shown and the ids of the selected pair. During playback,
    that step may be earlier than the page's.
    """

    def picked(value: Any) -> None:
        choice = checked_pick(value)
        if choice:
            on_pick(*choice)

    _PAIR_COUNTS(key=key, data=relayed(key), on_acts_change=acting(key, picked=picked))


def pair_counts_frame(
    pairs: Sequence[PairCount],
    *,
    key: str,
    places: int,
    step: int,
    height: int,
    label: str,
    captions: Captions = NO_CAPTIONS,
) -> bytes:
    """Frame with a bar per pair, in this order, in a chart of `places` columns. height: pixels."""
    body = encode_body(
        {
            "step": step,
            "places": places,
            "pairs": [[pair.left.wire(), pair.right.wire()] for pair in pairs],
            "counts": [pair.times for pair in pairs],
            "tones": [pair.tone for pair in pairs],
        }
    )
    head = {**asdict(captions), "name": key, "label": label, "height": height}
    return frame(head, body)


def checked_pick(value: object) -> tuple[int, tuple[int, int]] | None:
    """Parse a choice [step, left id, right id] from the browser; None for anything else.

    >>> checked_pick([3, 104, 101]), checked_pick([3, -1, 101]), checked_pick([True, 104, 101])
    ((3, (104, 101)), None, None)
    """
    if not (isinstance(value, list) and len(value) == 3 and all(is_index(each, 0, _MOST_IDS) for each in value)):
        return None
    step, left, right = value
    return step, (left, right)
