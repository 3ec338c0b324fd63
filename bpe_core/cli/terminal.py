"""Command-line input and output: bytes in, UTF-8 out, progress only on a terminal."""

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
from bpe_core.errors import BpeError, CorpusError, quoted, reason_of, unreadable
from bpe_core.language import _, current_language, joined, message
from bpe_core.starting import INTERRUPTED
from bpe_core.text.charsets import decoded_as, utf8_remedy
from bpe_core.text.marks import on_one_line

STDIN = "-"
_WIDTH = 24
_SECONDS = 0.1
_CLEAR = b"\r\033[K"


class UsageError(Exception):
    """Incompatible arguments.

    >>> from bpe_core.cli.arguments import parser
    >>> from bpe_core.cli.commands import decode
    >>> decode(parser("bpe").parse_args(["decode", "ids.txt", "--ids", "1", "--tokenizer", "gpt2"]))
    Traceback (most recent call last):
        ...
    bpe_core.cli.terminal.UsageError: --ids and a file are both given.
    """


def write(text: str) -> None:
    """Write text to stdout as UTF-8, whatever the locale. Raises CorpusError if stdout is closed.

    >>> write("日本\\n")
    日本
    """
    write_bytes(text.encode("utf-8", "backslashreplace"))


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout; decoded if stdout is text-only.

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
    if not hasattr(sys.stdout, "buffer"):  # text-only stdout, as in notebooks
        sys.stdout.write(data.decode("utf-8", "replace"))
        return
    rest = memoryview(data)
    while rest:  # an unbuffered stdout (python -u) may write only a part
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()


def report(text: str) -> None:
    """Write a status line to stdout; a no-op if stdout is closed, as in a service.

    >>> report("5 ids saved")
    5 ids saved
    """
    if sys.stdout is not None:
        write(text + "\n")


def write_json(value: dict[str, Any]) -> None:
    """Write a JSON object as one line.

    >>> write_json({"ids": [1, 2]})
    {"ids": [1, 2]}
    """
    write(json.dumps(value, ensure_ascii=False) + "\n")


def warn(text: str) -> None:
    """Write a line to stderr, escaping characters outside its encoding; a no-op if stderr is closed.

    >>> warn("Reading from the terminal.")  # appears on stderr
    """
    if sys.stderr is not None:
        sys.stderr.write(_writable(text))
        sys.stderr.write("\n")
        sys.stderr.flush()


def error_text(error: BpeError) -> str:
    """Text of an error in the terminal's language.

    >>> error_text(CorpusError("The text is empty.", remedy="Write one."))
    'The text is empty. Write one.'
    """
    return error.in_language(current_language())


def system_error(error: OSError) -> str:
    """An error of the operating system in whole sentences, if it names a file.

    >>> system_error(OSError(21, "Is a directory", "folder"))[:60]
    "'folder' cannot be read or written: Is a directory. A file i"
    """
    reason = reason_of(error)
    if not error.filename:
        return reason
    return joined(
        message("{path} cannot be read or written: {reason}.", path=quoted(error.filename), reason=reason),
        message("A file is read where it exists, and written into a folder that exists."),
        message("Check the path."),
    )


def table(rows: Iterable[Iterable[str]]) -> str:
    """Format rows as a table, the first column left-aligned and the others right-aligned.

    >>> print(table([("name", "n"), ("gpt2", "12")]), end="")
    name   n
    gpt2  12
    """
    cells = [list(map(on_one_line, row)) for row in rows]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    lines = [[padded(row[0], widths[0]), *map(padded_left, row[1:], widths[1:])] for row in cells]
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def read(name: str) -> bytes:
    """The bytes of a file, or of stdin for "-". Raises CorpusError for an unreadable file and a closed stdin.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     _ = Path(file.name).write_bytes(b"low")
    ...     read(file.name)
    b'low'
    """
    if name != STDIN:
        try:
            return Path(name).read_bytes()
        except OSError as error:
            raise unreadable(name, error) from None
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
    """The text of a file or stdin, in UTF-8 or a given encoding. Raises CorpusError, with the probable encoding, for
    bytes that do not decode, and for an unreadable file.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     _ = Path(file.name).write_text("low", encoding="utf-8")
    ...     read_text(file.name)
    'low'
    """
    data = read(name)
    shown = "stdin" if name == STDIN else quoted(name)
    return _decoded(data, shown) if encoding is None else decoded_as(data, encoding, shown)


def argument_text(option: str, given: str) -> str:
    """A text given as an argument. Raises CorpusError if its bytes are not UTF-8.

    >>> argument_text("--text", "low")
    'low'
    """
    try:
        return _decoded(given.encode("utf-8", "surrogateescape"), option)
    except UnicodeEncodeError:  # a lone surrogate, which no argument of a process has
        return given


def _decoded(data: bytes, shown: str) -> str:
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
    """Within the `with` block, Ctrl-C kills the process without an exception: for work that needs no cleanup.

    A kernel's first call compiles it, and the compiler swallows a KeyboardInterrupt or turns it into another error. A
    process that ignores Ctrl-C, such as a script's background job, continues to ignore it.

    >>> with interrupted_at_once():
    ...     sum(range(4))
    6
    """

    def leave(*_: object) -> None:
        if _on_terminal():
            os.write(sys.stderr.fileno(), _CLEAR)  # bypass the buffer, which may be in use
        os._exit(INTERRUPTED)

    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored or threading.current_thread() is not threading.main_thread():  # signal handlers need the main thread
        yield
        return
    before = signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Progress:
    """Progress bar on stderr, redrawn at most ten times a second and only on a terminal.

    >>> bar = Progress("training", quiet=False)
    >>> bar(10, 100)  # draws a bar where stderr is a terminal
    """

    def __init__(self, what: str, *, quiet: bool) -> None:
        self._what = what
        self._shown = not quiet and _on_terminal()
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Draw the progress: `done` of `total`."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + _SECONDS
        size = _("{done:,} of {total:,}", done=done, total=total)
        _redraw(f"{_bar(self._what, done, total)}  {size}")


class ByteProgress:
    """Progress line for bytes of files: done, total, rate, and remaining time at this rate.

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
        """Draw the progress: `done` of `total` bytes."""
        if self._shown:
            _redraw(self.line(done, total, time.monotonic() - self._started))

    def line(self, done: int, total: int, seconds: float) -> str:
        """The line shown after `seconds`."""
        rate = done / max(seconds, 1e-9)
        left = round((total - done) / rate) if done else 0
        clock = (
            f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}" if left >= 3600 else f"{left // 60}:{left % 60:02}"
        )
        size = _("{done:,.0f} of {total:,.0f} MB", done=done / 1e6, total=total / 1e6)
        remaining = _("{time} left", time=clock)
        return f"{_bar(self._what, done, total)}  {size}  {rate / 1e6:,.1f} MB/s  {remaining}"


def clear_line() -> None:
    """Erase the progress bar from the terminal.

    >>> clear_line()  # does nothing where stderr is not a terminal
    """
    if _on_terminal():
        sys.stderr.write(_CLEAR.decode())
        sys.stderr.flush()


def _bar(what: str, done: int, total: int) -> str:
    share = min(1.0, done / total) if total else 1.0
    filled = "#" * round(_WIDTH * share)
    return f"{what} [{filled:.<{_WIDTH}}] {share:4.0%}"


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _redraw(line: str) -> None:
    sys.stderr.write(f"\r{_writable(line)}\033[K")
    sys.stderr.flush()


def _writable(text: str) -> str:
    encoding = sys.stderr.encoding or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)
