"""Length of a normalized text, estimated before alignment, which takes a hundred times the memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from bpe_core.text import windows
from bpe_core.text.normalization import MOST_CHARACTERS, check_growth

if TYPE_CHECKING:
    from bpe_core.text.normalizers import Step

WINDOW = 20_000
"""Characters normalized at once to measure growth."""

FEW = 50_000
"""Characters up to which the upper bound of the steps serves as the estimate."""

_ONE_STEP, _STEPS, _AT_ONCE = 34, 60, 160
"""Bytes per character: in a single step, in one of several, and while being changed."""

_UNKNOWN = 1_000
"""Assumed growth of one character by a step that does not declare it."""

_ALLOWANCE = 1.1
"""Windows may grow more than the whole text, for example if a step adds something to each."""


def longest(steps: Sequence[Step], text: str) -> int:
    """Estimate the largest number of characters of the text before, between and after the steps.

    Raises CorpusError as soon as the estimate exceeds the limit of a step.

    >>> from bpe_core.text.normalizers import Form
    >>> longest((Form("NFKD"),), "ﷺ" * 30_000), longest((Form("NFKD"),), "low")
    (540000, 3)
    """
    bound = bounded(steps, text)
    return bound if bound <= FEW else _measured(steps, text)[0]


def needed(steps: Sequence[Step], text: str) -> int:
    """Estimated memory, in bytes, for aligning the text with the result of the steps.

    Raises CorpusError as soon as a step would exceed its limit of characters.

    >>> from bpe_core.text.normalizers import Form
    >>> needed((Form("NFKD"),), "ﷺ" * 30_000) > 34 * 540_000
    True
    """
    bound = bounded(steps, text)
    if bound <= FEW:
        return bound * _AT_ONCE
    most, whole = _measured(steps, text)
    return most * (_ONE_STEP if len(steps) == 1 else _STEPS) + _AT_ONCE * (whole + min(most, windows.WINDOW))


def _measured(steps: Sequence[Step], text: str) -> tuple[int, int]:
    """Largest number of characters before, between and after the steps, and the largest input processed whole."""
    lengths, whole = [0] * len(steps), [0] * len(steps)
    for at in range(0, len(text), WINDOW):
        part = text[at : at + WINDOW]
        for number, step in enumerate(steps):
            if not getattr(step, "is_lean", False) and not _is_divided(step, part):
                whole[number] += len(part)
            about = getattr(step, "about", None)  # faster than normalizing the text itself
            part = rewritten(step, part) if about is None else about(part)
            lengths[number] += len(part)
            check_growth(int(lengths[number] / _ALLOWANCE), step.name)
    return max([len(text), *lengths]), max(whole, default=0)


def _is_divided(step: Step, part: str) -> bool:
    divides = getattr(step, "divides", None)
    return divides is not None and any(divides(part, place) for place in range(1, len(part)))


def check_steps(steps: Sequence[Step], text: str) -> None:
    """Raise CorpusError at once for a text that a step would grow beyond its limit.

    >>> from bpe_core.text.normalizers import Form
    >>> check_steps((Form("NFKD"),), "ﷺ" * 4_000_000)
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The step 'NFKD' of the normalizer makes a text of ...
    """
    if bounded(steps, text) > MOST_CHARACTERS:
        longest(steps, text)


def bounded(steps: Sequence[Step], text: str) -> int:
    """Upper bound on the characters that the steps produce from any text of this kind and length.

    >>> from bpe_core.text.normalizers import Form
    >>> bounded((Form("NFKC"),), "low"), bounded((Form("NFKC"),), "löw")
    (3, 54)
    """
    growths = []
    ascii = text.isascii()
    for step in steps:
        growth = getattr(step, "growth", None)
        growths.append(_UNKNOWN if growth is None else growth(ascii))
        ascii = ascii and growths[-1] == 1 and not getattr(step, "writes_beyond_ascii", False)
    return len(text) * max(1, prod(growths))


def rewritten(step: Step, text: str) -> str:
    """Result of a step without the alignment.

    >>> from bpe_core.text.normalizers import Lowercase
    >>> rewritten(Lowercase(), "Low")
    'low'
    """
    rewrite = getattr(step, "rewrite", None)
    changed: str = step.change(text)[0] if rewrite is None else rewrite(text)
    return changed
