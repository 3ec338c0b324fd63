"""Normalizer steps applied to long texts part by part: the same text and alignment in a fraction of the memory.

A text is divided only where the step allows it (`divides`): there the parts change as they do in the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bpe_core.text.normalization import Change

if TYPE_CHECKING:
    from bpe_core.text.normalizers import Step

Positions = npt.NDArray[np.int64]

WINDOW = 1 << 17
"""Characters per part, plus a few up to the next place where the text can be divided."""


def changed(step: Step, text: str) -> Change:
    """Result of `step.change(text)`.

    >>> from bpe_core.text.normalizers import CleanText
    >>> changed(CleanText(), "a\\tb")[0]
    'a b'
    """
    edges = borders(step, text)
    if len(edges) == 2:
        return step.change(text)
    texts, aligned = [], []
    for start, end in pairwise(edges):
        part, origins = step.change(text[start:end])
        texts.append(part)
        origins += start
        aligned.append(origins.astype(np.int32))
    joined = np.empty((sum(map(len, aligned)), 2), np.int64)
    at = len(joined)
    while aligned:  # from the end, so that each part is freed once copied
        last = aligned.pop()
        joined[at - len(last) : at] = last
        at -= len(last)
    return "".join(texts), joined


def changed_each(step: Step, texts: Sequence[str]) -> list[Change]:
    """Result of `step.change` for each text, from one call for consecutive short texts that it changes independently.

    >>> from bpe_core.text.normalizers import CleanText
    >>> [text for text, _ in changed_each(CleanText(), ["a\\tb", "", "\\n"])]
    ['a b', '', ' ']
    """
    return [
        each
        for run in _runs(texts, getattr(step, "divides", None))
        for each in ([changed(step, run[0])] if len(run) == 1 else _changed_together(step, run))
    ]


def _runs(texts: Sequence[str], divides: Callable[[str, int], bool] | None) -> Iterator[list[str]]:
    """Runs of consecutive texts: one text, or several that can be divided where each begins after joining them."""
    run: list[str] = []
    size = 0
    for text in texts:
        last = run[-1] if run else ""
        size += len(text)
        if run and not (divides and last and text and size <= WINDOW and divides(last + text, len(last))):
            yield run
            run, size = [], len(text)
        run.append(text)
    if run:
        yield run


def _changed_together(step: Step, texts: Sequence[str]) -> Iterator[Change]:
    made, origins = step.change("".join(texts))
    begins = np.cumsum([0, *map(len, texts)])
    owners = np.searchsorted(begins[1:-1], origins[:, 0], "right")
    cuts = np.cumsum(np.bincount(owners, minlength=len(texts)))
    for begin, (first, last) in zip(begins.tolist(), pairwise([0, *cuts.tolist()]), strict=False):
        yield made[first:last], origins[first:last] - begin


def borders(step: Step, text: str) -> list[int]:
    """Starts of the parts of a text, then its length: [0, length] if the step must process it whole.

    >>> from bpe_core.text.normalizers import CleanText
    >>> borders(CleanText(), "a" * 2 * WINDOW) == [0, WINDOW, 2 * WINDOW]
    True
    """
    found = [0]
    divides = getattr(step, "divides", None)
    at = WINDOW
    while divides is not None and at < len(text):
        place = next((place for place in range(at, len(text)) if divides(text, place)), None)
        if place is None:
            break
        found.append(place)
        at = place + WINDOW
    return [*found, len(text)]


class EachAlone:
    """Step that changes each character independently.

    >>> EachAlone().divides("ab", 1)
    True
    """

    def divides(self, text: str, at: int) -> bool:
        """Always true: each character changes independently."""
        return True


def replaced_origins(edges: Positions, start: int, end: int, made: int) -> Positions:
    """Origins of the characters start … end after each match is replaced by `made` new ones.

    The new ones come from the last character of the match, all others from themselves.

    >>> replaced_origins(np.array([[1, 3]]), 0, 4, 1).tolist()
    [0, 2, 3]
    """
    starts, ends = edges[:, 0] - start, edges[:, 1] - start
    counts = np.zeros(end - start + 1, np.int64)
    np.add.at(counts, starts, 1)
    np.add.at(counts, ends, -1)
    places = np.flatnonzero(np.cumsum(counts)[:-1] == 0)
    order = np.repeat(np.searchsorted(places, starts), made)
    return np.insert(places, order, np.repeat(ends - 1, made)) + start
