"""Arrays for kernels and shared results: read-only, in copies and after pickling too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

Array = TypeVar("Array", bound=npt.NDArray[Any])
Bytes = npt.NDArray[np.uint8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def read_only(array: Array) -> Array:
    """Make the array read-only and return it.

    >>> read_only(np.zeros(2))[0] = 1
    Traceback (most recent call last):
        ...
    ValueError: assignment destination is read-only
    """
    array.flags.writeable = False
    return array


class ReadOnlyArrays:
    """Base class of dataclasses that hold arrays: makes them read-only, in copies and pickles too.

    Not for dataclasses with slots, nor for those whose own __post_init__ does not call this one.

    >>> from dataclasses import dataclass
    >>> from copy import deepcopy
    >>> @dataclass(frozen=True, eq=False)
    ... class Counts(ReadOnlyArrays):
    ...     counts: npt.NDArray[np.int64]
    >>> deepcopy(Counts(np.zeros(2, np.int64))).counts.flags.writeable
    False
    """

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                read_only(value)

    def __setstate__(self, state: Mapping[str, object]) -> None:
        vars(self).update(state)
        ReadOnlyArrays.__post_init__(self)


def int32s(numbers: npt.ArrayLike) -> Int32s:
    """Numbers in the form that kernels take: contiguous int32, copied only if necessary.

    >>> int32s([1, 2]).dtype.name
    'int32'
    """
    return np.require(numbers, np.int32, ["C", "W"])


def sorted_place(values: npt.NDArray[np.integer[Any]], wanted: int, side: Literal["left", "right"] = "left") -> int:
    """Index at which a number keeps an ascending array in order: before equal values, or after them.

    `np.searchsorted` of a number of another type than the array's first converts the whole array, at every call.

    >>> sorted_place(np.array([2, 4], np.int32), 4), sorted_place(np.array([2, 4], np.int32), 4, "right")
    (1, 2)
    """
    limits = np.iinfo(values.dtype)
    if not limits.min <= wanted <= limits.max:
        return 0 if wanted < 0 else len(values)
    return int(values.searchsorted(values.dtype.type(wanted), side))


def ranges_of(starts: npt.NDArray[np.integer[Any]], ends: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """Ranges from their starts and ends, as `np.column_stack` returns them, but several times as fast for a few.

    >>> ranges_of(np.array([0, 2]), np.array([1, 4])).tolist()
    [[0, 1], [2, 4]]
    """
    edges = np.empty((len(starts), 2), np.int64)
    edges[:, 0], edges[:, 1] = starts, ends
    return edges
