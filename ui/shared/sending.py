"""What a run has drawn so far reaches the browser before the rest is computed."""

from __future__ import annotations

import time

_SENDING = 0.05
"""Seconds in which the server's thread sends a few messages. It shares one interpreter with the runs: beside one that
computes it would take ten times as long."""


def send_what_is_drawn() -> None:
    """Give way to the thread that sends, ahead of something long in the middle of a run."""
    time.sleep(_SENDING)
