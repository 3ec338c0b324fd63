"""Reading and writing as command-line tools do: bytes in, UTF-8 out, progress only where somebody looks."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bpe_core.errors import CorpusError, quoted

STDIN = "-"
_WIDTH = 24
_SECONDS = 0.1


def write(text: str) -> None:
    """Write text to stdout as UTF-8, whatever the locale says."""
    write_bytes(text.encode("utf-8", "backslashreplace"))


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout."""
    sys.stdout.flush()
    rest = memoryview(data)
    while rest:  # an unbuffered stdout (python -u) may take a part only
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()


def write_json(value: dict[str, Any]) -> None:
    """Write a JSON object on one line."""
    write(json.dumps(value, ensure_ascii=False) + "\n")


def warn(text: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(text.encode("ascii", "backslashreplace").decode() if _is_ascii() else text)
    sys.stderr.write("\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    """Text without line breaks and other control characters, which could write over a terminal.

    >>> one_line("a\\nb\\x1b[2J")
    'a b\\\\x1b[2J'
    """
    return "".join(char if char.isprintable() else " " if char in "\r\n\t" else ascii(char)[1:-1] for char in text)


def table(rows: Iterable[Iterable[str]]) -> str:
    """Rows as a table: the first column to the left, the others to the right.

    >>> print(table([("name", "n"), ("gpt2", "12")]), end="")
    name   n
    gpt2  12
    """
    cells = [list(map(one_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in cells]
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def read(name: str) -> bytes:
    """The bytes of a file, or of stdin for "-"."""
    if name != STDIN:
        return Path(name).read_bytes()
    if sys.stdin.isatty():
        warn("Reading from the terminal; Ctrl-D ends.")
    return sys.stdin.buffer.read()


def read_text(name: str) -> str:
    """The text of a file or of stdin. Raises CorpusError where it is not UTF-8."""
    data = read(name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{'stdin' if name == STDIN else quoted(name)} is not UTF-8 at byte {error.start:,}: "
            f"0x{data[error.start]:02X}.",
            limit="Texts are read as UTF-8.",
            remedy="Convert it, for example with iconv.",
        ) from None


class Progress:
    """A bar on stderr, drawn at most ten times a second, and only on a terminal."""

    def __init__(self, what: str, *, quiet: bool) -> None:
        self._what = what
        self._shown = not quiet and sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` are done."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + _SECONDS
        share = min(1.0, done / total) if total else 1.0
        bar = ("#" * round(_WIDTH * share)).ljust(_WIDTH, ".")
        sys.stderr.write(f"\r{self._what} [{bar}] {share:4.0%}  {done:,} of {total:,}\033[K")
        sys.stderr.flush()


def clear_line() -> None:
    """Remove a progress bar."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


def _is_ascii() -> bool:
    return (sys.stderr.encoding or "ascii").lower().replace("-", "") not in ("utf8", "utf16", "utf32")
