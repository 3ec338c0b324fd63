"""What a sentence about a disagreement can name: tokens and bits of text, and what a tokenizer made of a stretch."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from bpe_core.cuts import Cuts, Stretch
from bpe_core.piece_tokenizer import WORD_MARK, PieceTokenizer
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.tokenizer import Tokenizer
from bpe_core.wordpiece_tokenizer import INSIDE, WordPieceTokenizer

LONGEST_SHOWN = 40
"""Characters of a text that a sentence shows."""

_MARKS = {" ": "·", "\r": "␍", "\n": "↵", "\t": "⇥"}

MOST_NAMED = 8
"""Tokens that a sentence names one by one."""


class Piece(NamedTuple):
    """A token or a bit of text that a sentence names: its bytes, and for a token its tokenizer's name and its id."""

    data: bytes
    tokenizer: str | None = None
    id: int | None = None


Sentence = tuple[str | Piece, ...]

Rule = Literal["merges", "longest match", "best score", "scored merges"]
"""How a tokenizer takes a word apart; "scored merges": SentencePiece's BPE, which knows scores and no pairs."""


@dataclass(frozen=True, eq=False)
class View:
    """One tokenizer and what it made of the stretch."""

    side: Cuts
    stretch: Stretch

    @property
    def name(self) -> str:
        return self.side.name

    @property
    def tokenizer(self) -> Tokenizer:
        return self.side.tokenizer

    def token(self, index: int) -> Piece:
        """A token of the stretch, to be named."""
        token_id = self.stretch.ids[index]
        return Piece(self.tokenizer.token_bytes(token_id), self.name, token_id)

    @property
    def rule(self) -> Rule:
        """How the tokenizer takes a word apart."""
        if isinstance(self.tokenizer, WordPieceTokenizer):
            return "longest match"
        if isinstance(self.tokenizer, SentencePieceTokenizer) and self.tokenizer.merges_pieces:
            return "scored merges"
        return "best score" if isinstance(self.tokenizer, PieceTokenizer) else "merges"

    def text_of(self, index: int) -> bytes:
        """The text of a token, without the marks of a word's start or end."""
        if isinstance(self.tokenizer, PieceTokenizer):
            return self._text_of_piece(index)
        data, mark = self.token(index).data, self.tokenizer.config.end_of_word.encode()
        length = self.stretch.ends[index] - self.stretch.starts[index]
        return data[: len(data) - len(mark)] if mark and self._ends_word(index, length) else data

    def has(self, text: bytes, start: int, end: int) -> bool:
        """Whether the vocabulary has a token for a text at the bytes start … end of the stretch."""
        return self.tokenizer.token_id(self.written(text, start, end)) is not None

    def written(self, text: bytes, start: int, end: int) -> bytes:
        """A text at the bytes start … end of the stretch as a token of this vocabulary, with its marks."""
        if not isinstance(self.tokenizer, PieceTokenizer):
            return text + self._mark_at(end)
        begins = start in self.stretch.cuts or (start == 0 and self.stretch.begins)
        if isinstance(self.tokenizer, WordPieceTokenizer):
            return text if begins else INSIDE.encode() + text
        mark = WORD_MARK.encode()
        return (mark if begins and not text.startswith(b" ") else b"") + text.replace(b" ", mark)

    def _text_of_piece(self, index: int) -> bytes:
        start, end = self.stretch.starts[index], self.stretch.ends[index]
        data = self.token(index).data
        if start == end or self.stretch.special[index] or self.stretch.data == self.stretch.original:
            return self.stretch.original[start:end]
        if isinstance(self.tokenizer, WordPieceTokenizer):
            return data.removeprefix(INSIDE.encode())
        text = data.replace(WORD_MARK.encode(), b" ")
        covers_space = self.stretch.original[start:].decode("utf-8", "ignore")[:1].isspace()
        return text if covers_space else text.removeprefix(b" ")

    def tokens_in(self, start: int, end: int) -> range:
        """The tokens that touch the bytes start … end - 1 of the stretch."""
        return range(bisect_right(self.stretch.ends, start), bisect_left(self.stretch.starts, end))

    def cuts_inside(self, start: int, end: int) -> bool:
        """Whether a token edge lies strictly inside start … end."""
        at = bisect_right(self._edges, start)
        return at < len(self._edges) and self._edges[at] < end

    @cached_property
    def _edges(self) -> list[int]:
        return sorted({*self.stretch.starts, *self.stretch.ends})

    def _mark_at(self, end: int) -> bytes:
        ends = range(bisect_left(self.stretch.ends, end), bisect_right(self.stretch.ends, end))
        mark = self.tokenizer.config.end_of_word.encode()
        return mark if mark and any(self._ends_word(i, end - self.stretch.starts[i]) for i in ends) else b""

    def _ends_word(self, index: int, length: int) -> bool:
        data, mark = self.token(index).data, self.tokenizer.config.end_of_word.encode()
        return data.endswith(mark) and len(data) > length


def tokens(view: View, indices: Sequence[int]) -> Sentence:
    """Tokens of a stretch with + between them; the first few of many."""
    parts: list[str | Piece] = []
    for index in indices[:MOST_NAMED]:
        parts += [" + ", view.token(index)] if parts else [view.token(index)]
    more = len(indices) - MOST_NAMED
    return (*parts, f" and {more:,} more") if more > 0 else tuple(parts)


def shown(data: bytes) -> str:
    """Bytes as a reader sees them: text in quotation marks with white space marked, or hex when they are no text.

    >>> shown(b" a\\n"), shown(b"\\xe3\\x81")
    ('“·a↵”', 'bytes E3 81')
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = ""
    if not text:
        return f"byte{'s' if len(data) > 1 else ''} {data.hex(' ').upper()}" if data else "nothing"
    text = text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
    circle = "◌" if unicodedata.category(text[0])[0] == "M" else ""  # a mark needs something to stand on
    return f"“{circle}{''.join(map(_visible, text))}”"


def _visible(char: str) -> str:
    if char in _MARKS:
        return _MARKS[char]
    return f"[U+{ord(char):04X}]" if unicodedata.category(char)[0] in "CZ" else char


def written(piece: Piece) -> str:
    """A piece in plain text: in quotation marks, a token with its id."""
    return shown(piece.data) if piece.id is None else f"{shown(piece.data)} ({piece.id})"
