"""Uploaded files: Streamlit keeps them in memory, so the parser must not spool them to disk either."""

from __future__ import annotations

from starlette.formparsers import MultiPartParser

LARGEST = 2**31
"""Size in bytes up to which nothing is spooled to disk; server.maxUploadSize rejects uploads long before."""


def keep_uploads_in_memory() -> None:
    """Make uploads independent of the disk, which may be full or read-only."""
    MultiPartParser.spool_max_size = LARGEST
