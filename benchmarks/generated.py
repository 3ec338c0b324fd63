"""Corpora generated while they are read, at fsspec URLs: of any length, and never stored.

generated://text/BYTES         Python source repeated, with a hundred new words in every megabyte
generated://words/BYTES/WORDS  the same with this many distinct words, most of which occur twice

A Dask worker can read them after `dask worker --preload benchmarks.generated`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import fsspec
import numpy as np
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from benchmarks.corpus import standard_library

PAGE = 1_000_000
_LETTERS = np.frombuffer(b"abcdefghijklmnop", np.uint8)


class Generated(AbstractFileSystem):  # type: ignore[misc]
    """File system in which every name is a file."""

    protocol = "generated"

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path.removeprefix("generated://")

    def unstrip_protocol(self, name: str) -> str:
        return f"generated://{name}"

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        return {"name": path, "size": int(path.split("/")[1]), "type": "file"}

    def _open(self, path: str, mode: str = "rb", **_: Any) -> AbstractBufferedFile:
        return _File(self, self._strip_protocol(path), mode, block_size=PAGE, cache_type="readahead")


class _File(AbstractBufferedFile):  # type: ignore[misc]
    def _fetch_range(self, start: int, end: int) -> bytes:
        kind, size, *words = self.path.split("/")
        pages = -(-int(size) // PAGE)
        fresh = 100 if kind == "text" else -(-int(words[0]) // pages)
        first, last = start // PAGE, -(-end // PAGE)
        data = b"".join(page(number, fresh) for number in range(first, last))
        return data[start - first * PAGE : end - first * PAGE]


@lru_cache(maxsize=2)
def page(number: int, fresh: int) -> bytes:
    """One megabyte of the corpus: new words, some repeated from the previous page, and Python source.

    >>> len(page(3, fresh=100)), page(3, fresh=100) == page(4, fresh=100)
    (1000000, False)
    """
    source = _source()
    words = _words(number * fresh, fresh)
    if number:
        words += _words((number - 1) * fresh, fresh - fresh // 10)
    start = number * 7_919_000 % (len(source) - PAGE)
    if len(words) > PAGE // 2:
        words = words[:PAGE] if len(words) > PAGE else words
    return (words + source[start : start + PAGE])[:PAGE]


def _words(first: int, count: int) -> bytes:
    """This many distinct words of seven letters, separated by spaces."""
    numbers = first + np.arange(count)
    digits = numbers[:, None] >> (4 * np.arange(7)) & 15
    return np.concatenate((np.full((count, 1), 32, np.uint8), _LETTERS[digits]), axis=1).tobytes()


@lru_cache(maxsize=1)
def _source() -> bytes:
    return "".join(standard_library()).encode("ascii", "ignore")


def dask_setup(_: object) -> None:
    """Entry point that Dask calls in a worker preloading this module. A no-op: the import registers the file system."""


fsspec.register_implementation("generated", Generated, clobber=True)
