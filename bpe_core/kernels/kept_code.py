"""Compiled code on disk, checked when it is read: where a file is damaged or cannot be written, compiling goes on."""

from __future__ import annotations

import pickle
from hashlib import blake2b
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys

_DIGEST = 16


class _CheckedFiles(IndexDataCacheFile):
    """A function's files, each compiled part behind its digest: machine code must not run with a bit turned over."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # whatever pickle makes of a damaged file; an empty index is written over it
            return {}

    def _load_data(self, name: str) -> Any:
        with open(self._data_path(name), "rb") as file:
            digest, data = file.read(_DIGEST), file.read()
        if blake2b(data, digest_size=_DIGEST).digest() != digest:
            raise OSError("damaged")  # Numba takes it for a file that is gone
        return pickle.loads(data)

    def _save_data(self, name: str, data: Any) -> None:
        dumped = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(blake2b(dumped, digest_size=_DIGEST).digest() + dumped)


class KeptCode(FunctionCache):
    """Numba's cache of one function, for its dispatcher. Raises RuntimeError where there is no place for it.

    >>> from bpe_core.kernels.merge_loop import _lay_out
    >>> isinstance(_lay_out._cache, KeptCode)
    True
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        files = self._cache_file
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, files._source_stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was kept for these types, or None.

        Numba would first read what it needs for compiling, which takes longer than loading all kernels. Machine code
        that was kept needs none of it; where there is none, Numba reads it when it compiles.

        >>> KeptCode.load_overload.__name__
        'load_overload'
        """
        rtsys.initialize(target_context)  # memory for arrays
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, if the disk takes it.

        >>> KeptCode.save_overload.__name__
        'save_overload'
        """
        try:
            super().save_overload(sig, data)
        except OSError:  # full, or no longer writable: the next process compiles again
            return
