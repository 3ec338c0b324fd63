"""Chart of Plotly, whose points and ranges can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

from ui.views.captions import NO_CAPTIONS, Captions
from ui.views.chips import Chip
from ui.views.component import View
from ui.views.plot_figures import figure_body, point_counts
from ui.views.plotly_library import PLOTLY_PATH
from ui.views.protocol import Body, acting, frame, is_index, relayed

if TYPE_CHECKING:
    import plotly.graph_objects as go

PointChips: TypeAlias = Mapping[int, Sequence[Sequence[Chip]]]
"""By the number of a trace, the tokens that each of its points is about."""

PLOT = View("plot")
"""The component, which also draws what is in steps.py."""


def plot_view(
    figure: go.Figure,
    *,
    key: str,
    label: str,
    captions: Captions = NO_CAPTIONS,
    chips: PointChips | None = None,
    on_pick: Callable[[int, int], None] | None = None,
    on_range: Callable[[int, int, int], None] | None = None,
) -> None:
    """Draw a figure of the theme "light"; it is drawn in the page's theme, and as large as the page's type.

    Its height is `figure.layout.height`, 400 px without one; its title is left out, which is the heading of the card or
    `captions`. Text of visitors in it must be escaped (bpe_core/display/plain_text.py).

    label: the name for screen readers.
    chips: by the number of a trace, of each of its points the token, or the tokens of a pair, which the tooltip then
    draws; the hover text names them in its first line.
    on_pick: called with the numbers of a trace and of its point when that is clicked or chosen by Enter; both are valid
    ones of this figure.
    on_range: called with a trace and its first and last point when they are dragged over, or chosen with Shift.
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
    """Draw the figure that a relay draws: `plot_frame` under its key.

    on_pick: called with the choice of the point that is clicked or chosen by Enter, as the browser says it: check it.
    """
    PLOT(key=key, data=relayed(key), on_acts_change=acting(key, picked=on_pick))


def plot_frame(body: Body, *, key: str, label: str, captions: Captions = NO_CAPTIONS) -> bytes:
    """Frame with a figure whose first trace can be chosen from.

    body: with `chips`, see `chip_wires`, and `choices`, what the browser sends when a point is chosen. A press means
    the point that is drawn at that moment, even if another frame is there before the release.
    """
    return frame(_head(key, label, captions, picks=True), body)


def chip_wires(chips: PointChips) -> dict[int, list[list[Any]]]:
    """Tokens of points by trace, for their tooltips, as the browser gets them."""
    return {trace: [[chip.wire() for chip in point] for point in points] for trace, points in chips.items()}


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
    """Whether a value is a list of a trace's number and the numbers of as many of its points."""
    if not (isinstance(value, list) and len(value) == 1 + many and is_index(value[0], 0, len(counts))):
        return False
    return all(is_index(point, 0, counts[value[0]]) for point in value[1:])
