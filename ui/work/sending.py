"""Flush a run's output to the browser before long computations."""

from __future__ import annotations

import time

_SENDING = 0.05
"""Seconds in which the server's thread sends a few messages. Under the interpreter lock, next to a computing run, that
would take ten times as long."""


def flush_output() -> None:
    """Yield to the sending thread; call before long work in the middle of a run."""
    time.sleep(_SENDING)
