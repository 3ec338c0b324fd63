"""A reason with its tokens as chips, for views."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from bpe_core.comparison.boundaries import Region
from bpe_core.comparison.evidence import Piece
from bpe_core.language import Sentence, current_language, message, translate
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.reasons import RegionTokens
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_core.comparison.comparison import Comparison

MOST_TOKENS = 24
"""Maximum number of tokens drawn per side of a disagreement; the rest are counted."""

CAUSE_TITLES: Mapping[str, str] = {
    "split": message("Split boundary"),
    "missing token": message("Missing token"),
    "earlier merge": message("Earlier merge"),
    "choice": message("Another choice"),
    "special token": message("Special token"),
    "normalization": message("Normalization"),
}

CAUSE_GLOSSES: Mapping[str, str] = {
    "split": message("A text is first split into words, and tokens stay inside them."),
    "missing token": message("A token must be in the vocabulary before it can be used."),
    "earlier merge": message("Merges go by rank: an earlier one takes its symbols first."),
    "choice": message("The tokens are in both; merges, the longest match or scores choose between them."),
    "special token": message("Special tokens are matched before anything else."),
    "normalization": message("The two do not read the same characters."),
}


class DrawnReason(NamedTuple):
    """A cause with its one-line meaning, the tokens of both sides, and the sentence of evidence.

    >>> DrawnReason("Split boundary", "", [], []).title
    'Split boundary'
    """

    title: str
    gloss: str
    sides: list[RegionTokens]
    sentence: list[str | Chip | bytes]


def drawn_reason(comparison: Comparison, left: str, right: str, start: int, end: int) -> DrawnReason:
    """Why two tokenizers differ at these bytes of the text; see `Comparison.reason`.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("123", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
    >>> found = comparison.disagreements("gpt2", "cl100k_base")
    >>> [drawn_reason(comparison, "gpt2", "cl100k_base", each.start, each.end).title for each in found]
    []
    """
    reason = comparison.reason(left, right, start, end)
    drawn = reason_parts(reason.sentence, lambda piece: _drawn(comparison, piece, reason.left))
    sides = [_side(comparison, left, reason.left), _side(comparison, right, reason.right)]
    return DrawnReason(translate(CAUSE_TITLES[reason.cause]), translate(CAUSE_GLOSSES[reason.cause]), sides, drawn)


def _side(comparison: Comparison, name: str, region: Region) -> RegionTokens:
    """Tokens of a region, with text dropped by the split between them, and the split's boundaries."""
    tokenizer = comparison.tokenizer(name)
    places: list[tuple[int, Chip | bytes]] = [
        (region.starts[at], chip(tokenizer, token_id, region.around(at)))
        for at, token_id in enumerate(region.ids[:MOST_TOKENS])
    ]
    places += [(start, region.original[start:end]) for start, end in region.dropped[:MOST_TOKENS]]
    places.sort(key=lambda place: place[0])
    boundaries = {at for at, (start, __) in enumerate(places) if start in region.split_boundaries}
    return RegionTokens(
        translate(name), [piece for __, piece in places], frozenset(boundaries), max(0, len(region.ids) - MOST_TOKENS)
    )


def _drawn(comparison: Comparison, piece: Piece, region: Region) -> Chip | bytes:
    """Part of a sentence: a token with its id, or some text."""
    if piece.tokenizer is None:
        return piece.data
    return piece_chip(comparison.tokenizer(piece.tokenizer), piece, region.head + region.original + region.tail)


def piece_chip(tokenizer: Tokenizer, piece: Piece, text: bytes) -> Chip | bytes:
    """A piece of a reason: a token of this tokenizer, or text that is not a token.

    >>> from bpe_core import load_pretrained
    >>> piece_chip(load_pretrained("gpt2"), Piece(b"low"), b"")
    b'low'
    """
    return piece.data if piece.id is None else chip(tokenizer, piece.id, text)


def reason_parts(sentence: Sentence, drawn: Callable[[Piece], Chip | bytes]) -> list[str | Chip | bytes]:
    """The sentence of a reason in the current language, with each of its pieces as drawn.

    >>> from bpe_core.language import sentence
    >>> reason_parts(sentence("{piece} is one.", piece=Piece(b"low")), lambda piece: piece.data)
    [b'low', ' is one.']
    """
    return [part if isinstance(part, str) else drawn(part) for part in sentence.in_language(current_language())]
