"""A lazily computed value, computed once for all threads."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np

from bpe_core.arrays import read_only

Value = TypeVar("Value", bound=tuple[Any, ...])


class Later(Generic[Value]):
    """Lazy tuple returned by `make`; its arrays become read-only. Copies and pickles hold the computed value.

    >>> places = Later(lambda: (np.zeros(2), print("computed")))
    >>> places.get()[0].flags.writeable, len(places.get())
    computed
    (False, 2)
    """

    __slots__ = ("_lock", "_make", "_value")

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make: Callable[[], Value] | None = make
        self._lock = Lock()
        self._value: Value | None = None

    def get(self) -> Value:
        """Return the value. An exception of `make` propagates, and the next call tries again."""
        value = self._value
        if value is not None:
            return value
        with self._lock:
            if self._value is None:
                assert self._make is not None
                made = self._make()
                for each in made:
                    if isinstance(each, np.ndarray):
                        read_only(each)
                self._value = made
                self._make = None  # also releases captured objects
            return self._value

    def __reduce__(self) -> tuple[Callable[[Value], Later[Value]], tuple[Value]]:
        return _made, (self.get(),)


def _made(value: Value) -> Later[Value]:
    later = Later(lambda: value)
    later.get()
    return later
