"""What browser tests share: waiting for the app."""

import time
from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.serving import PATIENCE

IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'

# Between a click and the run it starts the app still looks idle, so it has to stay so for a while, and no action of a
# component may wait for its acknowledgement.
_STAYS_IDLE = """({ selector, quiet }) => {
    const now = performance.now();
    const waits = [...(window.bpeLab?.actions().of.values() ?? [])]
        .some(({ path, waiting }) => path === location.pathname && waiting.length);
    if (waits || !document.querySelector(selector)) window.idleSince = undefined;
    else window.idleSince ??= now;
    return now - (window.idleSince ?? now) >= quiet;
}"""


def wait_until_idle(page: Page, *, quiet: float = 150, timeout: float = PATIENCE) -> None:
    """Wait until no script has been running for `quiet` milliseconds; TimeoutError after `timeout`."""
    page.wait_for_selector(IDLE, timeout=timeout)
    page.evaluate("window.idleSince = undefined")
    page.wait_for_function(
        _STAYS_IDLE,
        arg={"selector": IDLE, "quiet": quiet},
        timeout=timeout,
        polling=30,  # milliseconds; not at every frame, each of which would be drawn for it
    )


def wait_for(page: Page, fact: Callable[[], bool]) -> None:
    """Wait until a fact holds that only Python can look at."""
    give_up = time.monotonic() + PATIENCE / 1_000
    while not fact():
        assert time.monotonic() < give_up, "what the test waits for does not come"
        page.wait_for_timeout(20)  # lets the browser's events in


def wait_until_painted(page: Page) -> None:
    """Wait until the browser has drawn a frame with all that was changed so far."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def in_chart(page: Page, chart: Locator, share: float, height: float = 0.2) -> tuple[float, float]:
    """A place in a chart that is drawn, by its slider: at these shares of the plot's width and height from the top."""
    chart.scroll_into_view_if_needed()
    expect(page.locator(".plot.drawn", has=chart)).to_be_visible()
    box = chart.bounding_box()
    assert box is not None
    return box["x"] + share * box["width"], box["y"] + height * box["height"]


def open_page(page: Page, path: str = "/") -> None:
    """Open a page of the app by its path, query included, and wait until it is drawn."""
    page.goto(path)
    wait_until_idle(page)


def use_popovers(page: Page) -> None:
    """Open what a page can open, and scroll down, so that what is loaded later is loaded too."""
    for button in page.get_by_test_id("stPopoverButton").all():
        if button.is_visible() and button.is_enabled():
            button.click()
            page.keyboard.press("Escape")
    page.mouse.wheel(0, 2_000)
    wait_until_idle(page)


# The address and what every control says, in components as well: what a visitor can have changed.
_CONTROLS = """() => {
    const found = [location.pathname + location.search];
    const look = (root) => {
        for (const el of root.querySelectorAll("*")) {
            if (el.shadowRoot) look(el.shadowRoot);
            if (!el.matches("input, select, textarea, button, [role=switch], [role=radio], [role=tab]")) continue;
            const states = ["pressed", "checked", "expanded", "selected"];
            const said = states.map((state) => el.getAttribute(`aria-${state}`));
            found.push([el.localName, el.textContent, el.value, el.checked, el.disabled, ...said].join());
        }
    };
    look(document);
    return JSON.stringify(found);
}"""
_AS_OPENED = f"() => ({_CONTROLS})() === window.asOpened?.controls"


def show_page(page: Page, path: str) -> None:
    """Show a page of the app as a new visitor finds it.

    It is loaded only where the tab does not show it already: where the keys Escape and Home do not bring back the
    address and the controls that it had when it was opened.
    """
    _look_as_at_first(page)
    if not _shows(page, path) or not _is_as_opened(page):
        _open_and_note(page, path)


def show_page_in_any_state(page: Page, path: str) -> None:
    """Show a page of the app as a test has left it that had the same path, for one that says all that it needs itself.

    It is loaded only where the tab does not show it.
    """
    _look_as_at_first(page)
    if not _shows(page, path):
        _open_and_note(page, path)
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement?.blur()")
    page.mouse.move(1, 1)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")


def _look_as_at_first(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light", contrast="no-preference", reduced_motion="no-preference")


def _shows(page: Page, path: str) -> bool:
    """Whether the tab has opened this path, and is on its page."""
    shown: bool = page.evaluate(
        "path => window.asOpened?.path === path && location.pathname === path.split('?')[0]", path
    )
    return shown


def _open_and_note(page: Page, path: str) -> None:
    open_page(page, path)
    wait_until_idle(page, quiet=500)
    page.evaluate(f"path => {{ window.asOpened = {{ path, controls: ({_CONTROLS})() }} }}", path)


def forget_what_is_shown(page: Page) -> None:
    """Let the next `show_page` load its page, though the tab shows it: for a test of the loading itself."""
    page.evaluate("window.asOpened = undefined")


def _is_as_opened(page: Page) -> bool:
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("Home")
    page.mouse.move(1, 1)
    try:
        page.wait_for_function(_AS_OPENED, timeout=1_500, polling=50)
        wait_until_idle(page)
    except TimeoutError:
        return False
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    return True


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
