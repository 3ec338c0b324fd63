"""Several tokenizers on one text: counts, shared boundaries, and why two of them cut differently."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

import numpy as np

from bpe_core.causes import Cause, Reason, explain
from bpe_core.cuts import Cuts, Stretches
from bpe_core.encoding import Encoding, Offsets
from bpe_core.errors import ConfigError, quoted
from bpe_core.normalize import replace_surrogates
from bpe_core.tokenizer import Special, Tokenizer


class Row(NamedTuple):
    """One tokenizer's counts on the text. Words are runs of anything but white space; 0.0 where there are none."""

    name: str
    tokens: int
    bytes_per_token: float
    chars_per_token: float
    tokens_per_word: float


class Agreement(NamedTuple):
    """How far two tokenizers share their inner boundaries; counts of boundaries, the left one as the reference.

    precision: share of the right one's boundaries that the left one has too; recall: share of the left one's that
    the right one has; f1: their harmonic mean. All are 1.0 where neither cuts at all.
    """

    precision: float
    recall: float
    f1: float
    shared: int
    only_left: int
    only_right: int


class Disagreement(NamedTuple):
    """A stretch between two shared boundaries that the two cut differently, and why.

    `start`, `end`: bytes in the UTF-8 of the text. `explanation` is plain text with the evidence.
    """

    start: int
    end: int
    left_ids: tuple[int, ...]
    right_ids: tuple[int, ...]
    cause: Cause
    explanation: str


def compare(text: str, tokenizers: Mapping[str, Tokenizer], *, special: Special = "text") -> Comparison:
    """Encode `text` with every tokenizer and lay the cuts side by side.

    Offsets are bytes of the text itself, whatever a tokenizer normalizes. `special` is that of Tokenizer.encode.

    >>> from bpe_core import load_pretrained
    >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
    >>> [row.tokens for row in comparison.rows]
    [4, 2]
    >>> comparison.disagreements("a", "b")[0].cause
    'missing token'
    """
    return Comparison(text, {name: (t, t.encode(text, special=special)) for name, t in tokenizers.items()})


class Comparison:
    """The cuts of several tokenizers on one text; made by `compare`. In `text` lone surrogates are replaced."""

    def __init__(self, text: str, cuts: Mapping[str, tuple[Tokenizer, Encoding]]) -> None:
        self.text = replace_surrogates(text)[0]
        self._sides = {name: Cuts(name, *cut) for name, cut in cuts.items()}

    @property
    def rows(self) -> list[Row]:
        """The counts, in the order of the tokenizers."""
        words = len(self.text.split())
        return [_row(side, words) for side in self._sides.values()]

    def tokenizer(self, name: str) -> Tokenizer:
        """The tokenizer of that name."""
        return self._side(name).tokenizer

    def encoding(self, name: str) -> Encoding:
        """What the tokenizer of that name made of the text."""
        return self._side(name).encoding

    def offsets(self, name: str) -> tuple[Offsets, Offsets]:
        """Where each token of `encoding(name)` starts and ends: bytes of the text itself, whatever was normalized."""
        side = self._side(name)
        return side.starts, side.ends

    def stretches(self, name: str, starts: Offsets, ends: Offsets) -> Stretches:
        """What the tokenizer of that name makes of the stretches starts[i] … ends[i] that `differing` gives."""
        return self._side(name).stretches(starts, ends)

    def boundaries(self, name: str) -> Offsets:
        """The inner boundaries of one tokenizer: byte offsets, ascending, without 0 and the end."""
        return self._side(name).boundaries

    def agreement(self, left: str, right: str) -> Agreement:
        """How far two of the tokenizers cut at the same places."""
        mine, other = self.boundaries(left), self.boundaries(right)
        shared = int(np.count_nonzero(self._side(left).is_boundary & self._side(right).is_boundary))
        precision = shared / len(other) if len(other) else float(not len(mine))
        recall = shared / len(mine) if len(mine) else float(not len(other))
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return Agreement(precision, recall, f1, shared, len(mine) - shared, len(other) - shared)

    def differing(self, left: str, right: str) -> tuple[Offsets, Offsets]:
        """Where the `disagreements` of two of the tokenizers start and end. Much quicker: none is explained."""
        return _differing(self._side(left), self._side(right))

    def disagreements(self, left: str, right: str, *, most: int | None = None) -> list[Disagreement]:
        """Every stretch that two of the tokenizers cut differently, in the order of the text, with its cause.

        `most`: only the first of them; in a long text there may be a million.
        """
        a, b = self._side(left), self._side(right)
        starts, ends = (edges[:most] for edges in _differing(a, b))
        mine, other = a.stretches(starts, ends), b.stretches(starts, ends)
        # The same words differ in the same way again and again: each way is explained once.
        known: dict[Hashable, tuple[Cause, str]] = {}
        found = []
        for i, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            way = (mine.key(i), other.key(i))
            if way not in known:
                reason = explain(a, mine[i], b, other[i])
                known[way] = reason.cause, reason.explanation
            found.append(Disagreement(start, end, mine.ids(i), other.ids(i), *known[way]))
        return found

    def reason(self, left: str, right: str, start: int, end: int) -> Reason:
        """Why two of the tokenizers cut the bytes start … end differently, with the evidence in pieces.

        `start` and `end` are those of one of `disagreements(left, right)`; ConfigError for others.

        >>> from bpe_core import load_pretrained
        >>> comparison = compare("x = 12345", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
        >>> found = comparison.disagreements("gpt2", "cl100k_base")[0]
        >>> comparison.reason("gpt2", "cl100k_base", found.start, found.end).right.cuts
        (1,)
        """
        a, b = self._side(left), self._side(right)
        starts, ends = _differing(a, b)
        at = int(np.searchsorted(starts, start))
        if at == len(starts) or (starts[at], ends[at]) != (start, end):
            raise ConfigError(
                f"Bytes {start} to {end} are no disagreement of {quoted(left)} and {quoted(right)}.",
                limit="A disagreement lies between two boundaries that both share.",
                remedy="Take the start and end of one that `disagreements` gives.",
            )
        mine, other = (side.stretches(starts[at : at + 1], ends[at : at + 1])[0] for side in (a, b))
        return explain(a, mine, b, other)

    def _side(self, name: str) -> Cuts:
        if name not in self._sides:
            raise ConfigError(
                f"{quoted(name)} is not among the compared tokenizers.",
                limit=f"There are {', '.join(map(quoted, self._sides))}.",
                remedy="Choose one of these.",
            )
        return self._sides[name]


def _differing(a: Cuts, b: Cuts) -> tuple[Offsets, Offsets]:
    """Where the stretches that two cut differently start and end: between shared boundaries, with others inside."""
    edges = np.concatenate(([0], np.flatnonzero(a.is_boundary & b.is_boundary), [a.size]))
    differing = np.flatnonzero(a.is_boundary ^ b.is_boundary)
    regions = np.searchsorted(edges, differing, side="right") - 1
    regions = regions[np.diff(regions, prepend=-1) > 0]  # ascending, each once
    return edges[regions], edges[regions + 1]


def _row(side: Cuts, words: int) -> Row:
    tokens = len(side.encoding)
    if not tokens:
        return Row(side.name, 0, 0.0, 0.0, 0.0)
    chars = len(side.encoding.normalized.original)
    return Row(side.name, tokens, side.size / tokens, chars / tokens, tokens / words if words else 0.0)
