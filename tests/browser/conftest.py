"""A running app and a Chromium for the browser tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.browser.helpers import forget_the_visitor, wait_until_idle
from tests.browser.serving import PATIENCE, START_SECONDS, Server, served_app
from tests.hub_server import Hub, hub_server

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def served_hub() -> Iterator[Hub]:
    """The hub that the app queries instead of the real one."""
    with hub_server() as hub:
        yield hub


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, served_hub: Hub) -> Iterator[Server]:
    """The running app. It queries the tests' hub and no other."""
    variables = {"HF_ENDPOINT": served_hub.url, "HF_HUB_OFFLINE": "0"}
    with served_app(tmp_path_factory.mktemp("server"), variables=variables) as served:
        yield served


@pytest.fixture(scope="session")
def app_url(server: Server) -> str:
    return server.url


@pytest.fixture
def color_scheme() -> str:
    """The colour scheme of the system. No script of the app behaves differently in the other one.

    A test about colours uses `@pytest.mark.parametrize("color_scheme", ["light", "dark"])`, or switches the theme of
    its open page: `switch_theme`.
    """
    return "light"


@pytest.fixture(scope="session")
def context_of(chromium: Browser, server: Server) -> Iterator[Callable[[str], BrowserContext]]:
    """The browser context of each color scheme, kept for all tests: it fetches and compiles the app's scripts once.

    It opens the app once: the first session waits until the engine is ready, and no test may be that session.
    """
    with ExitStack() as stack:

        @cache
        def context(color_scheme: str) -> BrowserContext:
            made = chromium.new_context(
                base_url=server.url,
                color_scheme=color_scheme,  # type: ignore[arg-type]
                viewport={"width": 1280, "height": 900},
            )
            made.set_default_timeout(PATIENCE)
            made.new_page().goto("/_stcore/health")  # an open tab keeps the process of the site alive
            return stack.enter_context(made)

        first = context("light").new_page()
        first.goto(server.url)
        wait_until_idle(first, timeout=START_SECONDS * 1_000)
        first.close()
        server.wait_until_left()
        yield context


class Visit:
    """Tab of a new session, and problems that no assertion of a test would notice.

    allowed: the beginnings of harmless messages in the console.
    """

    def __init__(self, context: BrowserContext, server: Server, *, allowed: tuple[str, ...] = ()) -> None:
        self._context = context
        self._server = server
        self._allowed = allowed
        self._problems: list[str] = []
        self._log_before = len(server.log_text())
        self._other_tabs = context.pages
        self._listeners: dict[str, Callable[..., None]] = {
            "request": lambda request: self._check_host(request.url),
            "console": self._check_console,
            "weberror": lambda error: self._problems.append(f"page error: {error.error}"),
            "page": lambda tab: tab.on("websocket", lambda websocket: self._check_host(websocket.url)),
        }
        for event, listener in self._listeners.items():
            context.on(event, listener)  # type: ignore[call-overload]
        self.page = context.new_page()
        forget_the_visitor(self.page, server.url)

    def check(self) -> None:
        """Fail on any problem since the last check."""
        if not self.page.is_closed() and self.page.locator('[data-testid="stException"]').count():
            self._problems.append("an exception is shown on the page")
        log = self._server.log_text()[self._log_before :]
        if "Traceback" in log:
            self._problems.append(f"traceback in the server's log:\n{log}")
        if "left out" in log or "not taken" in log:
            self._problems.append(f"the server took a value of this browser for a forged one:\n{log}")
        found, self._problems = self._problems, []
        self._log_before += len(log)
        assert not found, "\n".join(found)

    def end(self) -> None:
        """Close the tabs, wait until the server has noticed, and check."""
        shows_exception = not self.page.is_closed() and self.page.locator('[data-testid="stException"]').count()
        for tab in self._context.pages:
            if tab not in self._other_tabs:
                tab.close()
        self._server.wait_until_left()
        for event, listener in self._listeners.items():
            self._context.remove_listener(event, listener)
        assert not shows_exception, "an exception is shown on the page"
        self.check()

    def _check_host(self, url: str) -> None:
        parts = urlparse(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlparse(self._server.url).netloc:
            self._problems.append(f"request to another host: {url}")

    def _check_console(self, message: ConsoleMessage) -> None:
        # Opened at a page's own path, Streamlit first looks for its server there, gets 404, and then tries the root.
        probe = message.location["url"].endswith(("/_stcore/health", "/_stcore/host-config"))
        if message.type == "error" and not probe and not message.text.startswith(self._allowed):
            self._problems.append(f"console error: {message.text}")


class SharedVisit:
    """The visit shared by consecutive tests of a file; a test with its own session ends it."""

    def __init__(self) -> None:
        self._file: Path | None = None
        self._visit: Visit | None = None

    def of(self, file: Path, begin: Callable[[], Visit]) -> Visit:
        if file != self._file:
            self.end()
        self._file = file
        self._visit = self._visit or begin()
        return self._visit

    def end(self) -> None:
        visit, self._visit = self._visit, None
        if visit is not None:
            visit.end()


@pytest.fixture(scope="session")
def shared_visit(server: Server) -> Iterator[SharedVisit]:
    shared = SharedVisit()
    yield shared
    shared.end()


@pytest.fixture
def new_page(
    context_of: Callable[[str], BrowserContext], server: Server, color_scheme: str, shared_visit: SharedVisit
) -> Iterator[Page]:
    """Empty tab of a new session. The test fails on any unnoticed problem, in this tab or another one."""
    shared_visit.end()
    visit = Visit(context_of(color_scheme), server)
    yield visit.page
    visit.end()


@pytest.fixture
def page(new_page: Page) -> Page:
    return new_page


@pytest.fixture
def offline(chromium: Browser) -> Iterator[Page]:
    """A tab without a network. Any message in its console is a problem: a violated content policy is one."""
    context = chromium.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert not problems


@pytest.fixture
def uncached_page(
    chromium: Browser, server: Server, context_of: Callable[[str], BrowserContext], shared_visit: SharedVisit
) -> Iterator[Page]:
    """Tab of a browser without cached scripts of the app, so that a test can delay one, or let it fail."""
    shared_visit.end()
    with chromium.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}) as context:
        visit = Visit(context, server, allowed=("Failed to load resource",))
        yield visit.page
        visit.end()


@pytest.fixture
def shared_page(
    context_of: Callable[[str], BrowserContext],
    server: Server,
    shared_visit: SharedVisit,
    request: pytest.FixtureRequest,
) -> Iterator[Page]:
    """Tab shared by the tests of a file, because loading a page takes longer than most of them: `show_page`.

    A failed test does not pass its state on: the next one gets a new session.
    """
    visit = shared_visit.of(request.path, lambda: Visit(context_of("light"), server))
    failed = request.session.testsfailed
    yield visit.page
    if request.session.testsfailed > failed:
        shared_visit.end()
    else:
        visit.check()
