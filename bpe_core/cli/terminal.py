"""Reading and writing as command-line tools do: bytes in, UTF-8 out, progress only on a terminal."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bpe_core.cli.width import columns, padded, padded_left
from bpe_core.errors import BpeError, CorpusError, quoted
from bpe_core.language import _, message, spoken
from bpe_core.starting import INTERRUPTED
from bpe_core.text.charsets import decoded_as, utf8_remedy
from bpe_core.text.marks import on_one_line

STDIN = "-"
_WIDTH = 24
_SECONDS = 0.1
_CLEAR = b"\r\033[K"


class UsageError(Exception):
    """Arguments that do not go together.

    >>> from bpe_core.cli.arguments import parser
    >>> from bpe_core.cli.commands import decode
    >>> decode(parser("bpe").parse_args(["decode", "ids.txt", "--ids", "1", "--tokenizer", "gpt2"]))
    Traceback (most recent call last):
        ...
    bpe_core.cli.terminal.UsageError: --ids and a file are both given.
    """


def write(text: str) -> None:
    """Write text to stdout as UTF-8, whatever the locale. Raises CorpusError where stdout is closed.

    >>> write("日本\\n")
    日本
    """
    write_bytes(text.encode("utf-8", "backslashreplace"))


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout as they are; as text where stdout takes only text.

    >>> write_bytes(b"low\\n")
    low
    """
    if sys.stdout is None:
        raise CorpusError(
            message("stdout is closed."),
            limit=message("The result is written to it."),
            remedy=message("Leave it open, or send it to a file."),
        )
    sys.stdout.flush()
    if not hasattr(sys.stdout, "buffer"):  # a stdout of text alone, as in notebooks
        sys.stdout.write(data.decode("utf-8", "replace"))
        return
    rest = memoryview(data)
    while rest:  # an unbuffered stdout (python -u) may take a part only
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()


def report(text: str) -> None:
    """Write a line to stdout that says what was saved; nothing where stdout is closed, as in a service.

    >>> report("5 ids saved")
    5 ids saved
    """
    if sys.stdout is not None:
        write(text + "\n")


def write_json(value: dict[str, Any]) -> None:
    """Write a JSON object on one line.

    >>> write_json({"ids": [1, 2]})
    {"ids": [1, 2]}
    """
    write(json.dumps(value, ensure_ascii=False) + "\n")


def warn(text: str) -> None:
    """Write a line to stderr, with characters that its encoding lacks escaped; nothing where stderr is closed.

    >>> warn("Reading from the terminal.")  # appears on stderr
    """
    if sys.stderr is not None:
        sys.stderr.write(_writable(text))
        sys.stderr.write("\n")
        sys.stderr.flush()


def told(error: BpeError) -> str:
    """What an error says, in the language of the terminal.

    >>> told(CorpusError("The text is empty.", remedy="Write one."))
    'The text is empty. Write one.'
    """
    return error.in_language(spoken())


def table(rows: Iterable[Iterable[str]]) -> str:
    """Rows as a table with the first column aligned to the left, the others to the right.

    >>> print(table([("name", "n"), ("gpt2", "12")]), end="")
    name   n
    gpt2  12
    """
    cells = [list(map(on_one_line, row)) for row in rows]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    lines = [[padded(row[0], widths[0]), *map(padded_left, row[1:], widths[1:])] for row in cells]
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def read(name: str) -> bytes:
    """The bytes of a file, or of stdin for "-". Raises OSError for a file that cannot be read, CorpusError for a stdin
    that is closed.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     _ = Path(file.name).write_bytes(b"low")
    ...     read(file.name)
    b'low'
    """
    if name != STDIN:
        return Path(name).read_bytes()
    if sys.stdin is None:
        raise CorpusError(
            message("stdin is closed."),
            limit=message("It is read where no file is named."),
            remedy=message("Name a file, or leave it open."),
        )
    if sys.stdin.isatty():
        warn(_("Reading from the terminal; press Ctrl-D to end."))
    return sys.stdin.buffer.read()


def read_text(name: str, encoding: str | None = None) -> str:
    """The text of a file or of stdin, in UTF-8 or an encoding. Raises CorpusError where it is not that, and says which
    it probably is; OSError where it cannot be read.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     _ = Path(file.name).write_text("low", encoding="utf-8")
    ...     read_text(file.name)
    'low'
    """
    data = read(name)
    shown = "stdin" if name == STDIN else quoted(name)
    if encoding is not None:
        return decoded_as(data, encoding, shown)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CorpusError(
            message(
                "{file} is not UTF-8 at byte {position:,}: 0x{byte:02X}.",
                file=shown,
                position=error.start,
                byte=data[error.start],
            ),
            limit=message("Texts are read as UTF-8."),
            remedy=utf8_remedy(data),
        ) from None


@contextmanager
def interrupted_at_once() -> Iterator[None]:
    """Until it ends, Ctrl-C ends the process by itself, without an exception: for work that leaves nothing behind.

    A kernel's first call compiles it, and the compiler loses a KeyboardInterrupt, or fails for it with another error.
    A process that ignores Ctrl-C, as a script's background jobs do, goes on ignoring it.

    >>> with interrupted_at_once():
    ...     sum(range(4))
    6
    """

    def leave(*_: object) -> None:
        if _on_terminal():
            os.write(sys.stderr.fileno(), _CLEAR)  # past the buffer, which may be in use
        os._exit(INTERRUPTED)

    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored or threading.current_thread() is not threading.main_thread():  # only there can signals be handled
        yield
        return
    before = signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Progress:
    """A progress bar on stderr, drawn at most ten times a second, and only on a terminal.

    >>> bar = Progress("training", quiet=False)
    >>> bar(10, 100)  # draws a bar where stderr is a terminal
    """

    def __init__(self, what: str, *, quiet: bool) -> None:
        self._what = what
        self._shown = not quiet and _on_terminal()
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` are done."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + _SECONDS
        share = min(1.0, done / total) if total else 1.0
        bar = ("#" * round(_WIDTH * share)).ljust(_WIDTH, ".")
        size = _("{done:,} of {total:,}", done=done, total=total)
        _redraw(f"{self._what} [{bar}] {share:4.0%}  {size}")


class ByteProgress:
    """A progress line for bytes of files: how many of how many, the rate, and the time that is left at this rate.

    >>> bar = ByteProgress("counting", quiet=False)
    >>> bar(10_000_000, 100_000_000)  # draws a line where stderr is a terminal
    >>> bar.line(10_000_000, 100_000_000, seconds=2.0)
    'counting [##......................]  10%  10 of 100 MB  5.0 MB/s  0:18 left'
    """

    def __init__(self, what: str, *, quiet: bool) -> None:
        self._what = what
        self._shown = not quiet and _on_terminal()
        self._started = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are done."""
        if self._shown:
            _redraw(self.line(done, total, time.monotonic() - self._started))

    def line(self, done: int, total: int, seconds: float) -> str:
        """What is shown after so many seconds."""
        share = min(1.0, done / total) if total else 1.0
        bar = ("#" * round(_WIDTH * share)).ljust(_WIDTH, ".")
        rate = done / max(seconds, 1e-9)
        left = round((total - done) / rate) if done else 0
        clock = (
            f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}" if left >= 3600 else f"{left // 60}:{left % 60:02}"
        )
        size = _("{done:,.0f} of {total:,.0f} MB", done=done / 1e6, total=total / 1e6)
        remaining = _("{time} left", time=clock)
        return f"{self._what} [{bar}] {share:4.0%}  {size}  {rate / 1e6:,.1f} MB/s  {remaining}"


def clear_line() -> None:
    """Remove a progress bar from the terminal.

    >>> clear_line()  # does nothing where stderr is not a terminal
    """
    if _on_terminal():
        sys.stderr.write(_CLEAR.decode())
        sys.stderr.flush()


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _redraw(line: str) -> None:
    sys.stderr.write(f"\r{_writable(line)}\033[K")
    sys.stderr.flush()


def _writable(text: str) -> str:
    encoding = sys.stderr.encoding or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)
