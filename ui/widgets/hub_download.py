"""Queued downloads from the hub and other hosts, in threads, so that the waiting page can show progress and cancel.

Downloads have their own queue: they wait for the network and need no core, so no training waits for them.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Generic, TypeVar

from bpe_core import ConfigError
from bpe_core.hub.address import FetchedFile, fetch_address, host_of
from bpe_core.hub.files import HubFiles, Progress, fetched_files
from bpe_core.hub.library import hub_host
from bpe_core.hub.names import HubName
from bpe_core.hub.switch import SETTING
from bpe_core.language import TranslatableMessage, _, message
from ui.memory.cache import visitor
from ui.session import hub
from ui.widgets.progress import TrainingBar
from ui.work.work_queue import WorkQueue

AT_ONCE = 2
"""Maximum number of simultaneous downloads on this server."""


def _unfinished(held: int) -> TranslatableMessage:
    return message("{held} of your downloads are not finished yet.", held=held)


DOWNLOADS = WorkQueue(AT_ONCE, unfinished=_unfinished)
"""The download queue."""

_BETWEEN_LOOKS = 0.1

T = TypeVar("T")


class _CancelledError(Exception):
    """Ends an abandoned download."""


class _Download(Generic[T]):
    """A download. It occupies its place in the queue until its thread ends, even after a cancel."""

    def __init__(self, get: Callable[[Progress], T], host: str, who: str | None) -> None:
        self.ended = Event()
        self.cancelled = Event()
        self.before = self.done = 0
        self.total = 1
        self.found: T | None = None
        self.error: BaseException | None = None
        self._get = get
        self._host = host
        self._who = who
        Thread(target=self._run, name="download", daemon=True).start()

    def _run(self) -> None:
        try:
            with DOWNLOADS.turn(self._who, self._wait):
                self.before = 0
                self.found = self._get(self._tell)
        except BaseException as error:  # raised again in the waiting thread
            self.error = error
        finally:
            self.ended.set()

    def _wait(self, before: int) -> None:
        self.before = before
        self._go_on()

    def _tell(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        self._go_on()

    def _go_on(self) -> None:
        if self.cancelled.is_set():
            raise _CancelledError

    def status(self) -> str:
        """Translated state of the download."""
        if self.before:
            return _("Waiting: {before:,} before you", before=self.before)
        if not self.done:
            return _("Asking {host}", host=self._host)
        return _("Fetching: {done:,.1f} of {total:,.1f} MB", done=self.done / 1e6, total=self.total / 1e6)


def fetch(bar: TrainingBar, model: HubName) -> HubFiles:
    """Fetch a model's tokenizer files. Raises HubError as `fetched_files` does, and ConfigError if the hub is off."""
    return _fetched(bar, lambda progress: fetched_files(model, progress), hub_host())


def fetch_file(bar: TrainingBar, address: str) -> FetchedFile:
    """Fetch a file by its address. Raises HubError as `fetch_address` does, and ConfigError if the hub is off."""
    return _fetched(bar, lambda progress: fetch_address(address, progress), host_of(address))


def _fetched(bar: TrainingBar, get: Callable[[Progress], T], host: str) -> T:
    """Download in a thread.

    A click, on Cancel or elsewhere, interrupts the script when the bar is next drawn, which abandons the download.
    """
    if not hub.HUB_ALLOWED:
        raise ConfigError(
            message("This server does not access the hub."),
            limit=message("{setting} is off.", setting=SETTING),
            remedy=message("Open a file."),
        )
    download = _Download(get, host, visitor())
    try:
        while not download.ended.wait(_BETWEEN_LOOKS):
            bar.report(download.done, download.total, download.status())
    except BaseException:  # Streamlit ends a run with an exception
        download.cancelled.set()
        raise
    if download.error is not None:
        raise download.error
    assert download.found is not None
    return download.found
