"""The metadata of a GGUF file, read within limits: keys and values in front of the tensors, which are never read.

Layout: "GGUF", version, number of tensors, number of entries; an entry is a key, a type and a value. All numbers have
one byte order, which is inferred from the version.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Literal, NoReturn

import numpy as np

from bpe_core.errors import quoted, refuse
from bpe_core.formats.reading import MOST_BYTES, MOST_TOKENS
from bpe_core.language import TranslatableMessage, message

MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST_ENTRIES = 10_000
_LONGEST_KEY = 1_000
_DEEPEST = 4
"""Maximum nesting depth of lists."""

_MOST_ITEMS = 2 * MOST_TOKENS + 10_000
"""Maximum number of texts and lists in all lists together: tokens, merges, and a few others."""

_WEIGHT = 10
"""Number of texts that a nested list counts as: it takes more time and memory, and no tokenizer has any."""

_NUMBERS = {0: "u1", 1: "i1", 2: "u2", 3: "i2", 4: "u4", 5: "i4", 6: "f4", 7: "?", 10: "u8", 11: "i8", 12: "f8"}
"""NumPy's code of each type of number."""

_TEXT, _LIST = 8, 9
_GET_AGAIN = message("Get the file again; its first part is enough, up to the end of the metadata.")


class _CutError(Exception):
    """The data ends within the metadata. `at`: the byte at which more is needed."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def is_like(data: bytes | bytearray) -> bool:
    """Whether bytes begin like a GGUF file.

    >>> is_like(b"GGUF\\x03\\0\\0\\0"), is_like(b"{")
    (True, False)
    """
    return data.startswith(MAGIC)


def metadata(data: bytes, prefix: str = "") -> dict[str, Any]:
    """Values of the keys with this prefix, by key: numbers, flags, bytes of texts, arrays of numbers and lists.

    Raises FormatError for data that is not metadata of a known version, is truncated, or states a wrong length.

    >>> entry = struct.pack("<Q5sIQ3s", 5, b"a.key", 8, 3, b"low")
    >>> metadata(MAGIC + struct.pack("<IQQ", 3, 0, 1) + entry)
    {'a.key': b'low'}
    """
    try:
        return _Reader(data).entries(prefix)
    except _CutError as error:
        refuse(
            message(
                "The GGUF file has {bytes:,} bytes, and the value at byte {position:,} ends after them.",
                bytes=len(data),
                position=error.at,
            ),
            message("All of its metadata is needed, which the tensors follow."),
            _GET_AGAIN,
        )


def complete(data: bytes) -> bool:
    """Whether the beginning of a file has all of its metadata. Raises FormatError as `metadata` does.

    >>> complete(MAGIC), complete(MAGIC + struct.pack("<IQQ", 3, 0, 0))
    (False, True)
    """
    try:
        _Reader(data).entries("\0")
    except _CutError:
        return False
    return True


def without_tensors(data: bytes) -> bytes:
    """A GGUF file cut to the size limit of files, beyond which there are only tensors; other data is unchanged.

    >>> without_tensors(b"{}")
    b'{}'
    """
    return data[:MOST_BYTES] if is_like(data) else data


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = len(MAGIC)
        self._order: Literal["<", ">"] = "<"
        self._items = 0  # in lists so far, other than numbers
        version = self._number("u4")
        swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
        if swapped in _VERSIONS:
            self._order, version = ">", swapped
        if version not in _VERSIONS:
            refuse(
                message("The GGUF file has version {version:,}.", version=version),
                message("Versions 2 and 3 are read."),
                message("Convert the model again with a newer program."),
            )

    def entries(self, prefix: str) -> dict[str, Any]:
        self._number("u8")  # tensors
        many = self._number("u8")
        self._check(many <= _MOST_ENTRIES, self._at - 8, lambda: _too_many(many, _MOST_ENTRIES))
        found: dict[str, Any] = {}
        for _ in range(many):
            at = self._at
            length = self._number("u8")
            self._check(length <= _LONGEST_KEY, at, lambda length=length: _too_long(length, _LONGEST_KEY))
            key = self._bytes(length).decode("utf-8", "replace")
            if key in found:
                self._fail(at, message("the key {key} is there twice", key=quoted(key)))
            kind = self._number("u4")
            wanted = key.startswith(prefix)
            value = self._value(kind, wanted, _DEEPEST)
            if wanted:
                found[key] = value
        return found

    def _value(self, kind: int, wanted: bool, deepest: int) -> Any:
        if kind in _NUMBERS:
            return self._number(_NUMBERS[kind])
        if kind == _TEXT:
            return self._bytes(self._number("u8"))
        at = self._at - 4
        self._check(kind == _LIST, at, lambda: message("a value has the unknown type {type:,}", type=kind))
        self._check(deepest > 0, at, lambda: message("lists are nested more than {most} deep", most=_DEEPEST))
        inner = self._number("u4")
        many = self._number("u8")
        if inner in _NUMBERS:
            code = _NUMBERS[inner]
            content = self._bytes(many * np.dtype(code).itemsize)
            return np.frombuffer(content, np.dtype(code).newbyteorder(self._order)) if wanted else None
        self._check(many <= MOST_TOKENS, self._at - 8, lambda: _too_many(many, MOST_TOKENS))
        self._items += many if inner == _TEXT else _WEIGHT * many
        self._check(self._items <= _MOST_ITEMS, self._at - 8, _too_many_in_all)
        if inner == _TEXT:
            return self._texts(many, wanted)
        return [self._value(inner, wanted, deepest - 1) for _ in range(many)]

    def _texts(self, many: int, wanted: bool) -> list[bytes]:
        """Read `many` texts; return none if they are not wanted. One loop for a vocabulary, without a call per text."""
        data, at, size = self._data, self._at, len(self._data)
        unpack = struct.Struct(self._order + "Q").unpack_from
        texts = []
        for _ in range(many):
            if at + 8 > size:
                raise _CutError(at)
            (length,) = unpack(data, at)
            begin, at = at + 8, at + 8 + length
            if at > size:
                raise _CutError(begin)
            if wanted:
                texts.append(data[begin:at])
        self._at = at
        return texts

    def _number(self, code: str) -> Any:
        kind = np.dtype(code).newbyteorder(self._order)
        return np.frombuffer(self._bytes(kind.itemsize), kind)[0].item()

    def _bytes(self, length: int) -> bytes:
        begin, end = self._at, self._at + length
        if end > len(self._data):
            raise _CutError(begin)
        self._at = end
        return self._data[begin:end]

    def _check(self, right: bool, at: int, reason: Any) -> None:
        if not right:
            self._fail(at, reason())

    def _fail(self, at: int, reason: TranslatableMessage) -> NoReturn:
        refuse(
            message("The GGUF file is damaged at byte {position:,}: {reason}.", position=at, reason=reason),
            message("Its metadata is a list of keys and values."),
            _GET_AGAIN,
        )


def texts(values: Mapping[str, Any], key: str) -> list[bytes]:
    """The texts of a key; empty without it. Raises FormatError if it holds something else.

    >>> texts({"a": [b"low"]}, "a"), texts({}, "a")
    ([b'low'], [])
    """
    value = values.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, bytes) for each in value):
        _refuse_kind(key, message("a list of texts"))
    return value


def numbers(values: Mapping[str, Any], key: str, size: int | None, kinds: str) -> np.ndarray[Any, Any] | None:
    """The numbers of a key, `size` of them; None without it. Raises FormatError for another size or kind.

    `kinds`: NumPy's, such as "iu" for whole numbers.

    >>> numbers({"a": np.array([1, 2])}, "a", 2, "iu")
    array([1, 2])
    """
    value = values.get(key)
    if value is None:
        return None
    fits = isinstance(value, np.ndarray) and value.dtype.kind in kinds
    if not fits and "f" not in kinds:
        _refuse_kind(key, message("a list of whole numbers"))
    if not fits or (size is not None and len(value) != size):
        _refuse_kind(key, message("a list of {size:,} numbers, one for each token", size=size))
    return np.asarray(value)


def text(values: Mapping[str, Any], key: str) -> str | None:
    """The text of a key, or None. Raises FormatError if it holds something else.

    >>> text({"a": b"low"}, "a")
    'low'
    """
    value = values.get(key)
    if value is None:
        return None
    if not isinstance(value, bytes):
        _refuse_kind(key, message("a text"))
    return value.decode("utf-8", "replace")


def flag(values: Mapping[str, Any], key: str, default: bool) -> bool:
    """The flag of a key, or the default. Raises FormatError if it holds something else.

    >>> flag({"a": True}, "a", False), flag({}, "a", False)
    (True, False)
    """
    value = values.get(key, default)
    if not isinstance(value, bool):
        _refuse_kind(key, message("true or false"))
    return value


def token_id(values: Mapping[str, Any], key: str, default: int | None, size: int) -> int | None:
    """The id of a key, or the default; None if there is no such token. Raises FormatError if it is not a number.

    >>> token_id({"a": 3}, "a", None, 4), token_id({}, "a", 9, 4)
    (3, None)
    """
    value = values.get(key, default)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        _refuse_kind(key, message("an id"))
    return value if 0 <= value < size else None


def _refuse_kind(key: str, wanted: TranslatableMessage) -> NoReturn:
    refuse(
        message("{key} of the GGUF file is not {wanted}.", key=key, wanted=wanted),
        message("Programs that read such files expect it."),
        message("Convert the model again."),
    )


def _too_many(many: int, most: int) -> TranslatableMessage:
    return message("a list of {items:,} entries; the most allowed is {most:,}", items=many, most=most)


def _too_many_in_all() -> TranslatableMessage:
    return message("its lists have more than {most:,} texts in all", most=_MOST_ITEMS)


def _too_long(length: int, most: int) -> TranslatableMessage:
    return message("a key of {bytes:,} bytes; the most allowed is {most:,}", bytes=length, most=most)
