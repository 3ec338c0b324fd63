"""Figures of vocabulary composition: shares of token kinds or scripts, for one or several vocabularies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.display.figures import HoverLine, empty_figure, hover_template, titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal, literal_token
from bpe_core.display.template import is_strong, line_colours
from bpe_core.language import _, n_, term, translate

MOST_GROUPS = 16
"""Maximum bars per vocabulary when sorted by size; the last bar combines all others."""
_EXAMPLES = 4
_BAR, _STRONG_BAR, _FRAME = 20, 26, 170
"""Heights in px: a bar, a bar on a projector, and everything around the bars."""
_LEAST_TYPE = 9
"""Type in px below which the numbers of thin bars are left out; they are in the tooltip."""


class Composition(NamedTuple):
    """A vocabulary by groups: its name, the token count of each group, and examples of each.

    >>> Composition("mine", np.array([2, 0]), [[b"a", b"b"], []]).name
    'mine'
    """

    name: str
    counts: npt.NDArray[np.int64]
    examples: Sequence[Sequence[bytes]]


def composition(
    name: str, codes: npt.NDArray[np.uint8], groups: int, token_bytes: Callable[[int], bytes]
) -> Composition:
    """Group a vocabulary by the code of each token. `token_bytes`: bytes of the token at an index of `codes`.

    The examples are spread evenly over the group, in order.

    >>> found = composition("mine", np.array([1, 0, 1], np.uint8), 2, [b"a", b"b", b"c"].__getitem__)
    >>> found.counts.tolist(), found.examples
    ([1, 2], [[b'b'], [b'a', b'c']])
    """
    examples = []
    for group in range(groups):
        members = np.flatnonzero(codes == group)
        places = (np.arange(1, _EXAMPLES + 1) * len(members) // (_EXAMPLES + 1)).tolist()
        examples.append([token_bytes(at) for at in members[sorted(set(places) & set(range(len(members))))].tolist()])
    return Composition(name, np.bincount(codes, minlength=groups), examples)


def composition_figure(
    title: str, groups: Sequence[str], of: Sequence[Composition], theme: str, *, by_size: bool = False
) -> Figure:
    """Share of each group in each vocabulary as bars: groups from top to bottom, vocabularies side by side.

    `title` and `groups` are messages. Empty groups are omitted. `by_size`: the largest group first.

    >>> mine = Composition("mine", np.array([1, 0, 3]), [[b"a"], [], [b" b"]])
    >>> figure = composition_figure("Kinds of tokens", ["Parts", "Digits", "Starts"], [mine], "light")
    >>> figure.data[0].x, figure.layout.yaxis.ticktext, figure.data[0].customdata[1]
    ((25.0, 75.0), ('Parts', 'Starts'), ['mine', 'Starts', 3, 0.75, '·b'])
    """
    x = _("share of the tokens")
    totals = [int(each.counts.sum()) for each in of]
    if not any(totals):
        return empty_figure(theme, translate(title), _("This vocabulary has no tokens."), x, "")
    names = [translate(name) for name in groups]
    shown = [at for at in range(len(groups)) if any(each.counts[at] for each in of)]
    if by_size:
        names, shown, of = _by_size(names, shown, of)
    sizes = [
        _("{name}: {tokens:,} tokens", name=literal(each.name), tokens=all_of)
        for each, all_of in zip(of, totals, strict=True)
    ]
    figure = titled_figure(theme, translate(title), " · ".join(sizes), x, "")
    colours = line_colours(theme)
    for at, each in enumerate(of):
        _add_bars(figure, each, [(row, names[row]) for row in shown], totals[at], colours[at % len(colours)])
    bars = len(of) * len(shown)
    highest: float = max(max(trace.x) for trace in figure.data)
    figure.update_layout(
        height=_FRAME + bars * (_STRONG_BAR if is_strong(theme) else _BAR) + 8 * len(shown),
        bargap=0.25,
        uniformtext={"minsize": _LEAST_TYPE, "mode": "hide"},
        showlegend=len(of) > 1,
        legend={"x": 1, "xanchor": "right", "y": 0, "yanchor": "bottom", "traceorder": "normal"},
        xaxis={"ticksuffix": " %", "range": [0, 1.15 * highest]},
        yaxis={
            "type": "linear",
            "tickvals": list(range(len(shown))),
            "ticktext": [names[at] for at in shown],
            "range": [len(shown) - 0.5, -0.5],
            "showgrid": False,
            "ticks": "",
        },
    )
    return figure


def _by_size(
    names: list[str], shown: list[int], of: Sequence[Composition]
) -> tuple[list[str], list[int], Sequence[Composition]]:
    """Groups by their largest share in any vocabulary; those beyond the last bar are combined into one."""
    shares = np.array([each.counts / max(each.counts.sum(), 1) for each in of])
    ordered = sorted(shown, key=lambda at: -shares[:, at].max())
    if len(ordered) <= MOST_GROUPS:
        return names, ordered, of
    rest = ordered[MOST_GROUPS - 1 :]
    others = n_("{count:,} other", "{count:,} others", len(rest))
    return [*names, others], [*ordered[: MOST_GROUPS - 1], len(names)], [_with_rest(each, rest) for each in of]


def _add_bars(figure: Figure, of: Composition, groups: Sequence[tuple[int, str]], total: int, colour: str) -> None:
    """Add the bars of one vocabulary. `groups`: index and name of each."""
    name = literal(of.name)
    rows: list[tuple[str, str, int, float, str]] = []
    for at, group in groups:
        count = int(of.counts[at])
        examples = " ".join(literal_token(token, 20) for token in of.examples[at])
        rows.append((name, group, count, count / total if total else 0.0, examples))
    figure.add_bar(
        x=[100 * share for _name, _group, _count, share, _examples in rows],
        y=list(range(len(rows))),
        name=name,
        orientation="h",
        marker_color=colour,
        text=[f"{count:,}" for _name, _group, count, *_rest in rows],
        textposition="outside",
        cliponaxis=False,
        customdata=rows,
        hovertemplate=hover_template(
            HoverLine(_("Vocabulary")),
            HoverLine(""),
            HoverLine(translate(term("number", "Tokens")), ",d"),
            HoverLine(_("Share"), ".2%"),
            HoverLine(_("For example")),
        ),
    )


def _with_rest(each: Composition, rest: Sequence[int]) -> Composition:
    """A vocabulary with one more group for all of `rest`."""
    examples = [token for group in rest for token in each.examples[group][:1]][:_EXAMPLES]
    return each._replace(
        counts=np.append(each.counts, each.counts[list(rest)].sum()), examples=[*each.examples, examples]
    )
