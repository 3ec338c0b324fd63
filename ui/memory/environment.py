"""Server settings from environment variables, read once at startup."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from bpe_core import ConfigError

T = TypeVar("T")


def setting(name: str, read: Callable[[str | None], T]) -> T:
    """Parsed value of an environment variable; `read` gets its text, or None if unset.

    If `read` raises ConfigError, the process exits with its message and no traceback, rather than start with a setting
    other than the requested one.
    """
    try:
        return read(os.environ.get(name))
    except ConfigError as error:
        from bpe_core.cli.terminal import error_text  # local, since it imports all commands

        raise SystemExit(error_text(error)) from None
