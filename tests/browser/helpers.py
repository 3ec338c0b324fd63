"""What browser tests share: waiting for the app."""

from typing import Literal

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


# The theme, and that nothing moves any more: a colour that is on its way to another one is neither. Each shadow root
# knows only its own animations; those without an end are no way to anything.
_IS_IN = """(theme) => {
    const app = document.querySelector(".stApp");
    if (!app || getComputedStyle(app).colorScheme !== theme) return false;
    const rests = (root) =>
        root.getAnimations().every(({ playState, effect }) =>
            playState !== "running" || effect.getComputedTiming().endTime === Infinity) &&
        [...root.querySelectorAll("*")].every((el) => !el.shadowRoot || rests(el.shadowRoot));
    return rests(document);
}"""


def switch_theme(page: Page, color_scheme: Literal["light", "dark"]) -> None:
    """Let the system ask for this theme, and wait until the open page is drawn in it."""
    page.emulate_media(color_scheme=color_scheme)
    page.wait_for_function(_IS_IN, arg=color_scheme, polling=50)


def forget_the_visitor(page: Page, url: str) -> None:
    """Clear what sites have stored in a page's browser, and what they may do: who opens the app next is a new visitor.

    What the browser has fetched and compiled stays: the app's scripts are the same for every visitor.
    """
    page.context.clear_cookies()
    page.context.clear_permissions()
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    session.detach()
