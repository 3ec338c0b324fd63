"""Named splits with other groups of digits: single digits, or threes counted from the left or from the right.

Source: Singh and Strouse, "Tokenization counts: the impact of tokenization on arithmetic in frontier LLMs" (2024),
arXiv 2402.14903: in groups from the right, digits of equal place value always have the same position in their group.
"""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import checks
from bpe_core.text.splits import PATTERNS

GROUPS = {
    "one": r"\p{N}",
    "left": r"\p{N}{1,3}",
    "right": r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))",
}
"""Patterns of a group of digits, by the grouping. From the right, each group looks to the end of its number: the time
grows with the square of a number's length, and one of 100,000 digits exceeds the limit of a custom pattern."""

_NUMBERS = {"gpt2": r" ?\p{N}+", "cl100k": r"\p{N}{1,3}+", "o200k": r"\p{N}{1,3}"}
"""Pattern of a number in each named split that has one."""

SPLITS_WITH_DIGITS = tuple(_NUMBERS)
AS_SPLIT = "split"
"""Grouping of the split itself: GPT-2 leaves it to the merges, cl100k and o200k make threes from the left."""

DIGITS = (AS_SPLIT, *GROUPS)


class DigitSplit(NamedTuple):
    """A named split, and the grouping of its digits.

    >>> digits_of("o200k")
    DigitSplit(split='o200k', digits='split')
    """

    split: str
    digits: str


def with_digits(split: str, digits: str) -> str:
    """Split, as a name or a pattern, with the words of a named split but other groups of digits.

    split   "gpt2", "cl100k" or "o200k"
    digits  "one", "left" or "right" (threes), or "split" for the split itself

    A space before a number is then a word of its own, as in cl100k. Raises ConfigError for other values.

    >>> from bpe_core.text.splits import Split
    >>> [Split(with_digits("gpt2", digits)).words("+1234567") for digits in ("one", "left", "right")]
    [['+', '1', '2', '3', '4', '5', '6', '7'], ['+', '123', '456', '7'], ['+', '1', '234', '567']]
    >>> with_digits("cl100k", "left")
    'cl100k'
    """
    checks.choice(split, "split", SPLITS_WITH_DIGITS)
    checks.choice(digits, "digits", DIGITS)
    if digits == AS_SPLIT or (digits == "left" and split != "gpt2"):
        return split
    # `$` differs between regex libraries; after all white space, a place without a character after it is the end.
    return PATTERNS[split].replace(_NUMBERS[split], GROUPS[digits]).replace(r"\s++$", r"\s++(?!\S)")


def digits_of(split: str) -> DigitSplit | None:
    """The named split and the grouping from which `with_digits` made a split; None for any other split.

    >>> digits_of(with_digits("gpt2", "right")), digits_of(r"\\w+")
    (DigitSplit(split='gpt2', digits='right'), None)
    """
    return _MADE.get(split)


_MADE = {
    with_digits(split, digits): DigitSplit(split, digits) for digits in reversed(DIGITS) for split in SPLITS_WITH_DIGITS
}
