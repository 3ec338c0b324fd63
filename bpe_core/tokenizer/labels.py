"""Labels of tokens: spans of a text as IOB1 and IOB2 tags.

Ranges are those of the tokens in an encoding, (start, end) in characters of the text. A token of an empty range (a
special token of a template) is not part of the text: its tag is None, and training ignores it (`IGNORED`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from bpe_core import checks
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message

OUTSIDE = "O"
"""Tag of a token outside of every span."""

IGNORED = -100
"""Label id of a token that training ignores, as in PyTorch's cross entropy."""

Ranges: TypeAlias = Sequence[tuple[int, int]]


class Span(NamedTuple):
    """A labelled part of a text, in characters.

    >>> "Anna told Tom"[Span(10, 13, "PER").start : 13]
    'Tom'
    """

    start: int
    end: int
    label: str


class Placed(NamedTuple):
    """Tokens of a span.

    tokens  indices of the tokens that get its label; empty if none overlap or all belong to other spans
    before  characters of its first token before the span: more than 0 if it begins inside that token
    after   characters of its last token after the span
    shared  whether a token over it already has the label of the previous span

    >>> placed([Span(1, 3, "LOC")], [(0, 4)])
    [Placed(tokens=(0,), before=1, after=1, shared=False)]
    """

    tokens: tuple[int, ...]
    before: int
    after: int
    shared: bool


# -- spans to tags -----------------------------------------------------------------------------------------------


def iob2(spans: Iterable[Span], ranges: Ranges) -> list[str | None]:
    """IOB2 tag of each token: B- on the first token of every span, I- on its others, O outside.

    None for a token of an empty range. A token belongs to the first span that contains one of its characters. Raises
    ConfigError for spans that are empty or overlap, and for a label that is "" or "O".

    >>> iob2([Span(0, 4, "PER"), Span(5, 8, "PER")], [(0, 2), (2, 4), (4, 8), (8, 11), (0, 0)])
    ['B-PER', 'I-PER', 'B-PER', 'O', None]
    """
    ordered, owners = _owned(spans, ranges)
    seen: set[int] = set()
    tags: list[str | None] = []
    for owner in owners:
        if owner is None or owner < 0:
            tags.append(None if owner is None else OUTSIDE)
            continue
        tags.append(f"{'I' if owner in seen else 'B'}-{ordered[owner].label}")
        seen.add(owner)
    return tags


def iob1(spans: Iterable[Span], ranges: Ranges) -> list[str | None]:
    """IOB1 tag of each token: B- only after a token of another span with the same label.

    Other rules and errors are those of `iob2`. Tokens of an empty range do not separate two others.

    >>> iob1([Span(0, 4, "PER"), Span(5, 8, "PER")], [(0, 2), (2, 4), (4, 8), (8, 11), (0, 0)])
    ['I-PER', 'I-PER', 'B-PER', 'O', None]
    """
    ordered, owners = _owned(spans, ranges)
    seen: set[int] = set()
    before = -1
    tags: list[str | None] = []
    for owner in owners:
        if owner is None:
            tags.append(None)
            continue
        if owner < 0:
            tags.append(OUTSIDE)
        else:
            label = ordered[owner].label
            begins = owner not in seen and 0 <= before != owner and ordered[before].label == label
            tags.append(f"{'B' if begins else 'I'}-{label}")
            seen.add(owner)
        before = owner
    return tags


def placed(spans: Sequence[Span], ranges: Ranges) -> list[Placed]:
    """Tokens of each span, in the order of `spans`, and whether it begins or ends inside a token.

    Raises ConfigError as `iob2`.

    >>> [each.tokens for each in placed([Span(5, 8, "PER"), Span(0, 4, "PER")], [(0, 2), (2, 4), (4, 8)])]
    [(2,), (0, 1)]
    >>> placed([Span(0, 1, "PER"), Span(1, 3, "LOC")], [(0, 2), (2, 3)])[1]
    Placed(tokens=(1,), before=0, after=0, shared=True)
    """
    given = list(spans)
    ordered, owners = _owned(given, ranges)
    found: list[list[int]] = [[] for _ in ordered]
    shared = [False] * len(ordered)
    for token, owner in enumerate(owners):
        if owner is None or owner < 0:
            continue
        found[owner].append(token)
        after = owner + 1
        while after < len(ordered) and ordered[after].start < ranges[token][1]:
            shared[after] = True
            after += 1
    places = {
        span.start: _placed(span, tokens, taken, ranges)
        for span, tokens, taken in zip(ordered, found, shared, strict=True)
    }
    return [places[span[0]] for span in given]


def trimmed(ranges: Ranges, text: str) -> list[tuple[int, int]]:
    """Trim white space from both ends of the ranges, so that " Tom" covers the three characters of "Tom".

    A token that is all white space keeps its range. `trim_offsets` of the tokenizers library does the same.

    >>> trimmed([(0, 4), (4, 8), (8, 9)], "Anna Tom ")
    [(0, 4), (5, 8), (8, 9)]
    """
    found = []
    for start, end in checked_ranges(ranges):
        token = text[start:end]
        inner = token.strip()
        lead = len(token) - len(token.lstrip()) if inner else 0
        found.append((start + lead, start + lead + len(inner)) if inner else (start, end))
    return found


def label_ids(tags: Iterable[str | None], names: Sequence[str]) -> list[int]:
    """Index of each tag in `names`, `IGNORED` for None: the targets of training.

    Raises ConfigError for a tag that is not in `names`.

    >>> label_ids(["B-PER", "O", None], ["O", "B-PER", "I-PER"])
    [1, 0, -100]
    """
    ids = {name: number for number, name in enumerate(names)}
    given = list(tags)
    unknown = next((tag for tag in given if tag is not None and tag not in ids), None)
    if unknown is not None:
        raise ConfigError(
            message("The tag {unknown} has no id.", unknown=quoted(unknown)),
            limit=message("The names are {names}.", names=", ".join(map(quoted, names))),
            remedy=message("Add it to the names."),
        )
    return [IGNORED if tag is None else ids[tag] for tag in given]


def checked_ranges(ranges: Ranges) -> list[tuple[int, int]]:
    """Ranges as pairs of ints. Raises ConfigError unless each is a start and an end.

    >>> checked_ranges([(0, 4)])
    [(0, 4)]
    """
    for each in checks.sequence(ranges, "ranges", message("pairs of start and end")):
        if not (checks.is_pair_of_ids(each) and 0 <= each[0] <= each[1]):
            raise ConfigError(
                message("A range is {each}.", each=quoted(each)),
                limit=message("It takes a start of 0 or more, and an end that is not before it."),
                remedy=message("Give the offsets of an encoding."),
            )
    return [(int(start), int(end)) for start, end in ranges]


# -- parts -------------------------------------------------------------------------------------------------------


def _owned(spans: Iterable[Span], ranges: Ranges) -> tuple[list[Span], list[int | None]]:
    """Spans in text order, and the index of each token's span: -1 for none, None for an empty token."""
    ordered = _checked_spans(spans)
    ends = [span.end for span in ordered]
    owners: list[int | None] = []
    for start, end in checked_ranges(ranges):
        if start == end:
            owners.append(None)
            continue
        at = bisect_right(ends, start)
        owners.append(at if at < len(ordered) and ordered[at].start < end else -1)
    return ordered, owners


def _placed(span: Span, tokens: list[int], shared: bool, ranges: Ranges) -> Placed:
    if not tokens:
        return Placed((), 0, 0, shared)
    first, last = ranges[tokens[0]], ranges[tokens[-1]]
    return Placed(tuple(tokens), max(0, span.start - first[0]), max(0, last[1] - span.end), shared)


def _checked_spans(spans: Iterable[Span]) -> list[Span]:
    """Spans in text order, checked."""
    found = []
    for given in spans:
        if not (isinstance(given, tuple) and len(given) == 3):
            raise ConfigError(
                message("A span is {given}.", given=quoted(given)),
                limit=message("It takes start, end and label."),
                remedy=message("Give a Span."),
            )
        start, end, label = given
        start, end = checks.whole_number(start, "start"), checks.whole_number(end, "end")
        if start >= end:
            raise ConfigError(
                message("The span {start:,} to {end:,} is empty.", start=start, end=end),
                limit=message("A span has at least one character."),
                remedy=message("Give an end after the start."),
            )
        if checks.utf8_text(label, message("A label")) in ("", OUTSIDE):
            raise ConfigError(
                message("The label of a span is {label}.", label=quoted(label)),
                limit=message("The tag O means no label."),
                remedy=message("Give the span another label, or leave it out."),
            )
        found.append(Span(start, end, label))
    found.sort()
    for one, other in pairwise(found):
        if other.start < one.end:
            raise ConfigError(
                message(
                    "The spans {start:,} to {end:,} and {other_start:,} to {other_end:,} overlap.",
                    start=one.start,
                    end=one.end,
                    other_start=other.start,
                    other_end=other.end,
                ),
                limit=message("A token has one tag."),
                remedy=message("Keep one of them."),
            )
    return found
