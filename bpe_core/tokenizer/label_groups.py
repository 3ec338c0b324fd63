"""Entities from scores per token: words and groups as in the token classification pipeline of transformers.

Implements the published rules of that library, without its code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.tokenizer.labels import OUTSIDE, Ranges, checked_ranges

AggregationStrategy: TypeAlias = Literal["none", "simple", "first", "max", "average"]
AGGREGATIONS: tuple[AggregationStrategy, ...] = ("none", "simple", "first", "max", "average")
"""Strategies that turn scores per token into entities, named as in the transformers library."""

Scores: TypeAlias = "Sequence[Sequence[float]] | npt.NDArray[np.floating]"


class Tagged(NamedTuple):
    """A token or a word with its tag, the tag's score, and its tokens first … stop - 1.

    >>> Tagged(0, 4, "B-PER", 0.9, 0, 1).tag
    'B-PER'
    """

    start: int
    end: int
    tag: str
    score: float
    first: int
    stop: int


class Entity(NamedTuple):
    """An entity in a text: its label, the mean score of its members, and its tokens first … stop - 1.

    >>> Entity(0, 4, "PER", 0.9, 0, 1).label
    'PER'
    """

    start: int
    end: int
    label: str
    score: float
    first: int
    stop: int


def aggregate(
    scores: Scores,
    tags: Sequence[str],
    ranges: Ranges,
    words: Sequence[int | None],
    strategy: AggregationStrategy,
) -> list[Tagged]:
    """Tag of each token ("none", "simple") or of each word ("first", "max", "average").

    scores  one row per token, one column for each of `tags`
    words   word of each token; consecutive tokens of the same word form that word, None is a separate word

    A token's tag is the one with the highest score; on a tie, the first. A word gets that of its "first" token, of the
    token with the "max" score (on a tie, the earlier), or the highest "average" of its tokens' scores. Tokens of an
    empty range are skipped. Raises ConfigError for scores that are not finite, and for arguments of different sizes.

    >>> scores = [[0.1, 0.6, 0.3], [0.0, 0.2, 0.8]]
    >>> for strategy in AGGREGATIONS[2:]:
    ...     print(aggregate(scores, ["O", "B-PER", "I-LOC"], [(0, 2), (2, 5)], [0, 0], strategy))
    [Tagged(start=0, end=5, tag='B-PER', score=0.6, first=0, stop=2)]
    [Tagged(start=0, end=5, tag='I-LOC', score=0.8, first=0, stop=2)]
    [Tagged(start=0, end=5, tag='I-LOC', score=0.55, first=0, stop=2)]
    """
    checks.choice(strategy, "strategy", AGGREGATIONS)
    pairs = checked_ranges(ranges)
    given = _checked_scores(scores, tags, len(pairs))
    if len(checks.sequence(words, "words", message("the number of each token's word, or None"))) != len(pairs):
        raise ConfigError(
            message("{name} has {size:,} entries.", name="words", size=len(words)),
            limit=message("There are {wanted:,} ranges.", wanted=len(pairs)),
            remedy=message("Give one for each token."),
        )
    for word in words:
        if word is not None:
            checks.whole_number(word, message("A word"), None)
    kept = [token for token, (start, end) in enumerate(pairs) if start < end]
    if strategy in ("none", "simple"):
        members = [[token] for token in kept]
    else:
        numbered = ((("token", token) if words[token] is None else ("word", words[token]), token) for token in kept)
        members = [[token for _, token in each] for _, each in groupby(numbered, key=lambda each: each[0])]
    found = []
    for each in members:
        row = _row_of(given[each], strategy)
        best = int(row.argmax())
        found.append(Tagged(pairs[each[0]][0], pairs[each[-1]][1], tags[best], float(row[best]), each[0], each[-1] + 1))
    return found


def grouped(members: Iterable[Tagged]) -> list[Entity]:
    """Entities formed by consecutive tagged tokens or words, in IOB1 or IOB2, except those with the tag O.

    A tag B- or another label begins an entity; a tag without B- or I- counts as I-. The score of an entity is the mean
    of its members'.

    >>> grouped([Tagged(0, 2, "B-LOC", 0.9, 0, 1), Tagged(2, 6, "LOC", 0.7, 1, 2)])
    [Entity(start=0, end=6, label='LOC', score=0.8, first=0, stop=2)]
    """
    found: list[list[Tagged]] = []
    label = ""
    for each in members:
        prefix, name = _prefix(each.tag)
        if found and prefix == "I" and name == label:
            found[-1].append(each)
        else:
            found.append([each])
        label = name
    return [
        Entity(
            each[0].start,
            each[-1].end,
            _prefix(each[0].tag)[1],
            float(np.mean([member.score for member in each])),
            each[0].first,
            each[-1].stop,
        )
        for each in found
        if each[0].tag != OUTSIDE
    ]


def entities(
    scores: Scores,
    tags: Sequence[str],
    ranges: Ranges,
    words: Sequence[int | None],
    strategy: AggregationStrategy,
) -> list[Entity]:
    """Result of the token classification pipeline under a strategy: `aggregate`, then `grouped` unless it is "none".

    Under "none" every token that is not O is a separate entity, with its whole tag as the label. Raises as `aggregate`.

    >>> scores = [[0.2, 0.8, 0.0], [0.2, 0.0, 0.8]]
    >>> for strategy in ("none", "simple"):
    ...     found = entities(scores, ["O", "B-PER", "I-PER"], [(0, 2), (2, 5)], [0, 0], strategy)
    ...     print([(each.label, each.start, each.end) for each in found])
    [('B-PER', 0, 2), ('I-PER', 2, 5)]
    [('PER', 0, 5)]
    """
    found = aggregate(scores, tags, ranges, words, strategy)
    return [Entity(*each) for each in found if each.tag != OUTSIDE] if strategy == "none" else grouped(found)


# -- parts -------------------------------------------------------------------------------------------------------


def _prefix(tag: str) -> tuple[str, str]:
    """Split a tag into B or I, and the label; a tag without a prefix counts as I."""
    return (tag[0], tag[2:]) if tag.startswith(("B-", "I-")) else ("I", tag)


def _row_of(scores: npt.NDArray[np.float64], strategy: AggregationStrategy) -> npt.NDArray[np.float64]:
    """Scores that determine the tag of a word."""
    if strategy == "average":
        return np.asarray(scores.mean(axis=0), np.float64)
    return np.asarray(scores[int(scores.max(axis=1).argmax()) if strategy == "max" else 0], np.float64)


def _checked_scores(scores: Scores, tags: Sequence[str], count: int) -> npt.NDArray[np.float64]:
    """Scores as a matrix with one row per token."""
    if not tags or not all(isinstance(tag, str) and tag for tag in tags):
        raise checks.wrong(tags, "tags", message("It takes the names of the scores."), message("Give one or more."))
    try:
        found = np.array(scores, np.float64).reshape(len(scores), -1 if len(scores) else len(tags))
    except (TypeError, ValueError):
        raise checks.wrong(scores, "scores", message("It takes a row of numbers for each token.")) from None
    if found.shape != (count, len(tags)):
        raise ConfigError(
            message("scores has {rows:,} rows of {columns:,}.", rows=found.shape[0], columns=found.shape[1]),
            limit=message(
                "It takes a row for each of {tokens:,} tokens, a column for each of {tags:,} tags.",
                tokens=count,
                tags=len(tags),
            ),
            remedy=message("Correct it."),
        )
    if not np.isfinite(found).all():
        raise ConfigError(
            message("A score is {score}.", score=quoted(float(found[~np.isfinite(found)][0]))),
            limit=message("It takes finite numbers."),
            remedy=message("Correct it."),
        )
    return found
