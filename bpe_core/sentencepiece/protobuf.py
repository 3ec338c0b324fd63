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
    at = 0
    while at < len(data):
        found, at = field_at(data, at, start)
        yield found


def field_at(data: bytes, at: int, start: int = 0) -> tuple[Field, int]:
    """The field at an offset of a message that begins at byte `start` of the file, and the offset of its end.

    Raises DamagedError if it is invalid.

    >>> field_at(b"\\x0a\\x02hi\\x10\\x05", 4)
    ((2, 0, 5, 4), 6)
    """
    begin = at
    key, at = (data[at], at + 1) if data[at] < 0x80 else _varint(data, at, start)
    number, wire = key >> 3, key & 7
    if number == 0:
        raise DamagedError(start + begin, message("a field has the number 0"))
    if wire == 0:
        value, at = _varint(data, at, start)
        return (number, wire, value, start + begin), at
    if wire == 2:
        length, at = (data[at], at + 1) if at < len(data) and data[at] < 0x80 else _varint(data, at, start)
    elif wire in (1, 5):
        length = 8 if wire == 1 else 4
    else:
        raise DamagedError(start + begin, message("the wire type {type} is not known", type=wire))
    end = at + length
    if end > len(data):
        reason = message("a field of {bytes:,} bytes ends after the file or its message", bytes=length)
        raise DamagedError(start + begin, reason)
    return (number, wire, data[at:end], start + at), end


def fields_without(data: bytes, skipped: int, unless: bytes | None = None) -> Iterator[tuple[int, Field, int]]:
    """Fields of a file with their start and end offsets, skipping short ones of the number `skipped` unread.

    `unless`: bytes; such a field that contains them is not skipped. Raises DamagedError as `fields` does.

    >>> data = b"\\x0a\\x02hi\\x10\\x05\\x0a\\x01a"
    >>> list(fields_without(data, 1)), list(fields_without(data, 1, b"a"))
    ([(4, (2, 0, 5, 4), 6)], [(4, (2, 0, 5, 4), 6), (6, (1, 2, b'a', 8), 9)])
    """
    key, last = skipped << 3 | 2, len(data)
    at = 0
    while at < last:
        if data[at] == key and at + 1 < last and data[at + 1] < 0x80:
            end = at + 2 + data[at + 1]
            if end <= last and (unless is None or data.find(unless, at + 2, end) < 0):
                at = end
                continue
        found, end = field_at(data, at, 0)
        yield at, found, end
        at = end


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
