"""SentencePiece's .model files: checked, then read by the library."""

from __future__ import annotations

from typing import cast

from bpe_core.errors import refuse
from bpe_core.formats.bpe import OTHER_FORMAT
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.sentencepiece_check import KIND, check
from bpe_core.language import listed, message
from bpe_core.sentencepiece.model import SentencePieceModel, sentencepiece_tokenizer
from bpe_core.sentencepiece.protobuf import DamagedError, fields
from bpe_core.tokenizer.tokenizer import Tokenizer


def write(tokenizer: Tokenizer) -> bytes:
    """The .model of a SentencePiece tokenizer, as read or trained.

    Raises FormatError for any other tokenizer, and for a changed normalizer, split or special tokens.

    >>> from bpe_core import train_sentencepiece
    >>> tokenizer = train_sentencepiece("low lower lowest", 12).tokenizer()
    >>> read(write(tokenizer)).tokenize("low") == tokenizer.tokenize("low")
    True
    """
    if tokenizer.model.kind != "sentencepiece":
        refuse(
            message("{tokenizer} is not a SentencePiece model.", tokenizer=tokenizer.name),
            message("A {kind} holds only these.", kind=KIND),
            OTHER_FORMAT,
        )
    model = cast("SentencePieceModel", tokenizer.model)
    plain = sentencepiece_tokenizer(model.data)
    changed = [
        stage
        for stage, value, trained in (
            (message("special tokens"), tokenizer.special_tokens, plain.special_tokens),
            (message("normalization"), tokenizer.normalizer, plain.normalizer),
            (message("split"), tokenizer.split, plain.split),
        )
        if value != trained
    ]
    if changed:
        refuse(
            message("The tokenizer no longer matches its model in: {parts}.", parts=listed(changed, last="")),
            message("A {kind} is saved as SentencePiece made it.", kind=KIND),
            message("Save the tokenizer without these changes."),
        )
    return model.data


def read(data: bytes, name: str = "", share: Share = NO_PROGRESS) -> Tokenizer:
    """Read a .model file. Raises FormatError with the damaged byte.

    >>> read(b"\\n\\x0e\\n\\x05<unk>\\x15\\x00\\x00\\x00\\x00\\x18\\x01")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is damaged at byte 16: 0 pieces have the type unknown; exactly one must. ...
    """
    check(data, share.part(0.0, 0.5))
    share.reached(1, 2)
    return sentencepiece_tokenizer(data, name=name)


def is_like(data: bytes) -> bool:
    """Whether the bytes begin like a SentencePiece model, with a piece.

    >>> is_like(b"\\n\\x0e\\n\\x05<unk>\\x15\\x00\\x00\\x00\\x00\\x18\\x02"), is_like(b"\\n\\n[PAD]\\n")
    (True, False)
    """
    if data[:1] != b"\n":
        return False
    try:
        _, wire, piece, _ = next(fields(data[:20_000], 0))
        number, inner, text, _ = next(fields(piece, 0)) if wire == 2 and isinstance(piece, bytes) else (0, 0, b"", 0)
    except (DamagedError, StopIteration):
        return False
    return number == 1 and inner == 2 and isinstance(text, bytes) and bool(text)
