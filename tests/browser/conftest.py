"""A running app and a Chromium for the tests in a browser."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.browser.helpers import forget_the_visitor, wait_until_idle
from tests.browser.serving import START_SECONDS, Server, served_app

expect.set_options(timeout=20_000)  # what is waited for comes soon, but not on a machine that is busy


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Server]:
    """The running app, opened once: its first visitor waits for the engine to be ready, and no test is that visitor."""
    with served_app(tmp_path_factory.mktemp("server")) as served:
        page = chromium.new_page()
        page.goto(served.url)
        wait_until_idle(page, timeout=START_SECONDS * 1_000)
        page.close()
        served.wait_until_left()
        yield served


@pytest.fixture(scope="session")
def app_url(server: Server) -> str:
    return server.url


@pytest.fixture
def color_scheme() -> str:
    """The theme that the system asks for. No script of the app does anything else in the other one.

    A test about colours says `@pytest.mark.parametrize("color_scheme", ["light", "dark"])`, or switches the theme of
    the page that it has open: `switch_theme`.
    """
    return "light"


@pytest.fixture(scope="session")
def context_of(chromium: Browser, server: Server) -> Iterator[Callable[[str], BrowserContext]]:
    """The browser of each color scheme, kept for all tests: it fetches and compiles the scripts of the app once."""
    with ExitStack() as stack:

        @cache
        def context(color_scheme: str) -> BrowserContext:
            made = chromium.new_context(
                base_url=server.url,
                color_scheme=color_scheme,  # type: ignore[arg-type]
                viewport={"width": 1280, "height": 900},
            )
            made.new_page().goto("/_stcore/health")  # a tab that stays, and with it the process of the site
            return stack.enter_context(made)

        yield context


@pytest.fixture
def page(context_of: Callable[[str], BrowserContext], server: Server, color_scheme: str) -> Iterator[Page]:
    """An empty tab of a new visitor. The test fails on whatever went wrong unseen, in this tab or another one."""
    problems: list[str] = []
    log_before = len(server.log_text())
    context = context_of(color_scheme)
    kept = context.pages

    def check_host(url: str) -> None:
        parts = urlparse(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlparse(server.url).netloc:
            problems.append(f"request to another host: {url}")

    def check_console(message: ConsoleMessage) -> None:
        # Opened at a page's own path, Streamlit looks for its server there first, and is told 404, before the root.
        probe = message.location["url"].endswith(("/_stcore/health", "/_stcore/host-config"))
        if message.type == "error" and not probe:
            problems.append(f"console error: {message.text}")

    listeners: dict[str, Callable[..., None]] = {
        "request": lambda request: check_host(request.url),
        "console": check_console,
        "weberror": lambda error: problems.append(f"page error: {error.error}"),
        "page": lambda tab: tab.on("websocket", lambda websocket: check_host(websocket.url)),
    }
    for event, listener in listeners.items():
        context.on(event, listener)  # type: ignore[call-overload]
    page = context.new_page()
    forget_the_visitor(page, server.url)
    yield page
    if not page.is_closed() and page.locator('[data-testid="stException"]').count():
        problems.append("an exception is shown on the page")
    for tab in context.pages:
        if tab not in kept:
            tab.close()
    server.wait_until_left()
    for event, listener in listeners.items():
        context.remove_listener(event, listener)
    if "Traceback" in (log := server.log_text()[log_before:]):
        problems.append(f"traceback in the server's log:\n{log}")
    if "left out" in log or "not taken" in log:
        problems.append(f"the server took a value of this browser for a forged one:\n{log}")
    assert not problems, "\n".join(problems)
