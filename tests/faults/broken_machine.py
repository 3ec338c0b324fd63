"""Serve the app on a machine with a fault: python -m tests.faults.broken_machine FAULTS -- arguments of streamlit run.

A disk fault is raised where Python opens a file for writing, so that it needs no separate file system and also affects
root. The clock is time.time, shifted by the seconds in a file. A late machine sends the start of a run immediately, and
the rest of the run some seconds later. A busy machine handles each browser message some seconds after its arrival, and
sends nothing meanwhile. A held queue lets no heavy work begin while a file exists.
"""

from __future__ import annotations

import argparse
import errno
import os
import resource
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession

from ui.serving import serve
from ui.work.work_queue import WORK_QUEUE

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def refuse_writing(error: int) -> None:
    """Make every attempt to write a file or create a folder fail with this error from now on."""

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = set(str(mode or "")) & set("wxa+") or (isinstance(flags, int) and flags & _WRITES)
            if writes and isinstance(path, str | bytes) and not os.fsdecode(path).startswith("/dev/"):
                raise OSError(error, os.strerror(error), os.fsdecode(path))
        elif event in ("os.mkdir", "os.rename", "os.link", "os.symlink"):
            raise OSError(error, os.strerror(error))

    sys.addaudithook(hook)


def shift_clock(file: Path) -> None:
    """Shift the clock from now on by the number of seconds currently in the file."""
    right = time.time
    time.time = lambda: right() + float(file.read_text())


def allow_files(most: int) -> None:
    """Limit the open files of this process from now on; the limit cannot be raised."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def send_late(seconds: float) -> None:
    """Hold back the messages of each session for this long after the start of every run."""
    flush = AppSession.flush_browser_queue
    held_until: WeakKeyDictionary[AppSession, float] = WeakKeyDictionary()

    def flush_late(session: AppSession) -> list[ForwardMsg]:
        if time.monotonic() < held_until.get(session, 0):
            return []
        messages = flush(session)
        if any(message.HasField("new_session") for message in messages):
            held_until[session] = time.monotonic() + seconds
            session._event_loop.call_later(seconds, session._message_enqueued_callback)
        return messages

    AppSession.flush_browser_queue = flush_late  # type: ignore[method-assign]


def take_late(seconds: float) -> None:
    """Block the event loop for this long before each browser message; script runs continue."""
    take: Any = Runtime.handle_backmsg

    def take_after(*given: Any, **named: Any) -> None:
        time.sleep(seconds)
        take(*given, **named)

    Runtime.handle_backmsg = take_after  # type: ignore[method-assign]


def hold_queue(file: Path) -> None:
    """Occupy the queue for heavy work whenever the file exists."""

    def hold() -> None:
        while True:
            if file.exists():
                with WORK_QUEUE.turn(None, lambda before: None):
                    while file.exists():
                        time.sleep(0.05)
            time.sleep(0.05)

    for _ in range(WORK_QUEUE.at_once):
        Thread(target=hold, daemon=True).start()


def main() -> None:
    """Serve with the faults of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--disk", choices=["full", "read-only"])
    parser.add_argument("--clock", type=Path)
    parser.add_argument("--files", type=int)
    parser.add_argument("--late", type=float)
    parser.add_argument("--busy", type=float)
    parser.add_argument("--held", type=Path)
    faults, arguments = parser.parse_known_args()
    if faults.disk:
        refuse_writing({"full": errno.ENOSPC, "read-only": errno.EROFS}[faults.disk])
    if faults.files:
        allow_files(faults.files)
    if faults.clock:
        shift_clock(faults.clock)
    if faults.late:
        send_late(faults.late)
    if faults.busy:
        take_late(faults.busy)
    if faults.held:
        hold_queue(faults.held)
    serve.main(arguments)


if __name__ == "__main__":
    main()
