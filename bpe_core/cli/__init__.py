"""The command line: train, encode, decode, compare, export.

Results go to stdout, everything else to stderr. The exit code is 0 on success, 1 for data that cannot be used, 2 for
wrong arguments, 130 after Ctrl-C, and 141 when the reader of the output has closed it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from bpe_core.cli.arguments import UsageError, parser
from bpe_core.cli.terminal import INTERRUPTED, clear_line, one_line, warn
from bpe_core.errors import BpeError

PROGRAM = "python -m bpe_core"
DATA, USAGE, UNREAD = 1, 2, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. `arguments`: those of the process when None.

    >>> main(["train", "--vocab-size", "none"])
    2
    """
    try:
        asked = parser(PROGRAM).parse_args(arguments)
    except SystemExit as done:  # argparse has written its help or an error
        return int(done.code or 0)
    try:
        asked.run(asked)
        sys.stdout.flush()
    except UsageError as error:
        return _failed(error, USAGE)
    except BrokenPipeError:
        # The interpreter flushes stdout once more at its end: send that nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except (BpeError, OSError, MemoryError) as error:
        return _failed(error, DATA)
    except KeyboardInterrupt:
        clear_line()
        return INTERRUPTED
    return 0


def _failed(error: Exception, code: int) -> int:
    clear_line()
    text = str(error) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    warn(f"{PROGRAM}: error: {one_line(text)}")
    return code
