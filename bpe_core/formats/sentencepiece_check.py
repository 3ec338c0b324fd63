"""Check of SentencePiece's .model files before the library reads them, because it trusts parts of the content.

The file is a protobuf message (sentencepiece_model.proto). Nearly all pieces have one form, and a file may have a
million of them: they are checked in bulk.
"""

from __future__ import annotations

import math
import re
import struct
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from bpe_core.arrays import Int64s, sorted_place
from bpe_core.errors import quoted, refuse
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.reading import FEWER_TOKENS, MOST_TOKENS, check_length
from bpe_core.language import TranslatableMessage, message
from bpe_core.sentencepiece.piece_runs import PieceRun, runs
from bpe_core.sentencepiece.protobuf import DamagedError, Field, fields
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES

KIND = message(".model file")
LONGEST_PIECE = 10_000
_MOST_LISTED = 5
_MOST_DAMAGE = 1_000
"""Number of damaged places after which the check stops."""

_MOST_FIELDS = 300_000
"""Maximum number of fields read one by one: those of the file, its messages, and its pieces not in the common form."""

_BYTE = re.compile(r"<0x[0-9A-F]{2}>")
_PIECE, _TRAINER, _NORMALIZER, _TEST, _DENORMALIZER = 1, 2, 3, 4, 5
_MODEL_TYPE, _BYTE_FALLBACK = 3, 35
"""Fields of the training settings."""

_UNKNOWN, _OF_BYTE = 2, 6
_KNOWN_TYPES = range(1, 7)  # normal, unknown, control, user defined, unused, byte
_SCORED_OTHERWISE = (2, 3, 4)
"""Model types whose scores may be infinite, as for required characters: all but Unigram."""


def check(data: bytes, share: Share = NO_PROGRESS) -> None:
    """Raise FormatError for bytes without the structure of a model.

    As in the library, unknown fields are ignored, and missing settings have their defaults.

    >>> check(b"\\n\\x0e\\n")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The file is damaged at byte ...
    """
    outline = _Outline()
    outline.read(data)
    share.reached(1, 3)
    pieces = _Pieces(data, outline)
    pieces.read(share.part(1 / 3, 1.0))
    damage = sorted([*outline.damage, *pieces.damage], key=lambda error: error.at)
    if pieces.unknown != 1 and outline.is_whole and not pieces.damage:
        reason = message("{number} pieces have the type unknown; exactly one must", number=pieces.unknown)
        damage.append(DamagedError(len(data), reason))
    if damage:
        refuse(
            message("The file is damaged {places}.", places=_places(damage)),
            message("A {kind} is a protobuf message.", kind=KIND),
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


class _Limit:
    """Count of the fields that are read one by one."""

    def __init__(self) -> None:
        self._spent = 0

    @property
    def is_exceeded(self) -> bool:
        return self._spent > _MOST_FIELDS

    def spend(self, at: int) -> None:
        """Count a field. Raises DamagedError after _MOST_FIELDS."""
        self._spent += 1
        if self.is_exceeded:
            raise DamagedError(at, message("more than {most:,} fields come before this", most=_MOST_FIELDS))

    def counted(self, found: Iterable[Field]) -> Iterator[Field]:
        """The fields, counted."""
        for each in found:
            self.spend(each[3])
            yield each


@dataclass
class _Outline:
    """The fields of a file: where its pieces are, its settings, and the damage outside of pieces.

    pieces    runs of consecutive pieces in the common form
    others    offset and content of each other piece
    firsts    offset and number of the first piece of each run, and of each other piece, in order
    is_whole  False if the structure breaks, and the rest, perhaps with the settings, is unreadable
    """

    pieces: list[PieceRun] = field(default_factory=list)
    others: list[tuple[int, bytes]] = field(default_factory=list)
    firsts: list[tuple[int, int]] = field(default_factory=list)
    trainer: dict[int, object] = field(default_factory=dict)
    damage: list[DamagedError] = field(default_factory=list)
    is_whole: bool = False

    def read(self, data: bytes) -> None:
        """Read the fields. Raises FormatError for more than MOST_TOKENS pieces, before one is read."""
        count, limit = 0, _Limit()
        try:
            for found in runs(data):
                if isinstance(found, PieceRun):
                    self.pieces.append(found)
                    self.firsts.append((found.begin, count))
                    count += len(found.sizes)
                else:
                    limit.spend(found[3])
                    if self._take(found, limit):
                        self.firsts.append((found[3], count))
                        count += 1
                if count > MOST_TOKENS:
                    refuse(
                        message("The file has more than {most:,} pieces.", most=MOST_TOKENS),
                        message("That is the most allowed."),
                        FEWER_TOKENS,
                    )
            self.is_whole = True
        except DamagedError as error:
            self.damage.append(error)

    def _take(self, found: Field, limit: _Limit) -> bool:
        """Record a field that is not a piece in the common form, and return whether it is another piece."""
        number, wire, value, at = found
        if number == _PIECE and isinstance(value, bytes):
            self.others.append((at, value))
            return True
        if number in (_TRAINER, _NORMALIZER, _TEST, _DENORMALIZER) and isinstance(value, bytes):
            for inner, _, content, place in limit.counted(fields(value, at)):
                if number == _TRAINER:
                    self.trainer[inner] = content
                elif number != _TEST and inner == 2 and isinstance(content, bytes):
                    try:
                        _check_characters(content, place)
                    except DamagedError as error:
                        self.damage.append(error)
        elif number <= _DENORMALIZER:
            raise DamagedError(at, message("field {number} has the wire type {wire}", number=number, wire=wire))
        return False


class _Pieces:
    """The pieces of a file, and their damage, up to _MOST_DAMAGE; `unknown`: number of pieces of that type."""

    def __init__(self, data: bytes, outline: _Outline) -> None:
        self.damage: list[DamagedError] = []
        self.unknown = 0
        self._total = 0
        self._data = data
        self._bytes = np.frombuffer(data, np.uint8)
        self._outline = outline
        self._offsets: dict[str, int] = {}
        self._twice: list[tuple[str, int]] = []
        self._limit = _Limit()
        trainer = outline.trainer
        self._may_be_zero = not outline.is_whole or bool(trainer.get(_BYTE_FALLBACK))
        self._may_be_infinite = not outline.is_whole or trainer.get(_MODEL_TYPE) in _SCORED_OTHERWISE

    def read(self, share: Share) -> None:
        """Read all pieces, those in the common form first."""
        self._read(share)
        self.damage += [self._double(piece, at) for piece, at in self._twice]
        del self.damage[_MOST_DAMAGE:]

    def _read(self, share: Share) -> None:
        for number, run in enumerate(self._outline.pieces):
            self._take_run(run)
            share.reached(number, len(self._outline.pieces))
            if self._is_enough():
                return
        for at, value in self._outline.others:
            try:
                piece, kind = self._piece(value, at)
                text = piece.encode()
                self._add(len(text), text)
                self._take(piece, kind, at)
                self.unknown += kind == _UNKNOWN
            except DamagedError as error:
                self.damage.append(error)
            if self._is_enough() or self._limit.is_exceeded:
                return

    def _is_enough(self) -> bool:
        del self.damage[_MOST_DAMAGE:]
        return len(self.damage) + len(self._twice) >= _MOST_DAMAGE

    def _take_run(self, run: PieceRun) -> None:
        begins = run.begins()
        texts_end = begins + 4 + self._bytes[begins + 3]
        ends = begins + np.frombuffer(run.sizes, np.uint8)
        tails = ends - texts_end
        kinds = np.where((tails == 2) | (tails == 7), self._bytes[ends - 1], 1)
        self.unknown += int(np.count_nonzero(kinds == _UNKNOWN))
        if not self._may_be_infinite:
            self._check_scores(texts_end[tails >= 5] + 1)
        texts = [self._data[begin:end] for begin, end in zip((begins + 4).tolist(), texts_end.tolist(), strict=True)]
        self._add(sum(map(len, texts)), texts[-1])
        places = (begins + 2).tolist()
        with suppress(UnicodeDecodeError):
            pieces = b"\0".join(texts).decode().split("\0")
            found = dict(zip(pieces, places, strict=False))
            valid = len(pieces) == len(texts) == len(found) and not (kinds == _OF_BYTE).any()
            if valid and self._offsets.keys().isdisjoint(found):
                self._offsets |= found
                return
        for text, kind, at in zip(texts, kinds.tolist(), places, strict=True):
            try:
                self._take(_decoded(text, at + 2), kind, at)
            except DamagedError as error:
                self.damage.append(error)
            if self._is_enough():
                return

    def _add(self, size: int, last: bytes) -> None:
        """Count bytes of pieces. Raises FormatError for more than the tokens of a file may have."""
        self._total += size
        if self._total > MOST_TOKEN_BYTES:
            check_length(quoted(last), 0, self._total)

    def _check_scores(self, places: Int64s) -> None:
        """Find scores that are not finite numbers."""
        scores = self._bytes[places[:, np.newaxis] + np.arange(4)].view("<f4")[:, 0]
        self.damage += map(_infinite, places[~np.isfinite(scores)][:_MOST_DAMAGE].tolist())

    def _take(self, piece: str, kind: int, at: int) -> None:
        if piece == "\0":  # with byte fallback the library treats it as unused, and texts get the byte token
            if not self._may_be_zero:
                raise _refused(at, piece)
        elif not piece or "\0" in piece:
            raise _refused(at, piece)
        if kind == _OF_BYTE and not _BYTE.fullmatch(piece):
            reason = message(
                "the piece {piece} is of the type byte and must be written like <0x0A>", piece=quoted(piece)
            )
            raise DamagedError(at, reason)
        other = self._offsets.setdefault(piece, at)
        if other != at:
            self._offsets[piece] = min(other, at)
            self._twice.append((piece, max(other, at)))

    def _double(self, piece: str, at: int) -> DamagedError:
        """Damage of a repeated piece; the occurrence later in the file counts as damaged, whichever was read first."""
        other, number = self._number(self._offsets[piece]), self._number(at)
        reason = message(
            "pieces {other:,} and {number:,} are both {piece}", other=other, number=number, piece=quoted(piece)
        )
        return DamagedError(at, reason)

    def _number(self, at: int) -> int:
        """Number of the piece whose content is at this offset."""
        begin, number = self._outline.firsts[bisect(self._outline.firsts, at, key=itemgetter(0)) - 1]
        run = next((each for each in self._outline.pieces if each.begin == begin), None)
        return number if run is None else number + sorted_place(run.begins(), at) - 1

    def _piece(self, value: bytes, at: int) -> tuple[str, int]:
        """Text and type of a piece that is not in the common form."""
        piece, kind = "", 1
        broken: DamagedError | None = None  # a text that is not UTF-8; the other fields are still read
        if len(value) > LONGEST_PIECE:  # read only the first of its fields, of which there may be millions
            number, _, content, _ = next(fields(value, at))
            named = content if number == 1 and isinstance(content, bytes) else b""
            raise _refused(at, named[:LONGEST_PIECE].decode(errors="replace"))
        for number, wire, content, place in self._limit.counted(fields(value, at)):
            if number == 1 and isinstance(content, bytes):
                try:
                    piece = _decoded(content, place)
                except DamagedError as error:
                    broken = broken or error
            elif number == 2 and wire == 5 and isinstance(content, bytes):
                if not math.isfinite(struct.unpack("<f", content)[0]) and not self._may_be_infinite:
                    self.damage.append(_infinite(place))
            elif number == 3 and isinstance(content, int) and content in _KNOWN_TYPES:
                kind = content
            elif number <= 3:
                reason = message(
                    "a piece has field {number} of wire type {wire}, or an unknown type", number=number, wire=wire
                )
                raise DamagedError(place, reason)
        if broken is not None:
            raise broken
        return piece, kind


def _decoded(text: bytes, at: int) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise DamagedError(at, message("the piece {piece} is not UTF-8", piece=quoted(text))) from None


def _infinite(at: int) -> DamagedError:
    return DamagedError(at, message("the score of a piece is not a finite number"))


def _refused(at: int, piece: str) -> DamagedError:
    return DamagedError(
        at,
        message(
            "the piece {piece} is empty, has a zero byte, or its entry exceeds {longest:,} bytes",
            piece=quoted(piece),
            longest=LONGEST_PIECE,
        ),
    )


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
