"""Load SentencePiece models: into the library, as settings, or without normalization."""

from __future__ import annotations

import sentencepiece

from bpe_core import checks
from bpe_core.errors import FormatError
from bpe_core.language import message
from bpe_core.sentencepiece.protobuf import DamagedError, field, fields_without
from bpe_core.sentencepiece.settings import ModelSettings

_PIECE, _NORMALIZER_SPEC, _SELF_TEST, _DENORMALIZER_SPEC = 1, 3, 4, 5
_IDENTITY_SPEC = field(1, b"identity") + b"\x18\x00\x20\x00\x28\x00"
"""NormalizerSpec without a table: adds no ▁ and keeps spaces."""
_PIECES = field(_PIECE, field(1, b"<unk>") + b"\x18\x02") + field(_PIECE, field(1, b"a"))
"""The fewest pieces of a model."""


def library_of(data: bytes) -> sentencepiece.SentencePieceProcessor:
    """Load a model into the library. Raises FormatError for invalid bytes.

    >>> from bpe_core import train_sentencepiece
    >>> library_of(train_sentencepiece("hug hug hugs pug", 16).model).encode("hug", out_type=str)
    ['▁hug']
    """
    _check_bytes(data)
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(data)
    except RuntimeError as error:
        raise _no_model(data, error) from None
    return processor


def settings_of(data: bytes) -> ModelSettings:
    """Training and normalization settings in a model. Raises FormatError for invalid bytes.

    >>> from bpe_core import train_sentencepiece
    >>> settings_of(train_sentencepiece("hug hug hugs pug", 16).model).removes_spaces
    True
    """
    try:
        return ModelSettings.of(data)
    except DamagedError as error:
        raise _no_model(data, error) from None


def _check_bytes(data: object) -> None:
    checks.instance(data, message("The model"), bytes, message("the bytes of a .model file"), error=FormatError)


def _no_model(data: bytes, error: Exception) -> FormatError:
    return FormatError(
        message(
            "These {number:,} bytes are not a SentencePiece model: {reason}.", number=len(data), reason=_reason(error)
        ),
        limit=message("A model is what SentencePiece writes to a .model file."),
        remedy=message("Choose such a file."),
    )


def _reason(error: Exception) -> str:
    return error.reason if isinstance(error, DamagedError) else str(error).rstrip(".")


def library_of_normalized(data: bytes) -> sentencepiece.SentencePieceProcessor:
    """Load a model without normalization and self-test, for text that is already normalized.

    Raises FormatError for invalid bytes, also in the normalization, which is checked by loading it without the pieces,
    as there may be a million.

    >>> from bpe_core import train_sentencepiece
    >>> library_of_normalized(train_sentencepiece("hug hug hugs pug", 16).model).Normalize(" ﬁ")
    ' ﬁ'
    """
    _check_bytes(data)
    kept: list[bytes] = []
    left_out: list[bytes] = []
    begin = 0  # of the fields after the last one left out
    try:
        for start, (number, *_), end in fields_without(data, _PIECE):
            if number in (_NORMALIZER_SPEC, _SELF_TEST, _DENORMALIZER_SPEC):
                kept.append(data[begin:start])
                left_out.append(data[start:end])
                begin = end
    except DamagedError as error:
        raise _no_model(data, error) from None
    library_of(b"".join((_PIECES, *left_out)))
    return library_of(b"".join((*kept, data[begin:], field(_NORMALIZER_SPEC, _IDENTITY_SPEC))))
