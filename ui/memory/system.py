"""Allocator tuning: return free memory to the system, and give large objects their own pages."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

APART = 256 * 1024
"""Bytes above which an array or string gets its own pages, returned to the system when it is freed."""

MOST_ARENAS = 2
"""Heaps shared by threads. By default glibc makes eight per core, each with its own fragmentation."""

_MMAP_THRESHOLD = -3
_ARENA_MAX = -8
"""Constants from glibc's malloc.h."""


def keep_large_apart() -> None:
    """Configure the allocator before threads start: fragmentation would keep free memory from the system."""
    mallopt = _of_glibc("mallopt")
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, APART)
        mallopt(_ARENA_MAX, MOST_ARENAS)


def give_back() -> None:
    """Collect garbage cycles and return free memory to the system."""
    gc.collect()
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_glibc(name: str) -> Any:
    """A glibc function, or None on other systems, whose allocators return memory by themselves."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
