"""The compiled kernels: how they are compiled and cached, and when they are used instead of plain Python."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar, cast

import numba

from bpe_core.kernels.kept_code import KeptCode

Function = TypeVar("Function", bound=Callable[..., Any])

KERNEL_MODULES = (
    "bpe_core.kernels.scan",
    "bpe_core.kernels.merge_loop",
    "bpe_core.kernels.word_encoder",
    "bpe_core.kernels.layout",
    "bpe_core.kernels.pieces",
    "bpe_core.kernels.charsmap",
    "bpe_core.kernels.judging",
)

_compiling = Lock()
_ready = False


def njit(function: Function) -> Function:
    """Compile `function` on its first call, without the GIL, and keep the machine code on disk for the next process.

    Numba keeps it beside the source, else in the user's cache folder; where neither can be written, the function is
    compiled again in every process, as it is where what was kept is damaged. Processes that compile at the same time
    each write the same files, whole, and so do no harm. A kernel calls only kernels of its own module, since Numba
    looks at that one file to tell whether what it kept is still valid; and each is called with one set of types only.

    >>> @njit
    ... def double(number):
    ...     return number + number
    >>> double(21)
    42
    """
    compiled = numba.njit(nogil=True)(function)
    # Numba first imports every package that extends it, awkward for one: a third of a second for arrays of numbers.
    compiled._compilation_chain_init_hook = _extend_nothing  # type: ignore[attr-defined]
    with suppress(RuntimeError):  # "no locator available": nowhere to keep it
        compiled._cache = KeptCode(function)  # type: ignore[attr-defined]
    return cast("Function", compiled)


def _extend_nothing() -> None:
    """What runs before a kernel is loaded or compiled instead of other packages' extensions of Numba."""


def warm_up() -> None:
    """Compile every kernel, or load it from disk; call it once in the background at start-up.

    >>> warm_up()
    >>> is_ready()
    True
    """
    global _ready
    with _compiling:
        if not _ready:
            for name in KERNEL_MODULES:
                import_module(name).warm_up()
            _ready = True


def is_ready() -> bool:
    """Whether `warm_up` has finished in this process. Never waits.

    >>> warm_up()
    >>> is_ready()
    True
    """
    return _ready


def use_compiled(work: int, small: int) -> bool:
    """Whether to run the kernels instead of the same algorithm in plain Python; the results are the same.

    Once the kernels are ready, always. Before that they would have to be compiled first, which takes seconds, so work
    of up to `small` units is left to plain Python. `small` is what plain Python does in well under a second; the
    caller chooses the unit.

    >>> warm_up()
    >>> use_compiled(work=10, small=20_000)
    True
    """
    return is_ready() or work > small
