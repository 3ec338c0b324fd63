"""Evidence in the sentence about a disagreement: tokens and pieces of text, and the segmentation of a region."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bpe_core.comparison.boundaries import Region, SegmentedText
from bpe_core.language import Sentence, in_language, sentence
from bpe_core.language.messages import VERBATIM
from bpe_core.tokenizer.chips import shown
from bpe_core.tokenizer.model import Rule
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.marking import marks_as_spaces, spaces_as_marks

MOST_NAMED = 8
"""Limit on the tokens that a sentence names one by one."""


class Piece(NamedTuple):
    """Token or piece of text in a sentence: its bytes, and for a token its tokenizer's name and its id.

    >>> written(Piece(b" low", "gpt2", 1877)), written(Piece(b"low"))
    ('“·low” (1877)', '“low”')
    """

    data: bytes
    tokenizer: str | None = None
    id: int | None = None


@dataclass(frozen=True, eq=False)
class Side:
    """One tokenizer and its segmentation of a region.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> segmentation = SegmentedText("gpt2", gpt2, gpt2.encode("n(default)"))
    >>> side = Side(segmentation, segmentation.region(1, 9))
    >>> side.name, side.tokenizer is gpt2, side.rule
    ('gpt2', True, 'merges')
    >>> side.token(0), side.text_of(1), side.plain(12286, 1)
    (Piece(data=b'(', tokenizer='gpt2', id=7), b'default', b'default')
    >>> side.has(b"(default", 0, 8), side.written(b"(default", 0, 8)
    (False, b'(default')
    >>> side.tokens_in(0, 2), side.has_boundary_inside(0, 8)
    (range(0, 2), True)
    """

    segmentation: SegmentedText
    region: Region

    @property
    def name(self) -> str:
        """Name of the tokenizer in the comparison."""
        return self.segmentation.name

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer."""
        return self.segmentation.tokenizer

    def token(self, index: int) -> Piece:
        """Token of the region, for a sentence."""
        token_id = self.region.ids[index]
        return Piece(self.tokenizer.token_bytes(token_id), self.name, token_id)

    @property
    def rule(self) -> Rule:
        """Segmentation rule of the tokenizer's model."""
        return self.tokenizer.model.rule

    def text_of(self, index: int) -> bytes:
        """Text of a token, without the marks of the start or end of a word."""
        model, region = self.tokenizer.model, self.region
        start, end = region.starts[index], region.ends[index]
        unchanged = region.data == region.original
        by_place = model.merges is None or self.segmentation.puts_mark_in_front is not None
        if by_place and (start == end or region.special[index] or unchanged):
            return region.original[start:end]
        return self.plain(region.ids[index], start)

    def plain(self, token_id: int, start: int) -> bytes:
        """Text of a token that starts at this byte of the region, without marks."""
        following = self.region.original[start : start + 7]  # up to 3 bytes of a character that began before, and one
        covers_space = following.decode("utf-8", "ignore")[:1].isspace()
        token, model = self.tokenizer.token_bytes(token_id), self.tokenizer.model
        if self.segmentation.puts_mark_in_front is not None:
            token = marks_as_spaces(token, with_space=covers_space)
        return model.text_of(token, ends=model.ends_word(token_id), with_space=covers_space)

    def has(self, text: bytes, start: int, end: int) -> bool:
        """Whether the vocabulary has a token for `text` at the bytes start … end of the region."""
        return self.tokenizer.token_id(self.written(text, start, end)) is not None

    def written(self, text: bytes, start: int, end: int) -> bytes:
        """Spelling of `text` at the bytes start … end of the region as a token of this vocabulary: with its marks."""
        begins = start in self.region.split_boundaries or (start == 0 and self.region.begins_word)
        if (in_front := self.segmentation.puts_mark_in_front) is not None:
            text = spaces_as_marks(text, begins=begins and in_front)
            begins = False  # the mark is already included
        return self.tokenizer.model.written(text, begins=begins, ends=self._ends_word(end))

    def tokens_in(self, start: int, end: int) -> range:
        """Tokens that touch the bytes start … end - 1 of the region."""
        return range(bisect_right(self.region.ends, start), bisect_left(self.region.starts, end))

    def has_boundary_inside(self, start: int, end: int) -> bool:
        """Whether a token starts or ends strictly between start and end."""
        at = bisect_right(self._boundaries, start)
        return at < len(self._boundaries) and self._boundaries[at] < end

    @cached_property
    def _boundaries(self) -> list[int]:
        return sorted({*self.region.starts, *self.region.ends})

    def _ends_word(self, end: int) -> bool:
        """Whether a token that ends at this byte of the region includes an end-of-word mark."""
        ends = range(bisect_left(self.region.ends, end), bisect_right(self.region.ends, end))
        return any(self.tokenizer.model.ends_word(self.region.ids[index]) for index in ends)


def tokens(side: Side, indices: Sequence[int]) -> Sentence:
    """Tokens of a region joined by +; the first few of many.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> segmentation = SegmentedText("gpt2", gpt2, gpt2.encode("n(default)"))
    >>> side = Side(segmentation, segmentation.region(1, 9))
    >>> [part if isinstance(part, str) else written(part) for part in tokens(side, [0, 1])]
    ['“(” (7)', ' + ', '“default” (12286)']
    """
    return added([side.token(index) for index in indices[:MOST_NAMED]], len(indices) - MOST_NAMED)


def added(pieces: Sequence[Piece], more: int = 0) -> Sentence:
    """Pieces joined by +, and the number of omitted ones.

    >>> tuple(added([Piece(b"lo"), Piece(b"w")], 3))
    (Piece(data=b'lo', tokenizer=None, id=None), ' + ', Piece(data=b'w', tokenizer=None, id=None), ' and 3 more')
    """
    if not pieces:
        return Sentence.of("", None, {})
    first, *others = pieces
    whole = Sentence.of(VERBATIM, None, {"text": first})
    for piece in others:
        whole = sentence("{left} + {right}", left=whole, right=piece)
    return sentence("{tokens} and {more:,} more", tokens=whole, more=more) if more > 0 else whole


def after_another(first: Sentence, *others: Sentence | str) -> Sentence:
    """Sentences and messages one after another; empty ones are skipped.

    >>> tuple(after_another(sentence("{a} is one.", a=Piece(b"lo")), sentence("It wins.")))
    (Piece(data=b'lo', tokenizer=None, id=None), ' is one. It wins.')
    """
    whole = first
    for other in filter(None, others):
        whole = sentence("{sentence} {next_sentence}", sentence=whole, next_sentence=other)
    return whole


def written(piece: Piece, language: str = "en") -> str:
    """Piece as plain text: in quotation marks, with the id if it is a token.

    >>> written(Piece(b" low", "gpt2", 1877))
    '“·low” (1877)'
    """
    text = in_language(shown(piece.data), language)
    return text if piece.id is None else f"{text} ({piece.id})"


def plain(sentence: Sentence, language: str = "en", known: dict[Piece, str] | None = None) -> str:
    """Sentence as plain text, tokens in quotation marks with their ids.

    `known`: pieces as plain text in this language, which sentences with the same tokens share; extended by new ones.

    >>> plain(sentence("{token} wins.", token=Piece(b" low", "gpt2", 1877)))
    '“·low” (1877) wins.'
    """
    known = {} if known is None else known
    texts: list[str] = []
    for part in sentence.in_language(language):
        text = part if isinstance(part, str) else known.get(part)
        if text is None:
            text = known[part] = written(part, language)
        texts.append(text)
    return "".join(texts)
