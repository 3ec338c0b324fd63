"""Compilation of the kernels in other processes, at a first start: on all cores, without blocking this one."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from subprocess import DEVNULL, PIPE, Popen
from threading import Thread

from bpe_core.kernels import threads
from bpe_core.kernels.backend import KERNEL_MODULES, LATER_MODULES, Kernel


def compile_missing() -> None:
    """Compile the kernels of every module without a cached one, in one process per core, and wait for these.

    In a thread, Numba would hold the GIL for most of that time. Without a cache folder there is nothing to do.

    >>> compile_missing()
    """
    missing = [name for name in (*KERNEL_MODULES, *LATER_MODULES) if _is_missing(name)]
    if len(missing) < 2:  # a process takes half a second to import Numba
        return
    command = [sys.executable, "-m", __name__]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    count = min(threads.cores(), len(missing))
    try:
        started = [
            Popen([*command, *missing[first::count]], env=environment, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL)
            for first in range(count)
        ]
    except OSError:  # no process can be started: this one compiles them
        return
    for process in started:
        with process:
            process.wait()


def _is_missing(name: str) -> bool:
    """Whether a module's kernels can be cached, and none is."""
    for value in vars(import_module(name)).values():
        if isinstance(value, Kernel):
            files = getattr(value.from_python._cache, "_cache_file", None)
            if files is None or files._load_index():
                return False
    return True


def _compile(names: Sequence[str]) -> None:
    """Compile the kernels of these modules in a process that ends with its parent."""
    Thread(target=_leave_with_parent, daemon=True).start()
    for name in names:
        import_module(name).warm_up()


def _leave_with_parent() -> None:
    os.read(0, 1)  # blocks until the other end is closed
    os._exit(1)


if __name__ == "__main__":
    _compile(sys.argv[1:])
