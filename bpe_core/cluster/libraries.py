"""Lazy imports of the optional libraries, with an error that explains how to install them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bpe_core.errors import ClusterError
from bpe_core.language import message

REMEDY = message("Install the extra cluster: pip install '.[cluster]' in the project's folder.")


def library(name: str) -> Any:
    """A module of an optional library. Raises ClusterError if it is not installed.

    >>> library("fsspec.core").url_to_fs("file:///corpus/a.txt")[1]
    '/corpus/a.txt'
    >>> library("no_such_library")
    Traceback (most recent call last):
        ...
    bpe_core.errors.ClusterError: The library no_such_library is not installed. Counting on a cluster and reading \
remote addresses need libraries that the rest of BPE Lab does not need. Install the extra cluster: ...
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ClusterError(
            message("The library {library} is not installed.", library=error.name or name),
            limit=message(
                "Counting on a cluster and reading remote addresses need libraries that the rest of BPE Lab does not "
                "need."
            ),
            remedy=REMEDY,
        ) from None
