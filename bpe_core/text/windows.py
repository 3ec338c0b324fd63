"""Steps of normalizers on long texts, part by part: the same text and alignment, in a fraction of the memory.

A step that says where a text may be divided (`divides`) gives there the same for the parts as for the whole.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bpe_core.text.normalization import Change

if TYPE_CHECKING:
    from bpe_core.text.normalizers import Step

WINDOW = 1 << 17
"""Characters of a part; a few more where it ends at a place that divides."""


def changed(step: Step, text: str) -> Change:
    """What `step.change(text)` gives.

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
    while aligned:  # from the end, and each part is given back once it is copied
        last = aligned.pop()
        joined[at - len(last) : at] = last
        at -= len(last)
    return "".join(texts), joined


def borders(step: Step, text: str) -> list[int]:
    """Where the parts of a text begin, and its length: [0, length] where the step takes it as a whole.

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
