"""Uploaded files, which Streamlit holds in memory: they are not written to disk on the way there either."""

from __future__ import annotations

from starlette.formparsers import MultiPartParser

LARGEST = 2**31
"""Bytes that are not spooled to a file; the server refuses larger uploads than server.maxUploadSize long before."""


def keep_uploads_in_memory() -> None:
    """From now on a file can be uploaded where the disk is full or cannot be written to."""
    MultiPartParser.spool_max_size = LARGEST
