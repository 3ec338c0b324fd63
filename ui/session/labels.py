"""Entity marks over Pipeline's text and example scores of its tokens, in the format of links."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeVar

from bpe_core.tokenizer.label_groups import AGGREGATIONS, AggregationStrategy
from bpe_core.tokenizer.labels import OUTSIDE, Span
from ui.session.items import Item, is_a, is_count, one_of, or_none
from ui.session.limits import LONGEST_TEXT

LABELS = ("PER", "LOC", "ORG", "MISC")
TAGS = (OUTSIDE, *(f"{prefix}-{label}" for label in ("MISC", "PER", "ORG", "LOC") for prefix in "BI"))
"""Tags in the order of their ids in CoNLL-2003 models on the Hugging Face hub."""

MOST_MARKS = 100
MOST_GUESSES = 100
DECIMALS = 4
"""Decimals of a score: percent with two decimals in links."""

_MARK = re.compile(r"(PER|LOC|ORG|MISC)\.(\d{1,7})-(\d{1,7})", re.ASCII)
_GUESS = re.compile(r"(\d{1,7})-(\d{1,7})\.(\d{1,2})\.([A-Z-]{1,6})\.(\d{2,3}(?:\.\d{1,2})?)\.([A-Z-]{1,6})", re.ASCII)


Kind = TypeVar("Kind")


class Guess(NamedTuple):
    """Example scores of a token: a tag with its score to four decimals, and a second tag with the remainder.

    The token is identified by its character range, and by its index among tokens of the same range.
    """

    start: int
    end: int
    nth: int
    first: str
    score: float
    second: str

    @property
    def rest(self) -> float:
        """Score of the second tag."""
        return round(1 - self.score, DECIMALS)

    @property
    def place(self) -> tuple[int, int, int]:
        """Identity of the token: character range and index."""
        return self.start, self.end, self.nth


def mark_of(written: str) -> Span | None:
    """Parse a mark from a link; None if invalid.

    >>> mark_of("PER.5-9"), mark_of("PER.9-5"), mark_of("O.5-9")
    (Span(start=5, end=9, label='PER'), None, None)
    """
    found = _MARK.fullmatch(written)
    if found is None or not int(found[2]) < int(found[3]) <= LONGEST_TEXT:
        return None
    return Span(int(found[2]), int(found[3]), found[1])


def mark_written(span: Span) -> str:
    """Format a mark for a link.

    >>> mark_written(Span(5, 9, "PER"))
    'PER.5-9'
    """
    return f"{span.label}.{span.start}-{span.end}"


def guess_of(written: str) -> Guess | None:
    """Parse the scores of a token from a link; None if invalid.

    >>> guess_of("5-9.0.B-PER.55.I-LOC")
    Guess(start=5, end=9, nth=0, first='B-PER', score=0.55, second='I-LOC')
    >>> guess_of("5-9.0.B-PER.99.94.O").score
    0.9994
    >>> guess_of("5-9.0.B-PER.45.I-LOC"), guess_of("5-9.0.B-PER.55.B-PER"), guess_of("5-9.0.B-X.55.O")
    (None, None, None)
    """
    found = _GUESS.fullmatch(written)
    if found is None:
        return None
    start, end, nth = (int(found[number]) for number in (1, 2, 3))
    made = Guess(start, end, nth, found[4], round(float(found[5]) / 100, DECIMALS), found[6])
    return made if start < end <= LONGEST_TEXT and is_guess(made.first, made.score, made.second) else None


def is_guess(first: object, score: object, second: object) -> bool:
    """Whether these are two different tags, the first with at least half of the score."""
    return first in TAGS and second in TAGS and first != second and _is_score(score)


def guess_written(guess: Guess) -> str:
    """Format the scores of a token for a link.

    >>> guess_written(Guess(5, 9, 0, "B-PER", 0.55, "I-LOC")), guess_written(Guess(5, 9, 0, "B-PER", 0.9994, "O"))
    ('5-9.0.B-PER.55.I-LOC', '5-9.0.B-PER.99.94.O')
    """
    return f"{guess.start}-{guess.end}.{guess.nth}.{guess.first}.{guess.score * 100:.5g}.{guess.second}"


def _are_marks(value: object) -> bool:
    """Whether these are valid marks in text order, without overlaps."""
    found = _all(value, mark_of, MOST_MARKS)
    return found is not None and all(one.end <= other.start for one, other in pairwise(found))


def _are_guesses(value: object) -> bool:
    """Whether these are valid scores in text order, at most one per token."""
    found = _all(value, guess_of, MOST_GUESSES)
    return found is not None and all(one.place < other.place for one, other in pairwise(found))


def _all(value: object, read: Callable[[str], Kind | None], most: int) -> list[Kind] | None:
    if not isinstance(value, list) or len(value) > most:
        return None
    found = [read(each) if isinstance(each, str) else None for each in value]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


MARKS: Item[list[str]] = Item("pipeline marks", [], _are_marks)
GUESSES: Item[list[str]] = Item("pipeline scores", [], _are_guesses)
MARKED = Item("pipeline marked text", "", is_a(str))
"""The text under the marks."""

SCORED: Item[int | None] = Item("pipeline scored token", None, or_none(is_count))
AGGREGATION: Item[AggregationStrategy] = Item("pipeline aggregation", "simple", one_of(*AGGREGATIONS))
LABELS_COPY = Item("pipeline labels as", "table", one_of("table", "python", "json", "csv"))


def guess_fields(default: Guess) -> tuple[Item[str], Item[float], Item[str]]:
    """Fields for the scores of a token: its tag, score, and second tag.

    Keys contain the default scores, so another token or other marks get new fields: a browser that lags behind would
    otherwise send old field values as new choices.
    """
    of = guess_written(default)
    return (
        Item(f"pipeline first guess {of}", default.first, one_of(*TAGS)),
        Item(f"pipeline first score {of}", default.score, _is_score),
        Item(f"pipeline second guess {of}", default.second, one_of(*TAGS)),
    )


def _is_score(value: object) -> bool:
    return isinstance(value, float) and 0.5 <= value <= 1
