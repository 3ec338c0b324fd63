"""Settings of this server in its environment, read once when it starts."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from bpe_core import ConfigError
from bpe_core.cli.terminal import told

T = TypeVar("T")


def setting(name: str, read: Callable[[str | None], T]) -> T:
    """Value of an environment variable; `read` gets its text, None if it is not set.

    A value that `read` refuses with ConfigError ends the program, with the sentence and without a traceback: it would
    start with another setting than the one asked for.
    """
    try:
        return read(os.environ.get(name))
    except ConfigError as error:
        raise SystemExit(told(error)) from None
