"""Which of two tokenizers merges what first, where both have the tokens to cut alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bpe_core import reference
from bpe_core.evidence import Piece, Sentence, View, tokens
from bpe_core.tokenizer import TokenNode

LONGEST_REPLAY = 300
"""Symbols of a stretch that are merged again to name the earlier merge; beyond that the sentence is a general one."""


def earlier_merge(a: View, b: View) -> Sentence:
    """The first merge of one that takes a part of what a merge of the other joins."""
    mine, theirs = list(replay(a)), list(replay(b))
    for step in mine:
        against = next((other for other in theirs if _overlap(step, other)), None)
        if against is not None:
            return (
                "Both hold all of these tokens; the order of the merges decides. ",
                *_comes_first(a, step, against),
                " ",
                *_comes_first(b, against, step),
            )
    for view, steps, rival in ((a, mine, b), (b, theirs, a)):
        edges = {*rival.stretch.starts, *rival.stretch.ends}
        crossing = next((s for s in steps if any(s.start < edge < s.end for edge in edges)), None)
        if crossing is not None:
            return (
                f"Both hold all of these tokens, but not all merges that lead there. {view.name} joins ",
                crossing.left,
                " + ",
                crossing.right,
                f" (rank {crossing.rank:,}); {rival.name} has no merge of these two.",
            )
    return _another_order(a, b)


class _Applied(NamedTuple):
    """One merge of a replay: the two tokens, the merge's rank, and the bytes start … end that it joins."""

    left: Piece
    right: Piece
    rank: int
    start: int
    end: int


def _comes_first(view: View, step: _Applied, other: _Applied) -> Sentence:
    return (
        f"In {view.name}, ",
        step.left,
        " + ",
        step.right,
        f" comes first (rank {step.rank:,}",
        *_rank_of(view, other, step.rank),
        ").",
    )


def _rank_of(view: View, step: _Applied, after: int) -> Sentence:
    """The rank that the other tokenizer's merge has in this one, where it comes after a rank; or that it has none."""
    left, right = view.tokenizer.token_id(step.left.data), view.tokenizer.token_id(step.right.data)
    known = None if left is None or right is None else view.tokenizer.merge_of(left, right)
    pair = (Piece(step.left.data), " + ", Piece(step.right.data))
    if known is None:
        return ("; ", *pair, ": no merge")
    return ("; ", *pair, f": rank {known[0]:,}") if known[0] > after else ()


def replay(view: View) -> Iterator[_Applied]:
    """The merges that make the stretch's tokens, in their order; none for a very long stretch."""
    symbols = _symbols(view)
    if len(symbols) > LONGEST_REPLAY:
        return
    tokenizer = view.tokenizer
    mark = tokenizer.token_id(tokenizer.config.end_of_word.encode()) if tokenizer.config.end_of_word else None
    word = symbols
    lengths = [0 if symbol == mark else len(tokenizer.token_bytes(symbol)) for symbol in symbols]
    for step in reference.encode(symbols, tokenizer.merge_of):
        at = next(i for i, (old, new) in enumerate(zip(word, step.word, strict=False)) if old != new)
        start, joined = sum(lengths[:at]), lengths[at] + lengths[at + 1]
        left, right = (Piece(tokenizer.token_bytes(part), view.name, part) for part in word[at : at + 2])
        yield _Applied(left, right, step.rank, start, start + joined)
        word, lengths = step.word, [*lengths[:at], joined, *lengths[at + 2 :]]


def _symbols(view: View) -> list[int]:
    """The base symbols of the stretch."""
    tokenizer = view.tokenizer
    if tokenizer.config.unit == "byte":
        symbols = [tokenizer.token_id(bytes([byte])) for byte in view.stretch.data]
        return [symbol for symbol in symbols if symbol is not None]
    return [leaf for token_id in view.stretch.ids for leaf in _leaves(tokenizer.tree(token_id))]


def _leaves(node: TokenNode) -> Iterator[int]:
    pending = [node]
    while pending:
        current = pending.pop()
        if current.left is None or current.right is None:
            yield current.id
        else:
            pending += [current.right, current.left]


def _overlap(a: _Applied, b: _Applied) -> bool:
    """Whether two stretches overlap and neither holds the other."""
    return a.start < b.start < a.end < b.end or b.start < a.start < b.end < a.end


def _another_order(a: View, b: View) -> Sentence:
    return (
        f"Both hold all of these tokens, but their merges come in another order: {a.name} ends with ",
        *tokens(a, list(range(len(a.stretch.ids)))),
        f", {b.name} with ",
        *tokens(b, list(range(len(b.stretch.ids)))),
        ".",
    )
