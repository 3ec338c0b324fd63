"""Compilation and caching of the kernels, and the choice between them and plain Python."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, update_wrapper
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])
Number = Any  # in the kernels: an integer, Python's or Numba's

KERNEL_MODULES = (
    "bpe_core.kernels.scan",
    "bpe_core.kernels.merge_loop",
    "bpe_core.kernels.word_encoder",
    "bpe_core.kernels.layout",
    "bpe_core.kernels.pieces",
    "bpe_core.kernels.judging",
)

LATER_MODULES = (
    "bpe_core.kernels.picky_loop",
    "bpe_core.kernels.wide_scan",
    "bpe_core.kernels.runs",
    "bpe_core.kernels.fair_loop",
)
"""Kernels compiled later: only the algorithms that use them wait for them."""

_compiling = Lock()
_ready = False
_later_ready = False


class Kernel:
    """A function that Numba compiles, twice if need be: for calls from Python, and for calls from other kernels.

    Numba is imported on the first of these calls. The machine code for calls from Python is cached on disk. That for
    calls from kernels is not: it becomes part of theirs, without the code that converts arguments from Python.

    >>> Kernel(lambda number: number + number)(21)
    42
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        update_wrapper(self, function)

    def __call__(self, *given: Any) -> Any:
        return self.from_python(*given)

    @property
    def signatures(self) -> list[Any]:
        """Types of arguments that it has been compiled for.

        >>> kernel = Kernel(lambda number: number + number)
        >>> kernel.signatures, kernel(21), kernel.signatures
        ([], 42, [(int64,)])
        """
        return list({*self.from_python.signatures, *self.from_kernels.signatures})

    @cached_property
    def from_python(self) -> Any:
        """Numba's dispatcher of calls from Python.

        >>> Kernel(lambda number: number + number).from_python.targetoptions["nogil"]
        True
        """
        from bpe_core.kernels.code_cache import CodeCache

        dispatcher = self._dispatcher()
        with suppress(RuntimeError, OSError):  # "no locator available": no writable cache folder
            dispatcher._cache = CodeCache(self.py_func)
        return dispatcher

    @cached_property
    def from_kernels(self) -> Any:
        """Numba's dispatcher of calls from other kernels.

        >>> Kernel(lambda number: number + number).from_kernels.targetoptions["no_cpython_wrapper"]
        True
        """
        return self._dispatcher(no_cpython_wrapper=True)

    @property
    def _numba_type_(self) -> Any:
        """Numba's type of this object in the code of other kernels."""
        return self.from_kernels._numba_type_

    def _dispatcher(self, **options: bool) -> Any:
        import numba

        compiler: Any = numba.njit
        dispatcher = compiler(nogil=True, no_cfunc_wrapper=True, **options)(self.py_func)
        # Otherwise Numba first imports every package that extends it, such as awkward: a third of a second.
        dispatcher._compilation_chain_init_hook = _extend_nothing
        return dispatcher


def njit(function: Function) -> Function:
    """Compile `function` on its first call, without the GIL, and cache the machine code on disk.

    Numba caches it next to the source, else in the user's cache folder. Where neither is writable, or a cached file is
    damaged, each process compiles the function again. Processes that compile concurrently write identical files, each
    atomically. A kernel calls only kernels of its own folder, all of which validate the cache, and each is called with
    a single signature.

    >>> @njit
    ... def double(number):
    ...     return number + number
    >>> double(21)
    42
    """
    return cast("Function", Kernel(function))


def _extend_nothing() -> None:
    """No-op hook in place of loading other packages' Numba extensions before a kernel is loaded or compiled."""


def warm_up() -> None:
    """Compile every kernel, or load it from disk; call once in the background at start-up.

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


def warm_up_later() -> None:
    """Compile the kernels that `warm_up` leaves out, or load them from disk; call once in the background, after it.

    >>> warm_up_later()
    """
    global _later_ready
    with _compiling:
        if not _later_ready:
            for name in LATER_MODULES:
                import_module(name).warm_up()
            _later_ready = True


def is_ready() -> bool:
    """Whether `warm_up` has finished in this process. Never blocks.

    >>> warm_up()
    >>> is_ready()
    True
    """
    return _ready


def use_compiled(work: int, small: int) -> bool:
    """Whether to run the kernels instead of the same algorithm in plain Python; both give the same results.

    Always true once the kernels are ready. Before that, compiling them takes seconds, so plain Python does work of up
    to `small` units: as much as it handles in well under a second. The caller chooses the unit.

    >>> warm_up()
    >>> use_compiled(work=10, small=20_000)
    True
    """
    return is_ready() or work > small


def use_compiled_later(work: int, small: int) -> bool:
    """`use_compiled` for the kernels of `warm_up_later`.

    >>> warm_up_later()
    >>> use_compiled_later(work=10, small=20_000)
    True
    """
    return _later_ready or work > small
