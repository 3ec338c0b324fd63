"""What browser tests share: waiting for the app."""

from playwright.sync_api import Page

IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'

# Between a click and the run it starts the app still looks idle, so it has to stay so for a while.
_STAYS_IDLE = """({ selector, quiet }) => {
    const now = performance.now();
    if (!document.querySelector(selector)) window.idleSince = undefined;
    else window.idleSince ??= now;
    return now - (window.idleSince ?? now) >= quiet;
}"""


def wait_until_idle(page: Page, *, quiet: float = 150, timeout: float = 30_000) -> None:
    """Wait until no script has been running for `quiet` milliseconds; TimeoutError after `timeout`."""
    page.wait_for_selector(IDLE, timeout=timeout)
    page.evaluate("window.idleSince = undefined")
    page.wait_for_function(
        _STAYS_IDLE,
        arg={"selector": IDLE, "quiet": quiet},
        timeout=timeout,
        polling=30,  # milliseconds; not at every frame, each of which would be drawn for it
    )


def open_page(page: Page, path: str = "/") -> None:
    """Open a page of the app by its path, query included, and wait until it is drawn."""
    page.goto(path)
    wait_until_idle(page)


def forget_the_visitor(page: Page, url: str) -> None:
    """Clear what sites have stored in a page's browser, and what they may do: who opens the app next is a new visitor.

    What the browser has fetched and compiled stays: the app's scripts are the same for every visitor.
    """
    page.context.clear_cookies()
    page.context.clear_permissions()
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    session.detach()
