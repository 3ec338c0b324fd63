"""Marks over a text: added, removed, and moved when the text changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bpe_core.text.normalization import replace_surrogates
from bpe_core.tokenizer.labels import Span
from ui.session import labels
from ui.session import pipeline as state
from ui.session.labels import MOST_MARKS, Guess, guess_of, guess_written, mark_of, mark_written

Place = tuple[int, int]


def marks() -> list[Span]:
    """The marks in text order."""
    return [span for written in labels.MARKS.get() if (span := mark_of(written))]


def guesses() -> list[Guess]:
    """The chosen scores in text order."""
    return [guess for written in labels.GUESSES.get() if (guess := guess_of(written))]


def keep_guesses(chosen: Iterable[Guess]) -> None:
    """Set the chosen scores."""
    labels.GUESSES.set([guess_written(each) for each in sorted(chosen)])


def marked_text() -> str:
    """The marked text, as the tokenizer gets it."""
    return replace_surrogates(state.TEXT.get())[0]


def follow_typing() -> None:
    """Keep marks and scores on their words after an edit of the text."""
    before, after = labels.MARKED.get(), marked_text()
    labels.MARKED.set(after)
    if before == after or not (labels.MARKS.get() or labels.GUESSES.get()):
        return
    kept = [(span, moved((span.start, span.end), before, after)) for span in marks()]
    labels.MARKS.set([mark_written(Span(*place, span.label)) for span, place in kept if place])
    chosen = [(guess, moved((guess.start, guess.end), before, after)) for guess in guesses()]
    keep_guesses(guess._replace(start=place[0], end=place[1]) for guess, place in chosen if place)


def moved(place: Place, before: str, after: str) -> Place | None:
    """Range in the text after an edit at one position; None if the edit removed it.

    Text typed inside the range extends it; text typed beside it does not.

    >>> moved((5, 9), "told Anna", "She told Anna"), moved((5, 9), "told Anna", "told Annika")
    ((9, 13), (5, 11))
    """
    same = _common_prefix(before, after)
    tail = _common_prefix(before[same:][::-1], after[same:][::-1])
    until, by = len(before) - tail, len(after) - len(before)
    start, end = place
    if end <= same:
        return place
    if start >= until:
        return start + by, end + by
    if start <= same and until <= end and end + by > start and (start, end) != (same, until):
        return start, end + by
    return None


def _common_prefix(one: str, other: str) -> int:
    """Length of the common prefix of two texts."""
    most = min(len(one), len(other))
    return next((at for at in range(most) if one[at] != other[at]), most)


def with_mark(spans: Sequence[Span], start: int, end: int, label: str) -> list[Span]:
    """Add a mark, replacing those it overlaps; without a label, only remove these.

    >>> with_mark([Span(0, 4, "PER"), Span(5, 8, "PER")], 3, 5, "LOC")
    [Span(start=3, end=5, label='LOC'), Span(start=5, end=8, label='PER')]
    >>> with_mark([Span(0, 4, "PER")], 3, 5, "")
    []
    """
    kept = [span for span in spans if span.end <= start or end <= span.start]
    return sorted([*kept, Span(start, end, label)] if label else kept)[:MOST_MARKS]


def mark(start: int, end: int, label: str) -> None:
    """Mark characters of the text, or remove the marks over them if `label` is empty."""
    spans = with_mark(marks(), start, end, label)
    labels.MARKS.set([mark_written(span) for span in spans])
