"""Histogram of token lengths: choosing a bar filters by its length, several bars by a range."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bpe_core.display.figures import titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.template import line_colours
from bpe_core.language import _, term, translate
from ui.session import vocabulary as state
from ui.views.plot import plot_view
from ui.vocabulary import filters
from ui.vocabulary.vocabulary import Vocabulary

LONGEST_BAR = 24
"""Longer tokens share the last bar."""

_MANY, _EVERY = 16, 4
"""Above this number of bars, only every fourth has a label, and counts are shown only on hover."""
_HEIGHT = 200


def show_histogram(vocabulary: Vocabulary, mask: npt.NDArray[np.bool_]) -> None:
    """Draw the number of these tokens by length."""
    lengths = vocabulary.lengths()
    shortest, longest = int(lengths.min()), int(lengths.max())
    bars = np.minimum(lengths[mask], LONGEST_BAR + 1)
    counts = np.bincount(bars, minlength=min(longest, LONGEST_BAR + 1) + 1)[shortest:].tolist()
    plot_view(
        lengths_histogram(counts, shortest, longest, state.LENGTHS.get(), in_bytes=state.LENGTH_IN.get() == "bytes"),
        key="lengths histogram",
        label=_("How many tokens have each length in bytes")
        if state.LENGTH_IN.get() == "bytes"
        else _("How many tokens have each length in characters"),
        on_pick=lambda _trace, bar: _pick(shortest + bar, longest),
        on_range=lambda _trace, first, last: filters.only_lengths(_lengths(shortest + first, shortest + last, longest)),
    )


def lengths_histogram(
    counts: Sequence[int], shortest: int, longest: int, chosen: tuple[int, int] | None, *, in_bytes: bool
) -> Figure:
    """Bars for each length from `shortest`; `chosen`: the highlighted lengths, None for all."""
    values = list(range(shortest, shortest + len(counts)))
    names = [f"{value}+" if value > LONGEST_BAR else f"{value}" for value in values]
    is_many = len(values) > _MANY
    last = len(values) - 1
    named = [at for at in range(last + 1) if at == last or not is_many or (values[at] % _EVERY == 0 and at < last - 1)]
    length = _("Length in bytes") if in_bytes else _("Length in characters")
    colour = line_colours("light")[0]
    figure = titled_figure("light", "", "", "", "")
    figure.add_bar(
        x=values,
        y=counts,
        meta=[length, translate(term("number", "Tokens"))],
        marker={"color": colour, "line": {"color": colour, "width": 1.5}},  # the outline keeps very low bars visible
        text=None if is_many else [f"{count:,}" for count in counts],
        textposition="outside",
        textangle=0,
        cliponaxis=False,
        customdata=names,
        hovertemplate=f"{length}: %{{customdata}}<br>{_('Tokens')}: %{{y:,d}}<extra></extra>",
        hoverinfo="y",
        unselected_marker_opacity=0.3,
    )
    if chosen is not None:
        low, high = chosen
        lasts = [value if value <= LONGEST_BAR else longest for value in values]
        inside = [at for at in range(last + 1) if values[at] <= high and lasts[at] >= low]
        figure.update_traces(selectedpoints=inside)
    figure.update_xaxes(
        range=[shortest - 0.5, values[-1] + 0.5],
        tickvals=[values[at] for at in named],
        ticktext=[names[at] for at in named],
        showgrid=False,
        ticks="",
        ticklabelstandoff=4,
        fixedrange=True,
    )
    figure.update_yaxes(range=[0, 1.16 * max(1, *counts)], visible=False, fixedrange=True)
    figure.update_layout(
        height=_HEIGHT, bargap=0.12, hovermode="x", hoverdistance=-1, margin={"t": 0, "r": 0}, barcornerradius=3
    )
    return figure


def _pick(bar: int, longest: int) -> None:
    """Show the tokens of a bar, or all if it was already chosen."""
    lengths = _lengths(bar, bar, longest)
    filters.only_lengths(None if state.LENGTHS.get() == lengths else lengths)


def _lengths(first: int, last: int, longest: int) -> tuple[int, int]:
    """Range of lengths of bars; the last bar includes all longer ones."""
    return first, longest if last > LONGEST_BAR else last
