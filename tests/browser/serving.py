"""A running app and a Chromium for browser tests, screenshots and benchmarks."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

PROJECT = Path(__file__).parents[2]
START_SECONDS = 120
PATIENCE = 60_000
"""Timeout of waiting in milliseconds. Only a defect takes longer."""

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = [
    "--no-sandbox",  # otherwise it refuses to start as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Server:
    """The served app: its address, log file and process."""

    url: str
    log: Path
    _start: Callable[[], subprocess.Popen[bytes]]

    def __post_init__(self) -> None:
        self._process = self._start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def restart(self) -> None:
        """Kill the process and start another one at the same address."""
        self._process.kill()
        self._process.wait()
        self._process = self._start()
        self.wait_until_healthy()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def wait_until_healthy(self) -> None:
        give_up = time.monotonic() + START_SECONDS
        while time.monotonic() < give_up:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server stopped:\n{self.log_text()}")
            if answers(f"{self.url}/_stcore/health", "ok"):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the server was not up after {START_SECONDS} s:\n{self.log_text()}")

    def log_text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_until_left(self) -> None:
        """Wait until the server has noticed that every session is closed: its log is complete then."""
        give_up = time.monotonic() + START_SECONDS
        while time.monotonic() < give_up:
            if answers(f"{self.url}/_stcore/metrics?families=active_sessions", "active_sessions 0"):
                return
            time.sleep(0.02)
        raise RuntimeError(f"the server still has visitors after {START_SECONDS} s")


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served_app(
    folder: Path,
    project: Path = PROJECT,
    *,
    python: Path | str = sys.executable,
    module: str = "ui.serving.serve",
    arguments: Sequence[str] = (),
    port: int | None = None,
    home: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """The app as on a fresh machine: started in the project's folder, by a user with an empty home in `folder`.

    python: the interpreter. module: the module to run; scripts/run runs the default. arguments: additional command-line
    arguments. variables: additional environment variables.
    """
    port = port or free_port()
    log = folder / "server.log"
    if home is None:
        home = folder / "home"
        home.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment |= {"HOME": str(home), "PYTHONUNBUFFERED": "1", **(variables or {})}
    command = [python, "-m", module, *arguments, "--server.headless", "true"]

    def start() -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return subprocess.Popen(
                [*command, "--server.port", str(port)],
                cwd=project,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    served = Server(f"http://localhost:{port}", log, start)
    try:
        served.wait_until_healthy()
        yield served
    finally:
        served.stop()


@contextmanager
def launched_chromium(*flags: str) -> Iterator[Browser]:
    """The Chromium on the PATH, preferably the headless one, which starts fastest; otherwise Playwright's.

    flags: additional command-line flags.
    """
    path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*CHROMIUM_FLAGS, *flags])
        yield browser
        browser.close()


def answers(url: str, wanted: str) -> bool:
    """True if an address responds, and with this in its text."""
    try:
        with urllib.request.urlopen(url, timeout=1) as answer:
            return wanted in answer.read().decode()
    except OSError:
        return False
