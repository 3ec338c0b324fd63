"""Decoders: the stage from tokens back to bytes, one for each way of marking words. Small frozen values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from bpe_core.text.splits import WORD_MARK


class DecodedToken(NamedTuple):
    """A token to decode: its id, its bytes, and whether it is a special token.

    `piece`: spelling of the token in its tokenizer's file, such as "Ġlow", "<0x0A>" or "low</w>"; the text of a special
    token.

    >>> JoinBytes().parts([DecodedToken(7, b"<s>", special=True)])
    [b'<s>']
    """

    id: int
    data: bytes
    special: bool = False
    piece: str = ""


class Decoder(Protocol):
    """Conversion of tokens to the bytes of a text.

    >>> decoder: Decoder = JoinWords("##")
    >>> b"".join(decoder.parts([DecodedToken(0, b"low"), DecodedToken(1, b"##er")]))
    b'lower'
    >>> decoder.text([DecodedToken(0, b"low"), DecodedToken(1, b"##er")])
    'lower'
    """

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes that each token adds to the text; joined, they are the text."""

    def text(self, tokens: Sequence[DecodedToken]) -> str:
        """Text of the tokens, with U+FFFD for invalid UTF-8."""
        return b"".join(self.parts(tokens)).decode("utf-8", "replace")


def decoded_text(decoder: Decoder, tokens: Sequence[DecodedToken], errors: str) -> str:
    """Text of tokens; `errors` as in bytes.decode, which raises the same errors.

    >>> decoded_text(JoinBytes(), [DecodedToken(0, b"low\\xff")], "ignore")
    'low'
    """
    if errors == "replace":
        return decoder.text(tokens)
    return b"".join(decoder.parts(tokens)).decode("utf-8", errors)


@dataclass(frozen=True)
class JoinBytes(Decoder):
    """Joins the tokens' bytes.

    >>> JoinBytes().parts([DecodedToken(0, b"a"), DecodedToken(1, b"b")])
    [b'a', b'b']
    """

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes of each token."""
        return [token.data for token in tokens]


@dataclass(frozen=True)
class EndOfWord(Decoder):
    """Replaces the end-of-word mark by a space, except at the very end of the text.

    `ids`: tokens that end with the mark; other tokens may contain the same characters from the text.

    >>> EndOfWord("</w>", frozenset({1})).parts([DecodedToken(1, b"lo</w>"), DecodedToken(1, b"lo</w>")])
    [b'lo ', b'lo']
    """

    mark: str
    ids: frozenset[int] = field(repr=False)

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes of each token, with a space for the mark."""
        size = len(self.mark.encode())
        found = [
            token.data[: len(token.data) - size] + b" " if token.id in self.ids else token.data for token in tokens
        ]
        if tokens and tokens[-1].id in self.ids:
            found[-1] = found[-1][:-1]
        return found


@dataclass(frozen=True)
class JoinWords(Decoder):
    """Joins words by spaces; a token with the mark `inside` continues the word before it (WordPiece).

    Tokens do not record the white space of the text. The first token keeps its mark, as in the tokenizers library,
    because no word precedes it.

    >>> JoinWords("##").parts([DecodedToken(0, b"low"), DecodedToken(1, b"##er"), DecodedToken(2, b"hug")])
    [b'low', b'er', b' hug']
    """

    inside: str

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes of each token, with a space before those that begin a word."""
        mark = self.inside.encode()
        return [
            token.data if not at else token.data[len(mark) :] if token.data.startswith(mark) else b" " + token.data
            for at, token in enumerate(tokens)
        ]


@dataclass(frozen=True)
class SpaceMarks(Decoder):
    """Replaces ▁ by a space, except at the start of the text (Unigram, SentencePiece).

    `apart`: special tokens decoded with a space before them. `drops_first`: whether the space of the first ▁ in the
    text is dropped; false for a model that adds no ▁ before a text.

    >>> SpaceMarks().parts([DecodedToken(0, "▁low".encode()), DecodedToken(1, "▁hug".encode())])
    [b'low', b' hug']
    >>> SpaceMarks(drops_first=False).parts([DecodedToken(0, "▁low".encode())])
    [b' low']
    """

    apart: frozenset[int] = frozenset()
    drops_first: bool = True

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes of each token, with spaces for the marks."""
        mark = WORD_MARK.encode()
        found = [
            token.data.replace(mark, b" ") if not token.special else b" " * (token.id in self.apart) + token.data
            for token in tokens
        ]
        return _without_first_space(found) if self.drops_first else found


def _without_first_space(parts: list[bytes]) -> list[bytes]:
    """The parts without a space at the start of the text."""
    first = next((i for i, part in enumerate(parts) if part), None)
    if first is not None:
        parts[first] = parts[first].removeprefix(b" ")
    return parts
