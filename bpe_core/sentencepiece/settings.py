"""Settings in a SentencePiece model for segmentation, normalization and decoding."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, cast

from bpe_core.sentencepiece.protobuf import fields, fields_without

ModelType = Literal["unigram", "bpe", "word", "char"]
_TYPES: dict[object, ModelType] = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}
_PIECE, _TRAINER, _NORMALIZER, _DENORMALIZER = 1, 2, 3, 5
_USER_DEFINED = b"\x18\x04"
"""The serialized type field of a user-defined piece."""


@dataclass(frozen=True)
class ModelSettings:
    """Settings of a model file, with the library's defaults for missing ones.

    model_type       segmentation algorithm
    adds_mark        whether ▁ is added in front of every text or (`mark_at_end`) at its end
    removes_spaces   whether white space is stripped and collapsed to single spaces
    escapes          whether spaces are written as ▁
    unknown_text     decoded text of the unknown token
    denormalizes     whether a table changes decoded text
    charsmap         normalization table, in the file's encoding
    own_symbols      user-defined pieces, which normalization leaves unchanged

    >>> ModelSettings.of(b"").model_type, ModelSettings.of(b"").unknown_text
    ('unigram', ' ⁇ ')
    """

    model_type: ModelType = "unigram"
    adds_mark: bool = True
    mark_at_end: bool = False
    removes_spaces: bool = True
    escapes: bool = True
    unknown_text: str = " \u2047 "
    denormalizes: bool = field(default=False, repr=False)
    charsmap: bytes = field(default=b"", repr=False, compare=False)
    own_symbols: tuple[bytes, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def of(cls, data: bytes) -> ModelSettings:
        """Parse the content of a .model file. Raises DamagedError if it is not a protobuf message."""
        parts: dict[int, dict[int, object]] = {_TRAINER: {}, _NORMALIZER: {}, _DENORMALIZER: {}}
        own_symbols: list[bytes] = []
        for _, (number, _, value, at), _ in fields_without(data, _PIECE, unless=_USER_DEFINED):
            if number == _PIECE and isinstance(value, bytes) and _USER_DEFINED in value:
                piece = {inner: content for inner, _, content, _ in fields(value, at)}
                own_symbols += [cast("bytes", piece.get(1, b""))] if piece.get(3) == _USER_DEFINED[1] else []
            if number in parts and isinstance(value, bytes):
                parts[number] |= {inner: content for inner, _, content, _ in fields(value, at)}
        trainer, normalizer = parts[_TRAINER], parts[_NORMALIZER]
        unknown, charsmap = trainer.get(44), normalizer.get(2)
        return cls(
            model_type=_TYPES.get(trainer.get(3), "unigram"),
            adds_mark=bool(normalizer.get(3, True)),
            mark_at_end=bool(trainer.get(24, False)),
            removes_spaces=bool(normalizer.get(4, True)),
            escapes=bool(normalizer.get(5, True)),
            unknown_text=unknown.decode("utf-8", "replace") if isinstance(unknown, bytes) else cls.unknown_text,
            denormalizes=bool(parts[_DENORMALIZER].get(2)),
            charsmap=charsmap if isinstance(charsmap, bytes) else b"",
            own_symbols=tuple(own_symbols),
        )
