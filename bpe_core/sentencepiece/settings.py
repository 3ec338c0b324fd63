"""The settings in a SentencePiece model that say how it segments, normalizes and decodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, cast

from bpe_core.sentencepiece.protobuf import fields

ModelType = Literal["unigram", "bpe", "word", "char"]
_TYPES: dict[object, ModelType] = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}
_TRAINER, _NORMALIZER, _DENORMALIZER = 2, 3, 5


@dataclass(frozen=True)
class ModelSettings:
    """What a model's file says, with the library's defaults for what it leaves out.

    model_type       how it segments
    adds_mark        whether ▁ is added to every text, in front of it or (`mark_at_end`) at its end
    removes_spaces   whether white space becomes single spaces, with none at the ends
    escapes          whether spaces are written as ▁
    unknown_text     what the unknown token is decoded to
    denormalizes     whether decoded texts are changed by a table

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

    @classmethod
    def of(cls, data: bytes) -> ModelSettings:
        """The settings in the content of a .model file. Raises DamagedError if it is not a protobuf message."""
        parts: dict[int, dict[int, object]] = {_TRAINER: {}, _NORMALIZER: {}, _DENORMALIZER: {}}
        for number, _, value, at in fields(data):
            if number in parts and isinstance(value, bytes):
                parts[number] |= {inner: content for inner, _, content, _ in fields(value, at)}
        trainer, normalizer = parts[_TRAINER], parts[_NORMALIZER]
        unknown = trainer.get(44)
        return cls(
            model_type=_TYPES.get(trainer.get(3), "unigram"),
            adds_mark=bool(normalizer.get(3, True)),
            mark_at_end=bool(trainer.get(24, False)),
            removes_spaces=bool(normalizer.get(4, True)),
            escapes=bool(normalizer.get(5, True)),
            unknown_text=cls.unknown_text if unknown is None else cast("bytes", unknown).decode("utf-8", "replace"),
            denormalizes=bool(parts[_DENORMALIZER].get(2)),
        )
