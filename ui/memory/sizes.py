"""Approximate size of a value in bytes, following references; long collections are sampled."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

SAMPLE = 16
"""Members measured in a long list, tuple, set or dict; the rest are assumed to be of the same size."""

ATTEMPTS = 9
"""Maximum attempts to read a collection while another thread changes it."""

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""Types of objects owned by the program, which count as 0 bytes."""


def size_of(value: object, elsewhere: Collection[int] = ()) -> int:
    """Size in bytes of a value and everything it refers to. `elsewhere`: ids of objects counted separately.

    >>> size_of(b"x" * 1_000) > 1_000, size_of([b"x" * 1_000] * 3) < 2_000
    (True, True)
    """
    return _inside(value, set(), elsewhere)


def _size(value: object, seen: set[int], elsewhere: Collection[int]) -> int:
    if id(value) in seen or id(value) in elsewhere or isinstance(value, _SHARED):
        return 0
    return _inside(value, seen, elsewhere)


def _inside(value: object, seen: set[int], elsewhere: Collection[int]) -> int:
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return _size(value.base, seen, elsewhere) + 112 if value.base is not None else value.nbytes + 112
    own = sys.getsizeof(value)
    if isinstance(value, str | bytes | int | float | bool | None):
        return own
    if isinstance(value, memoryview):
        return value.nbytes
    if isinstance(value, Mapping):
        return own + _of_many(len(value), value.items(), seen, elsewhere)
    if isinstance(value, list | tuple | Set):
        return own + _of_many(len(value), value, seen, elsewhere)
    return own + sum(_size(held, seen, elsewhere) for held in _held(value))


def _of_many(count: int, members: Iterable[Any], seen: set[int], elsewhere: Collection[int]) -> int:
    """Size of `count` members, extrapolated from the first ones."""
    looked_at = _first(members)
    size = sum(_size(member, seen, elsewhere) for member in looked_at)
    return size if count <= SAMPLE else size * count // SAMPLE


def _first(members: Iterable[Any]) -> list[Any]:
    """The first members of a collection to which another thread may be adding; none if all attempts fail."""
    for _ in range(ATTEMPTS):
        with suppress(RuntimeError):  # changed size during iteration
            return list(islice(members, SAMPLE))
    return []


def _held(value: object) -> Iterator[object]:
    """References of an instance: its attributes, and the target of a method or partial function."""
    if isinstance(value, MethodType):
        yield value.__self__
    yield from list(getattr(value, "__dict__", {}).values())
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            yield getattr(value, name, None)
    if hasattr(value, "func") and hasattr(value, "args"):
        yield from (value.func, value.args)
