"""SentencePiece's .model files: validated here, then read by the library.

The file is a protobuf message (sentencepiece_model.proto). The library trusts parts of the content, so damaged files
are refused before loading.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple, cast

import numpy as np

from bpe_core.errors import quoted, refuse
from bpe_core.formats.bpe import OTHER_FORMAT
from bpe_core.formats.progress import NO_PROGRESS, SLICE, Share
from bpe_core.formats.reading import FEWER_TOKENS, MOST_TOKENS
from bpe_core.language import TranslatableMessage, listed, message
from bpe_core.sentencepiece.model import SentencePieceModel, sentencepiece_tokenizer
from bpe_core.sentencepiece.protobuf import DamagedError, Field, fields, simple_piece
from bpe_core.tokenizer.tokenizer import Tokenizer

KIND = message(".model file")
LONGEST_PIECE = 10_000
_MOST_LISTED = 5
_MOST_DAMAGE = 1_000
"""Number of damaged places after which the check stops."""

_MOST_FIELDS = 3 * MOST_TOKENS + 100_000
"""Fields in all messages, without those of simple pieces: a piece has up to three."""

_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_PIECE, _TRAINER, _NORMALIZER, _TEST, _DENORMALIZER = 1, 2, 3, 4, 5
_MODEL_TYPE, _BYTE_FALLBACK = 3, 35
"""Fields of the training settings."""

_KNOWN_TYPES = range(1, 7)  # normal, unknown, control, user defined, unused, byte
_SCORED_OTHERWISE = (2, 3, 4)
"""Model types whose scores may be infinite, as for required characters: all but Unigram."""


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


def check(data: bytes, share: Share = NO_PROGRESS) -> None:
    """Raise FormatError for bytes without the structure of a model.

    >>> check(b"\\n\\x0e\\n")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is damaged at byte ...
    """
    _check_number(data)
    damage: list[DamagedError] = []
    try:
        _check(data, share, damage)
    except DamagedError as error:  # the rest is unreadable
        damage.append(error)
    if damage:
        refuse(
            message("The file is damaged {places}.", places=_places(damage)),
            message("A {kind} is a protobuf message.", kind=KIND),
        )


def _check_number(data: bytes) -> None:
    """Raise FormatError for more than MOST_TOKENS pieces, without parsing them: each begins with a line feed byte."""
    if data.count(b"\n") <= MOST_TOKENS:
        return
    pieces = 0
    with suppress(DamagedError):  # reported with all other damage
        for number, _, _, _ in islice(fields(data), _MOST_FIELDS):
            pieces += number == _PIECE
            if pieces > MOST_TOKENS:
                refuse(
                    message("The file has more than {most:,} pieces.", most=MOST_TOKENS),
                    message("That is the most allowed."),
                    FEWER_TOKENS,
                )


def _places(damage: Sequence[DamagedError]) -> TranslatableMessage:
    """Places and reasons of the first damages, and the number of further ones."""
    first, *others = [
        message("at byte {position:,}: {reason}", position=error.at, reason=error.reason)
        for error in damage[:_MOST_LISTED]
    ]
    places = first
    for other in others:
        places = message("{places}; {place}", places=places, place=other)
    more = len(damage) - _MOST_LISTED
    if len(damage) >= _MOST_DAMAGE:
        return message("{places}; and at least {more:,} more", places=places, more=more)
    return message("{places}; and {more:,} more", places=places, more=more) if more > 0 else places


class _Doubts(NamedTuple):
    """Pieces valid only in some models; the relevant settings come after the pieces. `numbers`: one a field."""

    zero: list[DamagedError]
    infinite: list[DamagedError]
    numbers: Iterator[int]

    def spend(self, at: int) -> None:
        """Count a field. Raises DamagedError after _MOST_FIELDS: each takes time."""
        if next(self.numbers, None) is None:
            raise DamagedError(at, message("more than {most:,} fields come before this", most=_MOST_FIELDS))

    def counted(self, found: Iterator[Field]) -> Iterator[Field]:
        """The fields, counted."""
        for field in found:
            self.spend(field[3])
            yield field


def _check(data: bytes, share: Share, damage: list[DamagedError]) -> None:
    """Collect errors in `damage`, up to _MOST_DAMAGE. Raises DamagedError where the structure breaks.

    As in the library, unknown fields are ignored, and missing settings have their defaults.
    """
    pieces: dict[str, int] = {}
    kinds: list[int] = []
    trainer: dict[int, object] = {}
    doubts = _Doubts([], [], iter(range(_MOST_FIELDS)))
    asked = False
    for number, wire, value, at in fields(data, 0):
        if number != _PIECE:
            doubts.spend(at)
        if number == _PIECE and isinstance(value, bytes):
            try:
                simple = simple_piece(value)
                piece, kind = (simple, 1) if simple is not None else _piece(value, at, doubts)
                if piece in pieces:
                    raise _twice(at, piece, pieces[piece], len(kinds))
                pieces[piece] = len(kinds)
            except DamagedError as error:
                damage.append(error)
                kind = 0
            kinds.append(kind)
            if not len(kinds) % SLICE:
                share.reached(at, len(data))
            if len(damage) >= _MOST_DAMAGE:
                return
            if len(doubts.infinite) == _MOST_DAMAGE and not asked:
                asked = True
                if not _is_scored_otherwise(data[at + len(value) :], doubts):
                    damage += doubts.infinite
                    return
        elif number in (_TRAINER, _NORMALIZER, _TEST, _DENORMALIZER) and isinstance(value, bytes):
            for inner, _, content, place in doubts.counted(fields(value, at)):
                if number == _TRAINER:
                    trainer[inner] = content
                elif number != _TEST and inner == 2 and isinstance(content, bytes):
                    try:
                        _check_characters(content, place)
                    except DamagedError as error:
                        damage.append(error)
        elif number <= _DENORMALIZER:
            raise DamagedError(at, message("field {number} has the wire type {wire}", number=number, wire=wire))
    damage += [] if trainer.get(_BYTE_FALLBACK) else doubts.zero
    damage += [] if trainer.get(_MODEL_TYPE) in _SCORED_OTHERWISE else doubts.infinite
    damage.sort(key=lambda error: error.at)
    if kinds.count(2) != 1 and 0 not in kinds:
        damage.append(
            DamagedError(
                len(data), message("{number} pieces have the type unknown; exactly one must", number=kinds.count(2))
            )
        )


def _is_scored_otherwise(data: bytes, doubts: _Doubts) -> bool:
    """Whether scores may be infinite according to the settings, which follow in these fields."""
    model_type: object = None
    with suppress(DamagedError):
        for number, _, value, at in islice(fields(data), _MOST_FIELDS):
            if number == _TRAINER and isinstance(value, bytes):
                inside = doubts.counted(fields(value, at))
                found = [content for inner, _, content, _ in inside if inner == _MODEL_TYPE]
                model_type = found[-1] if found else model_type
    return model_type in _SCORED_OTHERWISE


def _twice(at: int, piece: str, other: int, number: int) -> DamagedError:
    return DamagedError(
        at,
        message("pieces {other:,} and {number:,} are both {piece}", other=other, number=number, piece=quoted(piece)),
    )


def _refused(at: int, piece: str) -> DamagedError:
    return DamagedError(
        at,
        message(
            "the piece {piece} is empty, has a zero byte, or its entry exceeds {longest:,} bytes",
            piece=quoted(piece),
            longest=LONGEST_PIECE,
        ),
    )


def _piece(value: bytes, at: int, doubts: _Doubts) -> tuple[str, int]:
    piece, kind = "", 1
    if len(value) > LONGEST_PIECE:  # read only the first of its fields, of which there may be millions
        number, _, content, _ = next(fields(value, at))
        named = content if number == 1 and isinstance(content, bytes) else b""
        raise _refused(at, named[:LONGEST_PIECE].decode(errors="replace"))
    for number, wire, content, place in doubts.counted(fields(value, at)):
        if number == 1 and isinstance(content, bytes):
            try:
                piece = content.decode()
            except UnicodeDecodeError:
                raise DamagedError(place, message("the piece {piece} is not UTF-8", piece=quoted(content))) from None
        elif number == 2 and wire == 5 and isinstance(content, bytes):
            if not math.isfinite(struct.unpack("<f", content)[0]) and len(doubts.infinite) < _MOST_DAMAGE:
                doubts.infinite.append(DamagedError(place, message("the score of a piece is not a finite number")))
        elif number == 3 and isinstance(content, int) and content in _KNOWN_TYPES:
            kind = content
        elif number <= 3:
            raise DamagedError(
                place,
                message("a piece has field {number} of wire type {wire}, or an unknown type", number=number, wire=wire),
            )
    if piece == "\0":  # with byte fallback the library treats it as unused, and texts get the byte token
        doubts.zero.append(_refused(at, piece))
    elif not piece or "\0" in piece:
        raise _refused(at, piece)
    if kind == 6 and not _BYTE.fullmatch(piece):
        raise DamagedError(
            at, message("the piece {piece} is of the type byte and must be written like <0x0A>", piece=quoted(piece))
        )
    return piece, kind


def _check_characters(data: bytes, at: int) -> None:
    """Check a normalization table: array size, double array (Darts) of 32-bit units, zero-terminated texts.

    The library follows the array without bounds checks: every unit must refer to another within it.
    """
    if not data:
        return
    size = int.from_bytes(data[:4], "little")
    if len(data) < 4 or size % 1024 or not 0 < size <= len(data) - 4:
        raise DamagedError(
            at,
            message(
                "the table of characters declares {size:,} bytes of array and has {bytes:,} in all",
                size=size,
                bytes=len(data),
            ),
        )
    texts = data[4 + size :]
    units = np.frombuffer(data[4 : 4 + size], "<u4").astype(np.int64)
    leaves = units >> 31 == 1
    offsets = (units >> 10) << ((units & (1 << 9)) >> 6)
    targets = np.arange(len(units)) ^ np.where(leaves, 0, offsets)
    if (targets | 0xFF).max() >= len(units):
        raise DamagedError(at, message("the table of characters leads outside of itself"))
    values = (units & 0x7FFFFFFF)[leaves]
    begins = np.frombuffer(b"\0" + texts, np.uint8) == 0  # begins[i]: a text may begin at byte i
    begins[-1] = False
    if not texts.endswith(b"\0") or not begins[np.minimum(values, len(texts))].all():
        raise DamagedError(at, message("the table of characters refers to texts that it does not have"))
    try:
        texts.decode()
    except UnicodeDecodeError:
        raise DamagedError(at, message("the texts of the table of characters are not UTF-8")) from None
