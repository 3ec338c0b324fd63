"""Difference of two token counts as a sum over causes, with equal disagreements grouped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from bpe_core.comparison.causes import CAUSES

if TYPE_CHECKING:
    from bpe_core.comparison.comparison import Comparison
    from bpe_core.comparison.results import Disagreement

WHITE_SPACE = "white space"
"""Source of disagreements on white space alone, whatever their cause: both encode it, but may group it differently."""

SOURCES = (WHITE_SPACE, *CAUSES)


MOST_LISTED = 50_000
"""Maximum number of disagreements explained and listed, from the start of the text; a long text may have a million."""


class EqualDisagreements(NamedTuple):
    """Disagreements with the same text, tokens and cause.

    first   first of them in the text
    times   number of them
    tokens  left count minus right count, summed over all of them
    source  one of SOURCES

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("    a\\n    b", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
    >>> group_equal(comparison, comparison.disagreements("gpt2", "cl100k_base"))[0][1:]
    (2, 4, 'white space')
    """

    first: Disagreement
    times: int
    tokens: int
    source: str


class SourceShare(NamedTuple):
    """Contribution of one source to the left count minus the right count, and its number of places.

    >>> SourceShare("white space", 4, 2).tokens
    4
    """

    source: str
    tokens: int
    places: int


class Difference(NamedTuple):
    """Left count minus right count, by source.

    tokens     the whole difference of the two counts
    shares     sources, largest contribution in either direction first
    elsewhere  tokens that the given disagreements do not explain: those of a long text that were omitted, and tokens
               without text (a bare ▁ or </w>). tokens = the sum of all shares + elsewhere.

    >>> Difference(5, (SourceShare("white space", 4, 2),), 1).elsewhere
    1
    """

    tokens: int
    shares: tuple[SourceShare, ...]
    elsewhere: int


def group_equal(comparison: Comparison, found: Sequence[Disagreement]) -> list[EqualDisagreements]:
    """Group equal disagreements: those that change a count most first, then the most frequent, then by place.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("1234 a 1234 b", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
    >>> [(each.times, each.tokens) for each in group_equal(comparison, comparison.disagreements("gpt2", "cl100k_base"))]
    [(1, -1), (1, 0)]
    """
    text = comparison.text.encode()
    groups: dict[tuple[object, ...], tuple[Disagreement, list[int]]] = {}
    for each in found:
        key = text[each.start : each.end], each.left_ids, each.right_ids, each.cause
        if key in groups:
            groups[key][1][0] += 1
        else:
            groups[key] = each, [1]
    every = [_group(text, first, times) for first, [times] in groups.values()]
    return sorted(every, key=lambda each: (-abs(each.tokens), -each.times, each.first.start))


def difference(comparison: Comparison, left: str, right: str, groups: Sequence[EqualDisagreements]) -> Difference:
    """Difference of two counts by source, from all groups of `group_equal`.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("    x = 1", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
    >>> groups = group_equal(comparison, comparison.disagreements("gpt2", "cl100k_base"))
    >>> made = difference(comparison, "gpt2", "cl100k_base", groups)
    >>> made.tokens, made.elsewhere, made.shares[0]
    (1, 0, SourceShare(source='white space', tokens=2, places=1))
    """
    tokens, places = dict.fromkeys(SOURCES, 0), dict.fromkeys(SOURCES, 0)
    for each in groups:
        tokens[each.source] += each.tokens
        places[each.source] += each.times
    shares = [SourceShare(source, tokens[source], places[source]) for source in SOURCES if places[source]]
    whole = len(comparison.encoding(left)) - len(comparison.encoding(right))
    by_size = tuple(sorted(shares, key=lambda share: -abs(share.tokens)))
    return Difference(whole, by_size, whole - sum(share.tokens for share in shares))


def _group(text: bytes, first: Disagreement, times: int) -> EqualDisagreements:
    more = len(first.left_ids) - len(first.right_ids)
    blank = text[first.start : first.end].decode(errors="replace").isspace()
    return EqualDisagreements(first, times, times * more, WHITE_SPACE if blank else first.cause)
