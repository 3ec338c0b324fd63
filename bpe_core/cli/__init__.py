"""Command line: train, encode, decode, compare, export.

Results go to stdout, everything else to stderr. The exit code is 0 on success, 1 for unusable data, 2 for wrong
arguments, 130 after Ctrl-C, and 141 if the reader closed the output.
"""

from __future__ import annotations

import os
import sys
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TextIO

from bpe_core.cli.arguments import PROGRAM, Commands, UsageError, parser
from bpe_core.cli.help import USAGE, in_our_language
from bpe_core.cli.terminal import clear_line, error_text, system_error, warn
from bpe_core.errors import BpeError, quoted
from bpe_core.language import TranslatableMessage, _, language_of, translate, using_language
from bpe_core.starting import INTERRUPTED, raise_interrupts
from bpe_core.text.marks import on_one_line

DATA, UNREAD = 1, 141

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables for the terminal's language; the first one set applies."""


def main(
    arguments: Sequence[str] | None = None,
    *,
    program: str = PROGRAM,
    add_commands: Callable[[Commands], object] | None = None,
) -> int:
    """Run one command and return its exit code. `arguments`: None for those of the process.

    `program`: the name in help and errors. `add_commands`: callback that adds commands before those of the core.

    >>> main(["train", "--vocab-size", "none"])
    2
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = given[: given.index("--")] if "--" in given else given
    language = "en" if "--json" in options else terminal_language(os.environ)
    with using_language(language), _warnings_printed(program):
        return _run(given, program, add_commands)


def terminal_language(environment: Mapping[str, str]) -> str:
    """Terminal language by gettext's rules: the first supported one in the LANGUAGE list, else the locale's. English
    for C, POSIX and an unset locale.

    >>> terminal_language({"LANG": "ja_JP.UTF-8"}), terminal_language({"LANGUAGE": "fr:zh", "LANG": "ja_JP.UTF-8"})
    ('ja', 'zh')
    >>> terminal_language({"LANGUAGE": "ja", "LC_ALL": "C.UTF-8"})
    'en'
    """
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    if locale.split(".")[0] in ("C", "POSIX"):
        return "en"
    for code in (environment.get("LANGUAGE") or locale).split(":"):
        language = language_of(code)
        if language != "en" or code.startswith("en"):
            return language
    return "en"


def _run(arguments: Sequence[str], program: str, add_commands: Callable[[Commands], object] | None) -> int:
    try:
        raise_interrupts()
        with in_our_language():
            parsed = parser(program, add_commands).parse_args(arguments)
        _refuse_overwriting(parsed)
        parsed.run(parsed)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as done:  # argparse has printed help or an error, or the app the reason it cannot start
        if not isinstance(done.code, str):
            return done.code or 0
        warn(done.code)
        return DATA
    except UsageError as error:
        return _failed(program, error, USAGE)
    except BrokenPipeError:
        # The interpreter flushes stdout again on exit: discard that output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except (BpeError, OSError, MemoryError) as error:
        return _failed(program, error, DATA)
    except KeyboardInterrupt:
        clear_line()
        return INTERRUPTED
    return 0


def _refuse_overwriting(parsed: Namespace) -> None:
    """Raise UsageError if a file that the command reads texts or ids from is the one that it writes."""
    given = vars(parsed)
    read = [*(given.get("files") or ()), given.get("file"), given.get("used_in")]
    for written in filter(None, (given.get("out"), given.get("map"))):
        if any(name and os.path.isfile(name) and _is_same(name, written) for name in read):
            raise UsageError(
                _("{file} is an input file and would be overwritten. Choose another output file.", file=quoted(written))
            )


def _is_same(name: str, other: str) -> bool:
    try:
        return os.path.samefile(name, other)
    except OSError:  # a file that does not exist yet
        return False


@contextmanager
def _warnings_printed(program: str) -> Iterator[None]:
    """Print warnings of the core like errors, in the terminal's language; other warnings in Python's default form."""
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
            if not isinstance(text, TranslatableMessage):
                others(message, category, filename, lineno, file, line)
                return
            clear_line()
            warn(_("{program}: warning: {problem}", program=program, problem=on_one_line(translate(text))))

        warnings.showwarning = show
        yield


def _failed(program: str, error: Exception, code: int) -> int:
    clear_line()
    text = (error_text(error) if isinstance(error, BpeError) else str(error)) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        text = translate(system_error(error))
    warn(_("{program}: error: {problem}", program=program, problem=on_one_line(text)))
    return code
