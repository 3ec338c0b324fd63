"""Disk cache of compiled code with checksums: a damaged or unwritable file falls back to compiling."""

from __future__ import annotations

import os
import pickle
from functools import cache
from hashlib import blake2b
from typing import Any

from numba import __version__
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

_DIGEST = 16


class _CheckedFiles(IndexDataCacheFile):
    """Files of one function, index and compiled parts, each prefixed with its digest.

    Never execute corrupted machine code, and never unpickle a corrupted file: pickle can be made to allocate anything,
    and Python prints errors that no handler sees.
    """

    def _load_index(self) -> Any:
        try:
            version, stamp, overloads = self._read(self._index_path)
        except (
            Exception
        ):  # missing, damaged, or of older sources, with types that are gone: overwritten by an empty index
            return {}
        return overloads if (version, stamp) == (__version__, self._source_stamp) else {}

    def _save_index(self, overloads: Any) -> None:
        self._write(self._index_path, (__version__, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        """Content of a file. Raises OSError for a damaged one, which Numba treats as missing."""
        with open(path, "rb") as file:
            digest, data = file.read(_DIGEST), file.read()
        if blake2b(data, digest_size=_DIGEST).digest() != digest:
            raise OSError("damaged")
        return pickle.loads(data)

    def _write(self, path: str, content: Any) -> None:
        dumped = dumps(content)
        with self._open_for_write(path) as file:
            file.write(blake2b(dumped, digest_size=_DIGEST).digest() + dumped)


class CodeCache(FunctionCache):
    """Numba's cache of one function, for its dispatcher: valid until a file of the function's folder changes.

    Raises RuntimeError if there is no folder for the cache, and OSError if there is none of sources.

    >>> from bpe_core.kernels.merge_loop import _lay_out
    >>> isinstance(_lay_out.from_python._cache, CodeCache)
    True
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = _stamp(os.path.dirname(function.__code__.co_filename))
        self._cache_file = _CheckedFiles(self.cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached code for this signature, or None.

        Skips Numba's refresh of its compiler registries, which takes longer than loading all kernels. Cached code does
        not need it, and compiling performs it anyway.

        >>> CodeCache.load_overload.__name__
        'load_overload'
        """
        rtsys.initialize(target_context)  # required for allocating arrays
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write compiled code to the cache, if the disk permits.

        >>> CodeCache.save_overload.__name__
        'save_overload'
        """
        try:
            super().save_overload(sig, data)
        except OSError:  # full, or no longer writable: the next process compiles again
            return


@cache
def _stamp(folder: str) -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of every source in a folder: a kernel holds code of those that it calls."""
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.stat()) for entry in entries if entry.name.endswith(".py")]
    return tuple(sorted((name, status.st_size, status.st_mtime_ns) for name, status in found))
