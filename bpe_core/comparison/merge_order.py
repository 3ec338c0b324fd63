"""Order of merges in two tokenizers that both have all the tokens of a region."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from bpe_core.bpe.word_encoding import Merging
from bpe_core.comparison.evidence import Piece, Side, after_another, tokens
from bpe_core.language import Sentence, sentence

LONGEST_REPLAY = 300
"""Symbols of a region up to which its merges are replayed to name the earlier; longer ones get a general sentence."""


def earlier_merge(a: Side, b: Side) -> Sentence:
    """Sentence on why two tokenizers with ranks differ: the first overlapping merges, else a merge missing from one.

    >>> from bpe_core import TrainConfig, train
    >>> from bpe_core.comparison.boundaries import SegmentedText
    >>> models = [train(text, TrainConfig(vocab_size=257)).tokenizer() for text in ("ab ab", "bc bc")]
    >>> a, b = (SegmentedText(name, model, model.encode("abc")) for name, model in zip("ab", models, strict=True))
    >>> a, b = (Side(each, each.region(0, 3)) for each in (a, b))
    >>> earlier_merge(a, b)[0]
    'Both have all of these tokens; the order of the merges decides. In a, '
    >>> [(step.rank, step.start, step.end) for step in replay(b)]
    [(0, 1, 3)]
    """
    left, right = list(replay(a)), list(replay(b))
    for step in left:
        against = next((other for other in right if _overlap(step, other)), None)
        if against is not None:
            return after_another(
                sentence("Both have all of these tokens; the order of the merges decides."),
                _comes_first(a, step, against),
                _comes_first(b, against, step),
            )
    for side, steps, rival in ((a, left, b), (b, right, a)):
        boundaries = {*rival.region.starts, *rival.region.ends}
        crossing = next((s for s in steps if any(s.start < at < s.end for at in boundaries)), None)
        if crossing is not None:
            return sentence(
                "Both have all of these tokens, but not all of the merges that lead to them. {name} joins {left} + "
                "{right} (rank {rank:,}); {other} has no merge of this pair.",
                name=side.name,
                left=crossing.left,
                right=crossing.right,
                rank=crossing.rank,
                other=rival.name,
            )
    return _another_order(a, b)


class _Applied(NamedTuple):
    """One merge of a replay: its side, the ids of the two tokens, and the bytes start … middle … end of the region."""

    side: Side
    pair: tuple[int, int]
    rank: int
    start: int
    middle: int
    end: int

    @property
    def left(self) -> Piece:
        """The left token."""
        return self._piece(self.pair[0])

    @property
    def right(self) -> Piece:
        """The right token."""
        return self._piece(self.pair[1])

    @property
    def texts(self) -> tuple[bytes, bytes]:
        """Texts of the two tokens, without marks."""
        return self.side.plain(self.pair[0], self.start), self.side.plain(self.pair[1], self.middle)

    def _piece(self, token_id: int) -> Piece:
        return Piece(self.side.tokenizer.token_bytes(token_id), self.side.name, token_id)


def _comes_first(side: Side, step: _Applied, other: _Applied) -> Sentence:
    """Merge with its rank, and this tokenizer's rank of the other merge if it is higher or missing."""
    spelled = [
        side.written(text, start, end)
        for text, start, end in zip(other.texts, (other.start, other.middle), (other.middle, other.end), strict=True)
    ]
    left, right = map(side.tokenizer.token_id, spelled)
    known = None if left is None or right is None else side.tokenizer.merge_of(left, right)
    named: dict[str, Any] = {"name": side.name, "left": step.left, "right": step.right, "rank": step.rank}
    if known is not None and known[0] <= step.rank:
        return sentence("In {name}, {left} + {right} comes first (rank {rank:,}).", **named)
    named |= {"other_left": Piece(spelled[0]), "other_right": Piece(spelled[1])}
    if known is None:
        return sentence(
            "In {name}, {left} + {right} comes first (rank {rank:,}; {other_left} + {other_right}: no merge).", **named
        )
    return sentence(
        "In {name}, {left} + {right} comes first (rank {rank:,}; {other_left} + {other_right}: rank {other_rank:,}).",
        other_rank=known[0],
        **named,
    )


def replay(side: Side) -> Iterator[_Applied]:
    """Merges that make the region's tokens, in order; none for more than `LONGEST_REPLAY` symbols.

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.comparison.boundaries import SegmentedText
    >>> gpt2 = load_pretrained("gpt2")
    >>> segmentation = SegmentedText("gpt2", gpt2, gpt2.encode("low"))
    >>> side = Side(segmentation, segmentation.region(0, 3))
    >>> [(step.left.data, step.right.data, step.rank) for step in replay(side)]
    [(b'o', b'w', 322), (b'l', b'ow', 9319)]
    """
    merges = side.tokenizer.model.merges
    symbols = _symbols(side)
    if merges is None or len(symbols) > LONGEST_REPLAY:
        return
    offsets = [0, *accumulate(_lengths(side, symbols))]
    merging = Merging(symbols)
    for pair, rank, _ in merging.merges(merges.merge_of):
        yield _Applied(side, pair, rank, *(offsets[edge] for edge in merging.edges))


def _symbols(side: Side) -> list[int]:
    """Base symbols of the region."""
    tokenizer = side.tokenizer
    if tokenizer.model.unit == "byte":
        symbols = [tokenizer.token_id(bytes([byte])) for byte in side.region.data]
        return [symbol for symbol in symbols if symbol is not None]
    return [leaf for token_id in side.region.ids for leaf in tokenizer.tree(token_id).leaves()]


def _lengths(side: Side, symbols: Sequence[int]) -> list[int]:
    """Bytes of the region that each base symbol covers: marks cover none, unless they replace a space."""
    if side.tokenizer.model.unit == "byte":
        return [1] * len(symbols)
    found: list[int] = []
    start = 0
    for symbol in symbols:
        found.append(len(side.plain(symbol, start)))
        start += found[-1]
    return found


def _overlap(a: _Applied, b: _Applied) -> bool:
    """Whether the bytes of two merges overlap, and neither contains the other."""
    return a.start < b.start < a.end < b.end or b.start < a.start < b.end < a.end


def _another_order(a: Side, b: Side) -> Sentence:
    return sentence(
        "Both have all of these tokens, but apply their merges in different orders: {name} arrives at {tokens}, "
        "{other} at {other_tokens}.",
        name=a.name,
        tokens=tokens(a, range(len(a.region.ids))),
        other=b.name,
        other_tokens=tokens(b, range(len(b.region.ids))),
    )
