"""The command line: train, encode, decode, compare, export.

Results go to stdout, everything else to stderr. The exit code is 0 on success, 1 for data that cannot be used, 2 for
wrong arguments, 130 after Ctrl-C, and 141 when the reader of the output has closed it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TextIO

from bpe_core.cli.arguments import PROGRAM, Commands, UsageError, parser
from bpe_core.cli.help import USAGE, in_our_language
from bpe_core.cli.terminal import clear_line, told, warn
from bpe_core.errors import BpeError
from bpe_core.language import Message, _, language_of, said, spoken_in
from bpe_core.starting import INTERRUPTED, raise_interrupts
from bpe_core.text.marks import on_one_line

DATA, UNREAD = 1, 141

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""What says the language of a terminal: the first of these that is set."""


def main(
    arguments: Sequence[str] | None = None,
    *,
    program: str = PROGRAM,
    add_commands: Callable[[Commands], object] | None = None,
) -> int:
    """Run one command and return its exit code. `arguments`: those of the process when None.

    `program`: the name in help and errors. `add_commands`: adds commands in front of those of the core.

    >>> main(["train", "--vocab-size", "none"])
    2
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = given[: given.index("--")] if "--" in given else given
    language = "en" if "--json" in options else terminal_language(os.environ)
    with spoken_in(language), _warnings_told(program):
        return _run(given, program, add_commands)


def terminal_language(environment: Mapping[str, str]) -> str:
    """The language of a terminal, found as gettext does: in LANGUAGE, a list of which the first that is known counts,
    else in the locale; English for C and POSIX, and where nothing is said.

    >>> terminal_language({"LANG": "ja_JP.UTF-8"}), terminal_language({"LANGUAGE": "fr:zh", "LANG": "ja_JP.UTF-8"})
    ('ja', 'zh')
    >>> terminal_language({"LANGUAGE": "ja", "LC_ALL": "C.UTF-8"})
    'en'
    """
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    if locale.split(".")[0] in ("C", "POSIX"):
        return "en"
    for asked in (environment.get("LANGUAGE") or locale).split(":"):
        language = language_of(asked)
        if language != "en" or asked.startswith("en"):
            return language
    return "en"


def _run(arguments: Sequence[str], program: str, add_commands: Callable[[Commands], object] | None) -> int:
    try:
        raise_interrupts()
        with in_our_language():
            asked = parser(program, add_commands).parse_args(arguments)
        asked.run(asked)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as done:  # argparse has written its help or an error; the app says what keeps it from starting
        if not isinstance(done.code, str):
            return done.code or 0
        warn(done.code)
        return DATA
    except UsageError as error:
        return _failed(program, error, USAGE)
    except BrokenPipeError:
        # The interpreter flushes stdout once more at its end: send that nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except (BpeError, OSError, MemoryError) as error:
        return _failed(program, error, DATA)
    except KeyboardInterrupt:
        clear_line()
        return INTERRUPTED
    return 0


@contextmanager
def _warnings_told(program: str) -> Iterator[None]:
    """Write warnings of the core as errors are, in the language of the terminal; those of libraries as Python does."""
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            text = message.args[0] if isinstance(message, Warning) and message.args else message
            if not isinstance(text, Message):
                others(message, category, filename, lineno, file, line)
                return
            clear_line()
            warn(_("{program}: warning: {problem}", program=program, problem=on_one_line(said(text))))

        warnings.showwarning = show
        yield


def _failed(program: str, error: Exception, code: int) -> int:
    clear_line()
    text = (told(error) if isinstance(error, BpeError) else str(error)) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    warn(_("{program}: error: {problem}", program=program, problem=on_one_line(text)))
    return code
