"""argparse in the terminal's language, including its own texts, with lines of wide characters."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from bpe_core.cli.terminal import warn, write
from bpe_core.cli.width import wrapped
from bpe_core.language import _, counted, current_language, gettext, message
from bpe_core.language.catalogues import catalogue

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

USAGE = 2
"""Exit code for wrong arguments."""

ITS_WORDS = (
    message("usage: "),
    message("positional arguments"),
    message("options"),
    message("show this help message and exit"),
    message("argument %(argument_name)s: %(message)s"),
    message("the following arguments are required: %s"),
    message("unrecognized arguments: %s"),
    message("invalid choice: %(value)r (choose from %(choices)s)"),
    message("invalid %(type)s value: %(value)r"),
    message("not allowed with argument %s"),
    message("ignored explicit argument %r"),
    message("expected one argument"),
    message("expected at most one argument"),
    message("expected at least one argument"),
    counted("expected %s argument", "expected %s arguments", 2),
)
"""argparse's own texts that this command line can show, by lookup key."""


@contextmanager
def in_our_language() -> Iterator[None]:
    """Within the `with` block, replace argparse's two lookup functions, so that its texts come from our catalogues.

    >>> with in_our_language():
    ...     Parser(prog="bpe").format_usage()
    'usage: bpe [-h]\\n'
    """
    names = ("_", "ngettext")
    before = [getattr(argparse, name) for name in names]
    for name, function in zip(names, (gettext, _ngettext), strict=True):
        setattr(argparse, name, function)
    try:
        yield
    finally:
        for name, function in zip(names, before, strict=True):
            setattr(argparse, name, function)


def _ngettext(one: str, many: str, count: int) -> str:
    return catalogue(current_language()).ngettext(one, many, count)


class Help(argparse.HelpFormatter):
    """Help wrapped by terminal columns, also in Chinese and Japanese.

    >>> parser = Parser(prog="bpe", description="Make tokens.", formatter_class=Help)
    >>> print(parser.format_help().splitlines()[2])
    Make tokens.
    """

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))


class RawHelp(Help):
    """Help that keeps the line breaks of description and examples.

    >>> parser = Parser(prog="bpe", epilog="one\\n  two", formatter_class=RawHelp)
    >>> parser.format_help().splitlines()[-1]
    '  two'
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "".join(indent + line for line in text.splitlines(keepends=True))


class Options(Protocol):
    """A parser, or a group of its options.

    >>> def add(options: Options) -> None:
    ...     _ = options.add_argument("--json", action="store_true")
    >>> parser = argparse.ArgumentParser()
    >>> add(parser.add_argument_group("output"))
    >>> parser.parse_args(["--json"]).json
    True
    """

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an option, as argparse does."""
        ...


class Parser(argparse.ArgumentParser):
    """Parser with the output encoding of the commands: UTF-8 for help, stderr's for errors.

    >>> Parser(prog="bpe").print_help()
    usage: bpe [-h]
    ...
    """

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Write the help to stdout, or to a file."""
        if file is None:
            write(self.format_help())
        else:
            super().print_help(file)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; what is left is an error of the command whose argument it is, with its usage.

        A file may follow options, although argparse looks for all positional arguments before the first option.

        >>> parser = Parser(prog="bpe add")
        >>> for name in ("token", "file", "--out"):
        ...     _ = parser.add_argument(name, **{"nargs": "?"} if name == "file" else {})
        >>> parser.parse_args(["lantern", "--out", "a.json", "story.txt"]).file
        'story.txt'
        """
        found, rest = super().parse_known_args(args, namespace)
        if len(rest) == 1 and not rest[0].startswith("-") and getattr(found, "file", rest) is None:
            found.file = rest.pop()
        if rest:
            self.error(gettext("unrecognized arguments: %s") % " ".join(rest))
        return found, rest

    def error(self, message: str) -> NoReturn:
        """Write usage and error to stderr, and exit.

        >>> Parser(prog="bpe").error("There is no text.")
        Traceback (most recent call last):
            ...
        SystemExit: 2
        """
        warn(self.format_usage().removesuffix("\n"))
        warn(_("{program}: error: {problem}", program=self.prog, problem=message))
        raise SystemExit(USAGE)
