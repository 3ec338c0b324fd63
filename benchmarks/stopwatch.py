"""Times the response of the page to an event, and the CPU time of server and page meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.helpers import wait_until_idle

SCRIPT = Path(__file__).with_name("stopwatch.js")
PATIENCE = 60_000
"""Timeout of a response in milliseconds."""


@dataclass(frozen=True)
class Landmark:
    """Element that identifies the response: in the container of a key, it changes or takes the expected value.

    read: "text", "value", "rev" (set by a view once it is drawn completely) or "node" (the element itself is replaced).
    """

    name: str
    key: str
    selector: str
    read: str
    wants: str | None = None


@dataclass(frozen=True)
class Taken:
    """Milliseconds from an event until all landmarks were painted and until the page was idle; and CPU times."""

    painted: float
    by_landmark: dict[str, float]
    idle: float
    server: float
    page: float


class Stopwatch:
    """Stopwatch for one page and its server. Create it before the page is opened."""

    def __init__(self, page: Page, server_pid: int) -> None:
        self._page = page
        self._server_pid = server_pid
        page.add_init_script(path=SCRIPT)
        browser = page.context.browser
        assert browser is not None
        self._chromium = browser.new_browser_cdp_session()

    def time(self, act: Callable[[], object], event: str, landmarks: Sequence[Landmark]) -> Taken:
        """Call `act`, whose first event of this type starts the clock, and wait for the complete response."""
        wait_until_idle(self._page, quiet=300, timeout=PATIENCE)
        self._page.evaluate(
            "([type, landmarks]) => stopwatch.arm(type, landmarks)",
            [event, [asdict(landmark) for landmark in landmarks]],
        )
        server, page = cpu_seconds(self._server_pid), self._page_seconds()
        act()
        try:
            self._page.wait_for_function("() => stopwatch.result !== null", timeout=PATIENCE, polling=50)
        except PlaywrightTimeoutError:
            missing = self._page.evaluate("stopwatch.missing()")
            raise RuntimeError(f"after {PATIENCE / 1000:,.0f} s still to come: {missing or 'rest'}") from None
        server, page = cpu_seconds(self._server_pid) - server, self._page_seconds() - page
        result = self._page.evaluate("stopwatch.result")
        return Taken(
            painted=max(result["painted"].values()),
            by_landmark=result["painted"],
            idle=result["idle"],
            server=1000 * server,
            page=1000 * page,
        )

    def _page_seconds(self) -> float:
        """CPU seconds of the renderer processes; there is one page."""
        processes = self._chromium.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(float(each["cpuTime"]) for each in processes if each["type"] == "renderer")


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process with all its threads, in steps of a hundredth; NaN outside Linux."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
