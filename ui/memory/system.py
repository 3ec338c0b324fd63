"""What the system is asked of memory: that what is free goes back to it, and that large things are kept apart."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

APART = 256 * 1024
"""Bytes from which on an array or a text has pages of its own, which are the system's again as soon as it is gone."""

MOST_ARENAS = 2
"""Heaps that threads share. glibc would make eight for each core, and each keeps its own gaps."""

_MMAP_THRESHOLD = -3
_ARENA_MAX = -8
"""Names of settings in glibc's malloc.h."""


def keep_large_apart() -> None:
    """Before there are many threads: otherwise gaps between what stays keep what is free from going back."""
    mallopt = _of_glibc("mallopt")
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, APART)
        mallopt(_ARENA_MAX, MOST_ARENAS)


def give_back() -> None:
    """Free what only holds itself, and return free memory to the system."""
    gc.collect()
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_glibc(name: str) -> Any:
    """A function of glibc, None on other systems: their libraries return memory by themselves."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
