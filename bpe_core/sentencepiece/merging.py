"""How SentencePiece's BPE segments a word, step by step: the library itself returns only the result."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple


class PieceMerge(NamedTuple):
    """A word before the first merge, or after one.

    `scores`: for every two neighbours, the score of the piece that they would make; None if that is not a piece. `at`:
    the index of the piece that the merge made; None before the first merge.

    >>> merge_pieces("ug", {"ug": -0.0})[1]
    PieceMerge(pieces=('ug',), scores=(), at=0)
    """

    pieces: tuple[str, ...]
    scores: tuple[float | None, ...]
    at: int | None


def merge_pieces(word: str, scores: Mapping[str, float]) -> list[PieceMerge]:
    """Merge the two neighbours that make the piece with the highest score, leftmost on a tie, until no two make one.

    `word`: as the model sees it, with ▁ in place of the space before it; `scores`: those of the pieces, without special
    tokens. In a BPE model a piece's score is minus its rank, so that the earliest merge is applied first.

    Source: `Model::SampleEncode` of https://github.com/google/sentencepiece (src/bpe_model.cc).

    >>> [step.pieces for step in merge_pieces("hugs", {"ug": -0.0, "hug": -1.0, "gs": -2.0})]
    [('h', 'u', 'g', 's'), ('h', 'ug', 's'), ('hug', 's')]
    """
    pieces = tuple(word)
    steps = [PieceMerge(pieces, _scores(pieces, scores), None)]
    while (best := max((score for score in steps[-1].scores if score is not None), default=None)) is not None:
        at = steps[-1].scores.index(best)
        pieces = (*pieces[:at], pieces[at] + pieces[at + 1], *pieces[at + 2 :])
        steps.append(PieceMerge(pieces, _scores(pieces, scores), at))
    return steps


def _scores(pieces: tuple[str, ...], scores: Mapping[str, float]) -> tuple[float | None, ...]:
    return tuple(scores.get(left + right) for left, right in pairwise(pieces))
