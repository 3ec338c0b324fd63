"""SentencePiece's BPE segmentation step by step: the library returns only the result."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple


class PieceMerge(NamedTuple):
    """State of a word before the first merge or after a merge.

    `scores`: for each adjacent pair, the score of the merged piece; None if it is not in the vocabulary. `at`: the
    index of the piece just merged; None before the first merge.

    >>> merge_pieces("ug", {"ug": -0.0})[1]
    PieceMerge(pieces=('ug',), scores=(), at=0)
    """

    pieces: tuple[str, ...]
    scores: tuple[float | None, ...]
    at: int | None


def merge_pieces(word: str, scores: Mapping[str, float]) -> list[PieceMerge]:
    """Repeatedly merge the adjacent pair with the highest-scoring piece, leftmost on a tie, until none is left.

    `word`: the model's input, with ▁ for the space before it. `scores`: of all pieces except special tokens. In a BPE
    model a piece's score is minus its rank, so the earliest merge is applied first.

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
