"""Calls with one wrong argument at a time, for the tests of misuse."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from bpe_core import BpeError

WRONG: dict[str, Any] = {
    "None": None,
    "-1": -1,
    "10**20": 10**20,
    "10**5000": 10**5000,
    "1.5": 1.5,
    "nan": float("nan"),
    "'x'": "x",
    "no text": "",
    "a lone surrogate": "\ud800",
    "a null character": "\0",
    "b'x'": b"x",
    "[]": [],
    "()": (),
    "{}": {},
    "a set": {1},
    "an object": object(),
    "a type": int,
    "True": True,
    "NumPy's 3": np.int64(3),
    "NumPy's -1": np.int32(-1),
    "NumPy's True": np.bool_(True),
    "an array": np.array([1, 2]),
    "an array of no dimension": np.array(3),
    "an array of two dimensions": np.array([[1, 2]]),
    "an array of truth": np.array([True]),
    "an empty array": np.array([]),
    "a list of objects": [object()],
    "a list of None": [None],
    "a list of numbers": [1, -1, 10**20],
    "a list of lists": [[]],
    "a list of texts": ["x", "\ud800"],
    "a pair": ("x", None),
    "a mapping of None": {"x": None},
    "a mapping of numbers": {"x": -1, "y": 1.5},
    "a mapping of large numbers": {"x": 10**20},
    "a mapping of texts": {"": "x"},
    "a mapping with a surrogate": {"\ud800": 1},
    "a mapping by numbers": {1: 2},
}


class Call(NamedTuple):
    """A public callable and valid arguments by name."""

    function: Callable[..., object]
    arguments: dict[str, Any]


def failures(call: Call) -> Iterator[str]:
    """Each wrong value that raises an exception other than a BpeError, with the argument's name and the exception."""
    call.function(**call.arguments)
    for name in call.arguments:
        for shown, wrong in WRONG.items():
            if callable(wrong) and name == "on_progress":
                continue  # its exceptions are passed on
            try:
                call.function(**{**call.arguments, name: wrong})
            except BpeError as error:
                str(error).encode()  # can be displayed
            except Exception as error:
                yield f"{name}={shown}: {type(error).__name__}: {str(error)[:80]}"
