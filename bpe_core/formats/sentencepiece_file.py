"""SentencePiece's .model: read by its own library, once its structure is checked here.

The file is a protobuf message (sentencepiece_model.proto). The library trusts some of what stands in it, so what is
damaged is refused before the library sees it.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator

import numpy as np

from bpe_core.errors import quoted
from bpe_core.formats.bpe import OTHER_FORMAT
from bpe_core.formats.reading import MOST_TOKENS, refuse
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.tokenizer import Tokenizer

KIND = ".model file"
LONGEST_PIECE = 10_000
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_TRAINER, _NORMALIZER, _TEST, _DENORMALIZER = 2, 3, 4, 5
_KNOWN_TYPES = range(1, 7)  # normal, unknown, control, user defined, unused, byte

Field = tuple[int, int, bytes | int, int]
"""Number, wire type, value (bytes, or an int for a varint), and the place of a field."""


def write(tokenizer: Tokenizer) -> bytes:
    """The model of a SentencePiece tokenizer, as it was read or trained. FormatError for any other tokenizer."""
    if not isinstance(tokenizer, SentencePieceTokenizer):
        refuse(f"{tokenizer.name} is no SentencePiece model.", f"A {KIND} is one of that library.", OTHER_FORMAT)
    plain = SentencePieceTokenizer(tokenizer.model)
    if tokenizer.special_tokens != plain.special_tokens or tokenizer.config != plain.config:
        refuse(
            "Special tokens, normalization or split were changed after the model was trained.",
            f"A {KIND} is saved as SentencePiece made it.",
            "Save the tokenizer without these changes.",
        )
    return tokenizer.model


def read(data: bytes, name: str = "") -> SentencePieceTokenizer:
    """The tokenizer of a .model file. Raises FormatError with the byte of what is wrong."""
    check(data)
    return SentencePieceTokenizer(data, name=name)


def is_like(data: bytes) -> bool:
    """Whether the bytes begin as a SentencePiece model does: with a piece.

    >>> is_like(b"\\n\\x0e\\n\\x05<unk>\\x15\\x00\\x00\\x00\\x00\\x18\\x02"), is_like(b"\\n\\n[PAD]\\n")
    (True, False)
    """
    if data[:1] != b"\n":
        return False
    try:
        _, wire, piece, _ = next(_fields(data[:20_000], 0))
        number, inner, text, _ = next(_fields(piece, 0)) if wire == 2 and isinstance(piece, bytes) else (0, 0, b"", 0)
    except (_DamagedError, StopIteration):
        return False
    return number == 1 and inner == 2 and isinstance(text, bytes) and bool(text)


def check(data: bytes) -> None:
    """Raises FormatError for bytes whose structure is not that of a model."""
    try:
        _check(data)
    except _DamagedError as damage:
        refuse(f"The file is damaged at byte {damage.at:,}: {damage.reason}.", f"A {KIND} is a protobuf message.")


class _DamagedError(Exception):
    def __init__(self, at: int, reason: str) -> None:
        self.at = at
        self.reason = reason


def _check(data: bytes) -> None:
    pieces: dict[str, int] = {}
    kinds: list[int] = []
    settings: set[int] = set()
    for number, wire, value, at in _fields(data, 0):
        if number == 1 and isinstance(value, bytes):
            piece, kind = _piece(value, at)
            if piece in pieces:
                raise _DamagedError(at, f"piece {len(kinds):,} is {quoted(piece)}, as piece {pieces[piece]:,} is")
            pieces[piece] = len(kinds)
            kinds.append(kind)
            if len(kinds) > MOST_TOKENS:
                raise _DamagedError(at, f"there are more than {MOST_TOKENS:,} pieces")
        elif number in (_TRAINER, _NORMALIZER, _TEST, _DENORMALIZER) and isinstance(value, bytes):
            if number in settings:
                raise _DamagedError(at, f"field {number} stands twice")
            settings.add(number)
            for inner, _, content, place in _fields(value, at):
                if number in (_NORMALIZER, _DENORMALIZER) and inner == 2 and isinstance(content, bytes):
                    _check_characters(content, place)
        else:
            raise _DamagedError(at, f"field {number} of wire type {wire} is not known")
    if kinds.count(2) != 1:
        raise _DamagedError(len(data), f"{kinds.count(2)} pieces are the unknown one, where one has to be")
    if not {_TRAINER, _NORMALIZER} <= settings:
        raise _DamagedError(len(data), "the settings of training or of normalization are missing")


def _piece(value: bytes, at: int) -> tuple[str, int]:
    piece, kind = "", 1
    for number, wire, content, place in _fields(value, at):
        if number == 1 and isinstance(content, bytes):
            try:
                piece = content.decode()
            except UnicodeDecodeError:
                raise _DamagedError(place, f"the piece {quoted(content)} is not UTF-8") from None
        elif number == 2 and wire == 5 and isinstance(content, bytes):
            if not math.isfinite(struct.unpack("<f", content)[0]):
                raise _DamagedError(place, "the score of a piece is no finite number")
        elif number == 3 and isinstance(content, int) and content in _KNOWN_TYPES:
            kind = content
        else:
            raise _DamagedError(place, f"a piece has field {number} of wire type {wire}, or an unknown type")
    if not piece or len(value) > LONGEST_PIECE or "\0" in piece:
        raise _DamagedError(
            at, f"the piece {quoted(piece)} has {len(value):,} bytes, with 1 to {LONGEST_PIECE:,} allowed"
        )
    if kind == 6 and not _BYTE.fullmatch(piece):
        raise _DamagedError(at, f"the piece {quoted(piece)} is to be a byte, such as <0x0A>")
    return piece, kind


def _check_characters(data: bytes, at: int) -> None:
    """The table of the normalization: a double array (Darts) of 32-bit units, then texts that end with a zero byte.

    The library follows the array without looking at its end: every unit has to lead inside.
    """
    if not data:
        return
    size = int.from_bytes(data[:4], "little")
    if len(data) < 4 or size % 1024 or not 0 < size <= len(data) - 4:
        raise _DamagedError(at, f"the table of characters says {size:,} bytes and has {len(data):,}")
    texts = data[4 + size :]
    units = np.frombuffer(data[4 : 4 + size], "<u4").astype(np.int64)
    leaves = units >> 31 == 1
    offsets = (units >> 10) << ((units & (1 << 9)) >> 6)
    targets = np.arange(len(units)) ^ np.where(leaves, 0, offsets)
    if (targets | 0xFF).max() >= len(units):
        raise _DamagedError(at, "the table of characters leads out of itself")
    values = (units & 0x7FFFFFFF)[leaves]
    begins = np.frombuffer(b"\0" + texts, np.uint8) == 0  # begins[i]: a text may begin at byte i
    begins[-1] = False
    if not texts.endswith(b"\0") or not begins[np.minimum(values, len(texts))].all():
        raise _DamagedError(at, "the table of characters names texts that it does not hold")
    try:
        texts.decode()
    except UnicodeDecodeError:
        raise _DamagedError(at, "the texts of the table of characters are not UTF-8") from None


def _fields(data: bytes, start: int) -> Iterator[Field]:
    """The fields of a message that begins at byte `start` of the file. Raises _DamagedError where it is none."""
    at = 0
    while at < len(data):
        begin = at
        key, at = _varint(data, at, start)
        number, wire = key >> 3, key & 7
        if number == 0:
            raise _DamagedError(start + begin, "a field has the number 0")
        if wire == 0:
            value, at = _varint(data, at, start)
            yield number, wire, value, start + begin
            continue
        if wire == 2:
            length, at = _varint(data, at, start)
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise _DamagedError(start + begin, f"the wire type {wire} is not known")
        if at + length > len(data):
            raise _DamagedError(start + begin, f"a field of {length:,} bytes ends behind the file or its message")
        yield number, wire, data[at : at + length], start + at
        at += length


def _varint(data: bytes, at: int, start: int) -> tuple[int, int]:
    value = 0
    for i in range(10):
        if at + i >= len(data):
            break
        value |= (data[at + i] & 0x7F) << (7 * i)
        if data[at + i] < 0x80:
            return value, at + i + 1
    raise _DamagedError(start + at, "a number does not end")
