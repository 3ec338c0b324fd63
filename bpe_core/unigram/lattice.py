"""Segmentations of a word, its lattice, and the best path through it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from bpe_core import checks
from bpe_core.bpe.config import UNKNOWN, TrainConfig
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message, term
from bpe_core.tokenizer.segmented_words import as_bytes
from bpe_core.unigram.paths import Paths

UNKNOWN_PENALTY = 10.0
"""Score of an unknown character above the highest score of a piece."""

UnknownRule = Literal["characters", "word"]
UNKNOWN_RULES: tuple[UnknownRule, ...] = ("characters", "word")
"""Extent of <unk> for an unknown character: itself, joined with unknown neighbours, or its whole word."""


class Segmentation(NamedTuple):
    """Segmentation of a word, and its score: the sum over its pieces; lower is better, 0.0 would be certain.

    >>> from bpe_core import UnigramModel
    >>> UnigramModel({"a": 2.0, "aa": 3.0}).best("aaa")
    Segmentation(pieces=('a', 'aa'), score=5.0)
    """

    pieces: tuple[str, ...]
    score: float


class LatticeEdge(NamedTuple):
    """Piece that fits into a word from character `start` to character `end`, with its values in Viterbi's algorithm.

    `score`: that of the piece. `total`: best score of the word up to `end` if this is its last piece. `best`: whether
    the best path to `end` ends with it. `chosen`: whether it is part of the best segmentation of the whole word.
    `unknown`: whether it is not a piece, but a character that no piece spells.

    >>> from bpe_core import UnigramModel
    >>> UnigramModel({"a": 2.0, "aa": 3.0}).lattice("aa")[1]
    LatticeEdge(start=0, end=2, piece='aa', score=3.0, total=3.0, best=True, chosen=True, unknown=False)
    """

    start: int
    end: int
    piece: str
    score: float
    total: float
    best: bool
    chosen: bool
    unknown: bool = False


def checked_scores(scores: object) -> dict[str, float]:
    """Return scores by piece. Raises ConfigError for anything but a mapping of pieces to numbers.

    >>> checked_scores({"a": 2.0})
    {'a': 2.0}
    """
    known = dict(checks.mapping(scores, message("The scores"), message("pieces to numbers")))
    a_piece = message("A piece")
    for piece, score in known.items():
        checks.utf8_text(piece, a_piece)
        if not checks.is_number(score):
            raise ConfigError(
                message("The score of {piece} is {score}.", piece=quoted(piece), score=quoted(score)),
                limit=message("A score is a number."),
                remedy=message("Correct it."),
            )
    return known


def checked_counts(counts: object) -> dict[str, int]:
    """Return pieces with counts, in order. Raises ConfigError for counts that are not whole numbers above 0.

    >>> checked_counts({"a": 2})
    {'a': 2}
    """
    given = checks.mapping(counts, message("The counts"), message("pieces to whole numbers"))
    return {
        piece: checks.whole_number(count, message("The count of {token}", token=quoted(piece)), 1)
        for piece, count in given.items()
    }


def checked_special(special_tokens: Sequence[str]) -> tuple[str, ...]:
    """Special tokens, <unk> at the end if it is missing. Raises ConfigError as TrainConfig does.

    >>> checked_special(["<cls>", "<sep>"]), checked_special(["<unk>", "<pad>"])
    (('<cls>', '<sep>', '<unk>'), ('<unk>', '<pad>'))
    """
    tokens = TrainConfig(unit="char", special_tokens=special_tokens).special_tokens  # type: ignore[arg-type]
    return tokens if UNKNOWN in tokens else (*tokens, UNKNOWN)


_THE_WORD, _STR = term("subject", "The word"), message("a str")


def checked_word(word: object) -> str:
    """Return a word. Raises ConfigError for anything but a str.

    >>> checked_word("low")
    'low'
    """
    return checks.joined_pairs(checks.instance(word, _THE_WORD, str, _STR))


def unknown_score(scores: Iterable[float]) -> float:
    """Score of an unknown character in a model with these piece scores.

    >>> unknown_score([2.0, 3.0])
    13.0
    """
    return max(scores, default=0.0) + UNKNOWN_PENALTY


def too_many(word: str, segmentations: int, most: int) -> ConfigError:
    """Error for a word with more segmentations than are listed.

    >>> too_many("aaa", 10**13, 10).problem
    "'aaa' has more than 10¹² segmentations."
    """
    number = f"{segmentations:,}" if segmentations < 10**12 else message("more than 10¹²")
    return ConfigError(
        message("{word} has {number} segmentations.", word=quoted(word), number=number),
        limit=message("At most {most:,} are listed.", most=most),
        remedy=message("Ask for the best 10, or for a shorter word."),
    )


def best_path(back: Sequence[int | None]) -> list[tuple[int, int]]:
    """Pieces of the best path as (start, end), in order; empty if there is no path.

    `back`: for every character offset in the word, where the last piece of the best path to it begins, or None.

    >>> best_path([None, 0, 0, 2])
    [(0, 2), (2, 3)]
    """
    path: list[tuple[int, int]] = []
    end = len(back) - 1
    while (start := back[end]) is not None:
        path.append((start, end))
        end = start
    return path[::-1]


def best_segmentations(word: str, edges: Iterable[tuple[int, int, float]], n: int) -> Iterator[Segmentation]:
    """The `n` best segmentations, from the `n` best paths to every offset.

    `edges`: (start, end, score) of every piece that fits, ordered by start and then end; lower scores are better.

    >>> [found.pieces for found in best_segmentations("aa", [(0, 1, 2.0), (0, 2, 3.0), (1, 2, 2.0)], 2)]
    [('aa',), ('a', 'a')]
    """
    for path, score in Paths(len(word), ((start, end, -score) for start, end, score in edges)).best(n):
        yield Segmentation(tuple(word[start:end] for start, end in path), -score)


def joined_unknown(
    word: str,
    path: Iterable[tuple[int, int]],
    ids: Mapping[str, int],
    unknown_id: int | None,
    byte_ids: Sequence[int] | None,
) -> Iterator[tuple[int, int]]:
    """Tokens on a path as (id, bytes), each run of unknown characters joined, as in the tokenizers library.

    A run becomes the piece that it spells, else its bytes if all of them have ids (`byte_ids`, -1 for none), else
    unknown.

    >>> list(joined_unknown("hxy", [(0, 1), (1, 2), (2, 3)], {"<unk>": 0, "h": 1}, 0, None))
    [(1, 1), (0, 2)]
    """
    steps = ((start, end, ids.get(word[start:end], unknown_id)) for start, end in path)
    for unknown, group in groupby(steps, key=lambda step: step[2] == unknown_id):
        run = list(group)
        if unknown:
            text = word[run[0][0] : run[-1][1]]
            data = as_bytes(text)
            as_byte_ids = [byte_ids[byte] for byte in data] if byte_ids is not None else [-1]
            if text not in ids and min(as_byte_ids) >= 0:
                yield from ((token_id, 1) for token_id in as_byte_ids)
                continue
            run = [(run[0][0], run[-1][1], ids.get(text, unknown_id))]
        for start, end, token_id in run:
            assert token_id is not None  # an unknown character is on the path only if there is an id for it
            yield token_id, len(as_bytes(word[start:end]))
