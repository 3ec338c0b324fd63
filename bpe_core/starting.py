"""Process set-up before any other import: Ctrl-C handling, and replacements for closed standard descriptors.

Runs first in `python -m bpe_core`, `python -m ui` or `bpe-lab`, and never when the package is imported by another
program.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

_MODULES = ("bpe_core", "bpe_core.__main__", "ui", "ui.__main__")
_COMMAND = "bpe-lab"
_PYTHONS_OWN = (0, 1, 2)
"""Descriptors of stdin, stdout and stderr."""


def is_program(arguments: Sequence[str]) -> bool:
    """Whether a process with these arguments (`sys.orig_argv`) runs the command line.

    >>> is_program(["python", "-m", "bpe_core", "train"]), is_program(["/usr/bin/python", "/usr/bin/bpe-lab", "train"])
    (True, True)
    >>> is_program(["python", "-m", "pytest", "bpe_core"]), is_program(["python", "mine.py", "-m", "bpe_core"])
    (False, False)
    """
    for at, argument in enumerate(arguments[1:], 1):
        if argument == "-m":
            return arguments[at + 1 : at + 2] != [] and arguments[at + 1] in _MODULES
        if not argument.startswith("-") and arguments[at - 1] not in ("-X", "-W"):
            return os.path.splitext(os.path.basename(argument))[0] == _COMMAND
    return False


def begin() -> None:
    """Let Ctrl-C end the process with exit code 130, and keep files off closed descriptors of stdin, stdout, stderr.

    A KeyboardInterrupt during imports would print a traceback, or raise a library's own error. A file opened while
    stdout is closed would get its descriptor, and then receive whatever is printed. Python's own `sys.stdin`,
    `sys.stdout` and `sys.stderr` stay None.

    >>> begin()
    >>> raise_interrupts()
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    for number in _PYTHONS_OWN:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free descriptor: this one


def raise_interrupts() -> None:
    """Restore KeyboardInterrupt on Ctrl-C, Python's default.

    >>> raise_interrupts()  # does nothing unless `begin` has changed it
    """
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(*_: object) -> None:
    os._exit(INTERRUPTED)


if is_program(sys.orig_argv):
    begin()
