"""Decoding identical to the SentencePiece library's, with each token's contribution in bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import sentencepiece

from bpe_core.sentencepiece.settings import ModelSettings
from bpe_core.text.splits import WORD_MARK
from bpe_core.text.utf8 import sequence_length
from bpe_core.tokenizer.decoders import DecodedToken

_MARK = WORD_MARK.encode()
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}".encode()


class _Pieces(NamedTuple):
    """Decoded bytes of each id, in general and at the start of a text, and whether it is a byte token."""

    data: list[bytes]
    at_start: list[bytes]
    is_byte: list[bool]


@dataclass(frozen=True)
class SentencePieceDecoder:
    """Decoder of a SentencePiece model, equal to its library's.

    Control tokens decode to nothing, <unk> to the model's own text (usually " ⁇ "), and tokens outside the model to
    their own bytes. `model`: the content of a .model file.

    >>> from bpe_core import train_sentencepiece
    >>> tokenizer = train_sentencepiece("hug hug hugs pug", 16).tokenizer()
    >>> ids = tokenizer.encode("hug xpug").ids.tolist()
    >>> tokenizer.decode([1, *ids])
    'hug  ⁇ pug'
    >>> decoder, tokens = tokenizer.decoder, [DecodedToken(token_id, b"") for token_id in ids[:3]]
    >>> decoder.text(tokens) == b"".join(decoder.parts(tokens)).decode()
    True
    """

    model: bytes = field(repr=False)

    def text(self, tokens: Sequence[DecodedToken]) -> str:
        """Decoded text of the tokens."""
        return b"".join(self.parts(tokens)).decode("utf-8", "replace")

    def parts(self, tokens: Sequence[DecodedToken]) -> list[bytes]:
        """Bytes that each token contributes. If the model denormalizes, the first token of a run gets all of them."""
        size = len(self._pieces.data)
        if not self._settings.denormalizes:
            return list(self._parts([token.id if 0 <= token.id < size else -1 for token in tokens], tokens))
        found: list[bytes] = []
        for known, group in groupby(tokens, key=lambda token: 0 <= token.id < size):
            run = list(group)
            if known:
                found += [self._library.Decode([token.id for token in run]).encode(), *(b"" for _ in run[1:])]
            else:
                found += [token.data for token in run]
        return found

    def _parts(self, ids: Sequence[int], tokens: Sequence[DecodedToken]) -> Iterator[bytes]:
        pieces = self._pieces
        starts = True  # a ▁ here is the one that normalization adds
        for is_byte, group in groupby(enumerate(ids), key=lambda each: each[1] >= 0 and pieces.is_byte[each[1]]):
            if is_byte:
                yield from _repaired(b"".join(pieces.data[token_id] for _, token_id in group))
                starts = False
                continue
            for at, token_id in group:
                if token_id < 0:
                    part = tokens[at].data
                else:
                    part = (pieces.at_start if starts else pieces.data)[token_id]
                    if starts and not self._settings.removes_spaces and part != pieces.data[token_id]:
                        starts = False  # only one ▁ is added: the next one is from the text
                starts = starts and not part
                yield part

    @cached_property
    def _settings(self) -> ModelSettings:
        return ModelSettings.of(self.model)

    @cached_property
    def _library(self) -> sentencepiece.SentencePieceProcessor:
        return sentencepiece.SentencePieceProcessor(model_proto=self.model)

    @cached_property
    def _pieces(self) -> _Pieces:
        library, settings = self._library, self._settings
        ids = range(library.GetPieceSize())
        is_byte = [library.IsByte(i) for i in ids]
        data: list[bytes] = []
        at_start: list[bytes] = []
        for i in ids:
            piece = library.IdToPiece(i).encode()
            if library.IsControl(i):
                texts = b"", b""
            elif library.IsUnknown(i):
                texts = settings.unknown_text.encode(), settings.unknown_text.encode()
            elif is_byte[i]:
                texts = bytes([int(piece[1:-1], 16)]), b""
            else:
                trims = settings.adds_mark or settings.removes_spaces
                texts = piece, piece.removeprefix(_MARK) if trims else piece
            data.append(texts[0].replace(_MARK, b" "))
            at_start.append(texts[1].replace(_MARK, b" "))
        return _Pieces(data, at_start, is_byte)


def _repaired(run: bytes) -> Iterator[bytes]:
    """The bytes of a run of byte tokens, one by one; a byte outside any valid character becomes U+FFFD."""
    at = 0
    while at < len(run):
        width = sequence_length(run[at]) or 1
        try:
            run[at : at + width].decode()
        except UnicodeDecodeError:
            yield _REPLACEMENT
            at += 1
            continue
        yield from (run[i : i + 1] for i in range(at, at + width))
        at += width
