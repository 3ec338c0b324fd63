"""Connection to a Dask scheduler or to local worker processes, with explained errors."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from bpe_core import checks
from bpe_core.cluster.libraries import library
from bpe_core.errors import BpeError, ClusterError, ConfigError, quoted
from bpe_core.language import message

_STDERR = 2
_SECONDS = 20
"""Timeout for connecting to a scheduler, in seconds."""

_NO_WORKERS = "5 minutes"
"""Timeout when all local workers are lost and none restarts."""

_LOSSES = 20
"""Maximum number of local workers that may be lost while counting the same part."""


@contextmanager
def client_of(
    scheduler: str | None, workers: int | None = None, memory: str | int | None = None, *, most: int = 1
) -> Iterator[Any]:
    """A client of the scheduler, or of at most `most` local processes, which end with the `with` block.

    Raises ClusterError if the scheduler cannot be reached or has no workers, and ConfigError for invalid settings.

    >>> with client_of("nowhere"):
    ...     pass
    Traceback (most recent call last):
        ...
    bpe_core.errors.ClusterError: The scheduler 'nowhere' cannot be reached: ... An address is written ...
    """
    distributed = library("distributed")
    if scheduler is not None:
        if workers is not None or memory is not None:
            raise ConfigError(
                message(
                    "workers is {workers} and memory {memory}, with a scheduler.",
                    workers=quoted(workers),
                    memory=quoted(memory),
                ),
                limit=message("The workers of a scheduler cannot be configured from here."),
                remedy=message("Leave them out, or leave out the scheduler."),
            )
        with _reached(distributed, checks.utf8_text(scheduler, "scheduler", wanted=message("an address"))) as client:
            yield client
        return
    count = min(os.cpu_count() or 1, max(most, 1)) if workers is None else checks.whole_number(workers, "workers", 1)
    limit = _bytes(memory)
    settings = {
        "distributed.scheduler.allowed-failures": _LOSSES,
        "distributed.scheduler.no-workers-timeout": _NO_WORKERS,
    }
    held = ExitStack()
    try:
        with interrupted_later():
            held.enter_context(library("dask").config.set(settings))
            cluster = held.enter_context(
                distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    processes=True,
                    memory_limit=limit,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            )
            client = held.enter_context(distributed.Client(cluster, set_as_default=False))
        yield client
    finally:
        with interrupted_later():
            held.close()


@contextmanager
def interrupted_later() -> Iterator[None]:
    """Within the `with` block, Ctrl-C waits for its end, and processes that start in it have no stderr.

    A cluster that is abandoned while it starts or ends prints the tracebacks of Dask's threads; workers, which a
    terminal interrupts too, print theirs.

    >>> with interrupted_later():
    ...     sum(range(4))
    6
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with _without_stderr():
            yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Replace the descriptor of stderr by one that discards everything."""
    try:
        kept = os.dup(_STDERR)
    except OSError:  # closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)
        os.close(nowhere)


class LeftError(Exception):
    """Wrapper of an exception from the progress callback: it ends the counting and is not a failure of the workers.

    >>> LeftError(KeyError("enough")).cause
    KeyError('enough')
    """

    def __init__(self, cause: Exception) -> None:
        super().__init__(cause)
        self.cause = cause


@contextmanager
def explained() -> Iterator[None]:
    """Convert failures of workers to ClusterError; errors of this project pass unchanged.

    >>> with explained():
    ...     raise ModuleNotFoundError("No module named 'bpe_core'", name="bpe_core")
    Traceback (most recent call last):
        ...
    bpe_core.errors.ClusterError: The workers failed: No module named 'bpe_core'. They need ...
    """
    distributed = library("distributed")
    try:
        yield
    except (BpeError, KeyboardInterrupt, MemoryError, BrokenPipeError):
        raise
    except LeftError as left:
        raise left.cause from None
    except distributed.KilledWorker as error:
        raise ClusterError(
            message("Several workers were lost one after another: {reason}.", reason=_first_line(error)),
            limit=message("Each needs memory for a part and for the words of one range of hashes."),
            remedy=message("Give them more memory, or ask for smaller blocks (--block-size) or more pieces."),
        ) from None
    except (ImportError, AttributeError, OSError, RuntimeError, distributed.CancelledError) as error:
        raise ClusterError(
            message("The workers failed: {reason}.", reason=_first_line(error)),
            limit=message("They need the same version of this project and its libraries as this machine."),
            remedy=message("Install BPE Lab with the extra cluster there, and see the logs of the workers."),
        ) from None


def _started(distributed: Any, scheduler: str) -> Any:
    """Start a client of this scheduler. A client that fails to start is closed here: the garbage collector could close
    it while another client starts, and the two would deadlock."""
    client = distributed.Client.__new__(distributed.Client)
    try:
        client.__init__(scheduler, timeout=_SECONDS, set_as_default=False)
    except BaseException:
        client.__del__()  # closes what has started; a second call is a no-op
        raise
    return client


@contextmanager
def _reached(distributed: Any, scheduler: str) -> Iterator[Any]:
    try:
        client = _started(distributed, scheduler)
    except AssertionError:  # Dask asserts that its own thread has started within ten seconds
        raise ClusterError(
            message(
                "The scheduler {scheduler} was not contacted: the connection did not start within ten seconds.",
                scheduler=quoted(scheduler),
            ),
            limit=message("This machine is too busy for it."),
            remedy=message("Try again."),
        ) from None
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise ClusterError(
            message(
                "The scheduler {scheduler} cannot be reached: {reason}.",
                scheduler=quoted(scheduler),
                reason=_first_line(error),
            ),
            limit=message("An address is written tcp://host:8786."),
            remedy=message("Check the address, and that the scheduler runs: dask scheduler."),
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_SECONDS)
        except TimeoutError:
            raise ClusterError(
                message("The scheduler {scheduler} has no workers.", scheduler=quoted(scheduler)),
                limit=message("At least one must have joined it."),
                remedy=message("Start some: dask worker {scheduler}.", scheduler=scheduler),
            ) from None
        yield client


def _bytes(memory: str | int | None) -> str | int:
    if memory is None:
        return "auto"
    try:
        size = int(library("dask.utils").parse_bytes(memory))
    except (ValueError, TypeError, AttributeError, OverflowError):
        size = 0
    if size < 1:
        raise ConfigError(
            message("memory is {memory}.", memory=quoted(memory)),
            limit=message('It is a number of bytes, or written as "1 GB".'),
            remedy=message("Correct it."),
        )
    return size


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
