"""Disagreements by cause: names, counts, and pages of them as tables. Pure data, no Streamlit."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bpe_core import Comparison, Disagreement
from bpe_core.comparison.causes import CAUSES
from bpe_core.comparison.totals import EqualDisagreements
from bpe_core.language import message
from bpe_core.payloads.chips import Chip, Column, Table
from bpe_core.tokenizer.chips import chip
from ui.session.compare import ALL_CAUSES

ROWS_PER_PAGE = 500
"""Number of disagreements per table."""

MOST_CHIPS = 12
"""Maximum number of tokens drawn per cell."""

CAUSE_LABELS: Mapping[str, str] = {
    ALL_CAUSES: message("All"),
    "split": message("Split"),
    "missing token": message("Missing token"),
    "earlier merge": message("Earlier merge"),
    "choice": message("Choice"),
    "special token": message("Special token"),
    "normalization": message("Normalization"),
}
"""Labels of the causes in lists, as untranslated messages."""


def causes(found: Sequence[Disagreement]) -> dict[str, int]:
    """Number of disagreements by cause; causes that do not occur are omitted."""
    counts = Counter(each.cause for each in found)
    return {cause: counts[cause] for cause in CAUSES if counts[cause]}


def of_cause(found: Sequence[Disagreement], cause: str) -> Sequence[Disagreement]:
    """Disagreements of one cause, or all of them."""
    return found if cause == ALL_CAUSES else [each for each in found if each.cause == cause]


def groups_of_cause(groups: Sequence[EqualDisagreements], cause: str) -> Sequence[EqualDisagreements]:
    """The same for grouped disagreements."""
    return groups if cause == ALL_CAUSES else [each for each in groups if each.first.cause == cause]


def are_equal(one: Disagreement, other: Disagreement) -> bool:
    """Whether two disagreements are equal: the same tokens and cause."""
    return one[2:5] == other[2:5]


def nearest(found: Sequence[Disagreement], byte: int) -> int:
    """Index of the first disagreement that ends after a byte of the text; the last one if none does.

    >>> spans = [(0, 2), (5, 9)]
    >>> found = [Disagreement(*span, (), (), "split", "") for span in spans]
    >>> [nearest(found, byte) for byte in (0, 1, 3, 8, 70)]
    [0, 0, 1, 1, 1]
    """
    return min(bisect_left(found, byte + 1, key=lambda each: each.end), max(len(found) - 1, 0))


def disagreement_page(
    comparison: Comparison, left: str, right: str, found: Sequence[Disagreement], cause: str, page: int
) -> Table:
    """Disagreements of one cause, starting at `ROWS_PER_PAGE` × `page`: number, tokens of each side, and cause."""
    first = page * ROWS_PER_PAGE
    listed = of_cause(found, cause)[first : first + ROWS_PER_PAGE]
    return Table(
        Column("", [first + number for number in range(1, len(listed) + 1)], "number"),
        *_tokens_of_both(comparison, left, right, listed),
        Column(message("Cause"), [CAUSE_LABELS[each.cause] for each in listed]),
    )


def group_page(comparison: Comparison, left: str, right: str, groups: Sequence[EqualDisagreements]) -> Table:
    """First `ROWS_PER_PAGE` groups of equal disagreements: frequency, tokens of both sides, and effect on the count.

    Effects are relative to the tokenizer with more tokens, as in the headline of the page.
    """
    listed = groups[:ROWS_PER_PAGE]
    sign = -1 if len(comparison.encoding(left)) < len(comparison.encoding(right)) else 1
    return Table(
        Column(message("Times"), [each.times for each in listed], "number"),
        *_tokens_of_both(comparison, left, right, [each.first for each in listed]),
        Column(message("Adds"), [sign * each.tokens for each in listed], "number"),
        Column(message("Cause"), [CAUSE_LABELS[each.first.cause] for each in listed]),
    )


def _tokens_of_both(comparison: Comparison, left: str, right: str, listed: Sequence[Disagreement]) -> Iterator[Column]:
    by_place = sorted(range(len(listed)), key=lambda row: listed[row].start)
    starts, ends = (np.array([getattr(listed[row], at) for row in by_place], np.int64) for at in ("start", "end"))
    for name in (left, right):
        tokenizer, regions = comparison.tokenizer(name), comparison.regions(name, starts, ends)
        chips: list[tuple[Chip, ...]] = [()] * len(listed)
        for place, row in enumerate(by_place):
            region = regions[place]
            shown = enumerate(region.ids[:MOST_CHIPS])
            chips[row] = tuple(chip(tokenizer, token_id, region.around(at)) for at, token_id in shown)
        yield Column(name, chips, "chip")
