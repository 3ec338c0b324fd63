"""Validating reader for protobuf fields: the subset of the format that .model files use."""

from __future__ import annotations

from collections.abc import Iterator

from bpe_core.language import message

Field = tuple[int, int, "bytes | int", int]
"""Number, wire type, value (an int for a varint, otherwise bytes) and file offset of a field."""


class DamagedError(Exception):
    """Damage in a message: the `reason`, and the file offset `at`.

    >>> DamagedError(3, "a number does not end").at
    3
    """

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at = at
        self.reason = reason


def fields(data: bytes, start: int = 0) -> Iterator[Field]:
    """Fields of a message that begins at byte `start` of the file. Raises DamagedError if it is invalid.

    >>> list(fields(b"\\x0a\\x02hi\\x10\\x05"))
    [(1, 2, b'hi', 2), (2, 0, 5, 4)]
    """
    at, size = 0, len(data)
    while at < size:
        begin = at
        key, at = (data[at], at + 1) if data[at] < 0x80 else _varint(data, at, start)
        number, wire = key >> 3, key & 7
        if number == 0:
            raise DamagedError(start + begin, message("a field has the number 0"))
        if wire == 0:
            value, at = _varint(data, at, start)
            yield number, wire, value, start + begin
            continue
        if wire == 2:
            length, at = (data[at], at + 1) if at < size and data[at] < 0x80 else _varint(data, at, start)
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise DamagedError(start + begin, message("the wire type {type} is not known", type=wire))
        if at + length > size:
            reason = message("a field of {bytes:,} bytes ends after the file or its message", bytes=length)
            raise DamagedError(start + begin, reason)
        yield number, wire, data[at : at + length], start + at
        at += length


def end_of(data: bytes, value: bytes | int, at: int) -> int:
    """End offset of a field of `fields`, from its value and offset in `data`.

    >>> data = b"\\x0a\\x02hi\\x10\\x05"
    >>> [end_of(data, value, at) for _, _, value, at in fields(data)]
    [4, 6]
    """
    if isinstance(value, bytes):
        return at + len(value)
    return _varint(data, _varint(data, at, 0)[1], 0)[1]


def field(number: int, value: bytes) -> bytes:
    """Serialize a field of bytes.

    >>> field(1, b"hi")
    b'\\n\\x02hi'
    """
    return _written(number << 3 | 2) + _written(len(value)) + value


def number_field(number: int, value: int) -> bytes:
    """Serialize a field of a whole number; a negative one has ten bytes.

    >>> number_field(3, 2), len(number_field(3, -1))
    (b'\\x18\\x02', 11)
    """
    return _written(number << 3) + _written(value % (1 << 64))


def simple_piece(data: bytes) -> str | None:
    """Fast path: the piece of a message with only a piece of at most 126 bytes and a finite score; else None.

    Nearly all messages of a vocabulary have this form, and `fields` takes several times as long.

    >>> simple_piece(field(1, b"hi") + b"\\x15" + bytes(4)), simple_piece(field(1, b"hi"))
    ('hi', None)
    """
    end = len(data) - 5
    if end < 3 or end > 128 or data[0] != 0x0A or data[1] != end - 2 or data[end] != 0x15:
        return None
    if b"\0" in data[2:end] or (data[-1] & 0x7F == 0x7F and data[-2] >> 7):  # the score is not finite
        return None
    try:
        return data[2:end].decode()
    except UnicodeDecodeError:
        return None


def _varint(data: bytes, at: int, start: int) -> tuple[int, int]:
    value = 0
    for i in range(10):
        if at + i >= len(data):
            break
        value |= (data[at + i] & 0x7F) << (7 * i)
        if data[at + i] < 0x80:
            return value, at + i + 1
    raise DamagedError(start + at, message("a number does not end"))


def _written(number: int) -> bytes:
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append(number & 0x7F)
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])
