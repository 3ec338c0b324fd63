"""Figures of a vocabulary and its use: token lengths, and token frequencies in a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int64s
from bpe_core.display.figures import (
    HoverLine,
    empty_figure,
    evenly_in_log,
    hover_template,
    log_axis,
    titled_figure,
)
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal_token
from bpe_core.display.template import line_colours
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _, term, translate
from bpe_core.text.utf8 import begun_characters

MOST_BARS = 40
"""Longest length with a separate bar; the last bar combines all longer tokens."""


def lengths_figure(tokens: Sequence[bytes], special: int, in_bytes: bool, theme: str) -> Figure:
    """Number of tokens by length, in bytes or characters. `special`: number of special tokens, which are omitted.

    The length in characters is the number that begin in the token. Lengths above 40 share one bar.

    >>> figure = lengths_figure([b"a", b"b", b"ab", b"abcd"], 0, True, "light")
    >>> figure.data[0].x, figure.data[0].y
    ((1, 2, 3, 4), (2, 1, 0, 1))
    """
    if in_bytes:
        title, x, axis = _("Tokens by length in bytes"), _("bytes"), _("Bytes")
    else:
        title, x, axis = _("Tokens by length in characters"), _("characters"), _("Characters")
    y = _("number of tokens")
    if not tokens:
        reason = _("This vocabulary has only special tokens.") if special else _("This vocabulary has no tokens.")
        return empty_figure(theme, title, reason, x, y)
    lengths = token_lengths(tokens) if in_bytes else character_lengths(tokens)
    longest = int(lengths.max())
    counts = np.bincount(np.minimum(lengths, MOST_BARS + 1)).tolist()
    first = next(length for length, count in enumerate(counts) if count)
    bars = list(range(min(first, 1), len(counts)))
    named = [f"{length:,}" if length <= MOST_BARS else f"{MOST_BARS + 1:,}–{longest:,}" for length in bars]
    examples = _examples(tokens, lengths, bars)
    left_out = _("{special:,} special tokens are left out.", special=special) if special else ""
    summary = _(
        "{tokens:,} tokens, {mean:.2f} on average, {longest:,} at most",
        tokens=len(tokens),
        mean=lengths.mean(),
        longest=longest,
    )
    figure = titled_figure(theme, title, " · ".join(filter(None, (summary, left_out))), x, y)
    rows = zip(bars, named, examples, strict=True)
    figure.add_bar(
        x=bars,
        y=[counts[length] for length in bars],
        marker_color=line_colours(theme)[0],
        customdata=[[name, counts[bar], counts[bar] / len(tokens), example] for bar, name, example in rows],
        hovertemplate=hover_template(
            HoverLine(axis),
            HoverLine(translate(term("number", "Tokens")), ",d"),
            HoverLine(_("Share"), ".2%"),
            HoverLine(_("For example")),
        ),
    )
    figure.update_layout(bargap=0.15, yaxis={"tickformat": ",~r"}, xaxis={"tickformat": ",d"})
    if len(bars) <= 12 or longest > MOST_BARS:
        shown = bars if len(bars) <= 12 else [*range(0, MOST_BARS - 1, 5), MOST_BARS + 1]
        labels = [f"> {MOST_BARS}" if bar > MOST_BARS else f"{bar:,}" for bar in shown]
        figure.update_xaxes(tickvals=shown, ticktext=[label.replace(">", "&gt;") for label in labels])
    return figure


def token_lengths(tokens: Sequence[bytes]) -> Int64s:
    """Length of each token in bytes.

    >>> token_lengths(["é".encode(), b""]).tolist()
    [2, 0]
    """
    return np.fromiter(map(len, tokens), np.int64, len(tokens))


def character_lengths(tokens: Sequence[bytes]) -> Int64s:
    """Number of characters that begin in each token: bytes other than UTF-8 continuation bytes.

    >>> character_lengths(["aé".encode(), b"\\xa9", b""]).tolist()
    [2, 0, 0]
    """
    ends = np.cumsum(token_lengths(tokens))
    return np.diff(begun_characters(b"".join(tokens))[ends], prepend=0)


def ranks_figure(
    ids: npt.NDArray[np.integer[Any]],
    counts: npt.NDArray[np.integer[Any]],
    token_bytes: Callable[[int], bytes],
    theme: str,
) -> Figure:
    """Token frequency by rank on log axes, with Zipf's law for comparison.

    `counts`: occurrences of each of the distinct `ids`; tokens that do not occur are omitted. Equally frequent tokens
    stay in input order. Each point of the last trace has the token and its id as its first customdata.

    >>> token_bytes = {7: b"a", 8: b"c", 9: b"b"}.__getitem__
    >>> figure = ranks_figure(np.array([7, 8, 9]), np.array([1, 0, 2]), token_bytes, "light")
    >>> figure.data[1].x, figure.data[1].y, figure.data[0].y, figure.data[1].customdata[0][:2]
    ((1, 2), (2, 1), (2.0, 1.0), ['b', 9])
    """
    title, x, y = _("Tokens of the text by frequency"), _("rank by frequency"), _("occurrences")
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    if not len(order):
        return empty_figure(theme, title, _("The text has no tokens."), x, y)
    ids, counts = ids[order], counts[order]
    tokens = int(counts.sum())
    shares = np.cumsum(counts) / tokens
    subtitle = _(
        "{tokens:,} tokens, {distinct:,} of them distinct, {once:,} occur once",
        tokens=tokens,
        distinct=len(ids),
        once=int((counts == 1).sum()),
    )
    figure = titled_figure(theme, title, subtitle, x, y)
    shown = evenly_in_log(len(counts))
    ranks = (shown + 1).tolist()
    figure.add_scatter(
        x=ranks,
        y=(counts[0] / (shown + 1)).tolist(),
        name=_("Zipf's law: 1 / rank"),
        mode="lines",
        line={"dash": "dash", "color": THEMES[theme].pale},
        hoverinfo="skip",
    )
    labels = [literal_token(token_bytes(token_id)) for token_id in ids[shown].tolist()]
    columns = (ids[shown], shown + 1, counts[shown], counts[shown] / tokens, shares[shown])
    figure.add_scatter(
        x=ranks,
        y=counts[shown].tolist(),
        name=_("tokens of the text"),
        mode="lines+markers",
        line_color=line_colours(theme)[0],
        marker_size=5,
        customdata=[list(row) for row in zip(labels, *(each.tolist() for each in columns), strict=True)],
        hovertemplate=hover_template(
            HoverLine(""),
            HoverLine(_("Id"), "d"),
            HoverLine(_("Rank by frequency"), ",d"),
            HoverLine(_("Occurrences"), ",d"),
            HoverLine(_("Share of the text"), ".2%"),
            HoverLine(_("Cumulative share"), ".1%"),
        ),
    )
    figure.update_layout(
        showlegend=True, xaxis=log_axis(1, len(counts)), yaxis=log_axis(int(counts.min()), int(counts.max()))
    )
    return figure


def _examples(tokens: Sequence[bytes], lengths: Int64s, bars: Sequence[int]) -> list[str]:
    """First token of each bar, as a label."""
    found, places = np.unique(np.minimum(lengths, MOST_BARS + 1), return_index=True)
    first = dict(zip(found.tolist(), places.tolist(), strict=True))
    return [literal_token(tokens[first[bar]]) if bar in first else "" for bar in bars]
