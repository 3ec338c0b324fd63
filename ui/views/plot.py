"""Plotly chart with selectable points and ranges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from bpe_core.display.library import Figure
from bpe_core.language import translate
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.chips import Chip, Word
from bpe_core.payloads.frames import Body, frame, relayed
from ui.views.component import View
from ui.views.plot_figures import figure_body, point_counts
from ui.views.plotly_library import PLOTLY_PATH
from ui.views.protocol import acting, is_index

PointTokens: TypeAlias = "Sequence[Chip] | Mapping[str, Word]"
"""A token, a pair, or words by their translated headings."""

PointChips: TypeAlias = Mapping[int, Sequence[PointTokens]]
"""Tokens of each point, by trace index."""

PLOT = View("plot")
"""Component for plot_view, and for plot_steps.py."""


def plot_view(
    figure: Figure,
    *,
    key: str,
    label: str,
    captions: Captions = NO_CAPTIONS,
    chips: PointChips | None = None,
    on_pick: Callable[[int, int], None] | None = None,
    on_range: Callable[[int, int, int], None] | None = None,
) -> None:
    """Draw a figure made for the theme "light" in the page's theme, scaled with the page's type.

    Its height is `figure.layout.height`, by default 400 px. Its title is omitted; use the heading of the card or
    `captions`. User text in it must be escaped (bpe_core/display/plain_text.py).

    label: accessible name.
    chips: by trace index, the token, pair or words of each point, drawn in the tooltip; the first line of the hover
    text names a token or pair, the last one words.
    on_pick: called with the indices of a trace and a point that is clicked or chosen with Enter; both are valid in
    this figure.
    on_range: called with a trace and the first and last point of a range dragged over or chosen with Shift.
    """
    counts = point_counts(figure)

    def picked(value: Any) -> None:
        if on_pick and _are_points(value, counts, 1):
            on_pick(*value)

    def ranged(value: Any) -> None:
        if on_range and _are_points(value, counts, 2) and value[1] <= value[2]:
            on_range(*value)

    head = _head(key, label, captions, picks=on_pick is not None, ranges=on_range is not None)
    body = figure_body(figure, **({"chips": chip_wires(chips)} if chips else {}))
    PLOT(key=key, data=frame(head, body), on_acts_change=acting(key, picked=picked, ranged=ranged))


def relayed_plot(key: str, on_pick: Callable[[Any], None]) -> None:
    """Draw a figure whose frames a relay publishes: `plot_frame` under its key.

    on_pick: called with the unchecked value of the point that is clicked or chosen with Enter.
    """
    PLOT(key=key, data=relayed(key), on_acts_change=acting(key, picked=on_pick))


def plot_frame(body: Body, *, key: str, label: str, captions: Captions = NO_CAPTIONS) -> bytes:
    """Frame with a figure whose first trace has selectable points.

    body: with `chips` (see `chip_wires`) and `choices`, the value the browser sends for each point. A press chooses
    the point drawn at that moment, even if another frame arrives before the release.
    """
    return frame(_head(key, label, captions, picks=True), body)


def chip_wires(chips: PointChips) -> dict[int, list[list[Any] | dict[str, Any]]]:
    """Encode the tokens of points, by trace index, for the browser."""
    return {trace: list(map(_tokens_wire, points)) for trace, points in chips.items()}


def _tokens_wire(tokens: PointTokens) -> list[Any] | dict[str, Any]:
    if isinstance(tokens, Mapping):
        return {translate(name): word.wire() for name, word in tokens.items()}
    return [chip.wire() for chip in tokens]


def _head(key: str, label: str, captions: Captions, *, picks: bool, ranges: bool = False) -> dict[str, Any]:
    return {
        **asdict(captions),
        "kind": "plot",
        "name": key,
        "label": label,
        "library": PLOTLY_PATH,
        "picks": picks,
        "ranges": ranges,
    }


def _are_points(value: Any, counts: list[int], many: int) -> bool:
    """Whether a value is [trace index, `many` point indices], all valid."""
    if not (isinstance(value, list) and len(value) == 1 + many and is_index(value[0], 0, len(counts))):
        return False
    return all(is_index(point, 0, counts[value[0]]) for point in value[1:])
