"""Shared helpers of browser tests, mainly for waiting."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from playwright import sync_api
from playwright.sync_api import Locator, Page, TimeoutError

from bpe_core.language import LANGUAGES
from tests.browser.serving import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import expect
else:

    def expect(actual: Page | Locator, message: str | None = None) -> Any:
        """Playwright's assertions; those about an element wait for it first."""
        assertions = sync_api.expect(actual, message)
        return Expected(actual, assertions) if isinstance(actual, Locator) else assertions


class Expected:
    """Assertions about an element. Each waits until it is there.

    Playwright's own describe the whole page for their message at every attempt that does not find the element yet,
    which takes 0.2 s on a page with thousands of tokens.
    """

    def __init__(self, locator: Locator, assertions: Any) -> None:
        self._locator = locator
        self._assertions = assertions

    def to_be_visible(self, *, timeout: float = PATIENCE) -> None:
        try:
            self._locator.wait_for(timeout=timeout)
        except TimeoutError:
            self._assertions.to_be_visible(timeout=1)  # for its message

    def __getattr__(self, name: str) -> Callable[..., None]:
        check: Callable[..., None] = getattr(self._assertions, name)

        def wait_and_check(*expected: Any, **options: Any) -> None:
            if not (expected and isinstance(expected[0], list)):
                try:
                    self._locator.first.wait_for(state="attached", timeout=options.get("timeout", PATIENCE))
                except TimeoutError:
                    options["timeout"] = 1
            check(*expected, **options)

        return check if name in _OF_ABSENCE else wait_and_check


_OF_ABSENCE = {"to_have_count", "not_to_have_count", "to_be_hidden", "not_to_be_visible", "not_to_be_attached"}
"""Assertions that hold without an element, and those of a number, which describe no page."""

IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'

# Between a click and its run the app still looks idle, so it has to stay idle for a while, no action of a component on
# the page may be pending, and a remote must not be on its way to another page.
_STAYS_IDLE = """({ selector, quiet }) => {
    const now = performance.now();
    const waits = [...(window.bpeLab?.actions().of.values() ?? [])]
        .some(({ path, waiting, tell }) => path === location.pathname && waiting.length && tell);
    const isArriving = "arriving" in document.documentElement.dataset;
    if (waits || isArriving || !document.querySelector(selector)) window.idleSince = undefined;
    else window.idleSince ??= now;
    return now - (window.idleSince ?? now) >= quiet;
}"""


def choose_language(page: Page, code: str) -> None:
    """Choose a language in the header's menu."""
    page.locator(".st-key-languages button:visible").first.click()
    page.get_by_role("menuitem", name=LANGUAGES[code].title).click()
    page.wait_for_function("(code) => document.documentElement.lang === code", arg=code)
    wait_until_idle(page)


def wait_until_idle(page: Page, *, quiet: float = 100, timeout: float = PATIENCE) -> None:
    """Wait until no script has been running for `quiet` milliseconds; TimeoutError after `timeout`."""
    page.wait_for_selector(IDLE, timeout=timeout)
    page.evaluate("window.idleSince = undefined")
    page.wait_for_function(
        _STAYS_IDLE,
        arg={"selector": IDLE, "quiet": quiet},
        timeout=timeout,
        polling=30,  # milliseconds; polling on every frame would force frames to be drawn
    )


def wait_for(page: Page, fact: Callable[[], bool]) -> None:
    """Wait for a condition that only Python can check."""
    give_up = time.monotonic() + PATIENCE / 1_000
    while not fact():
        assert time.monotonic() < give_up, "the condition did not become true in time"
        page.wait_for_timeout(20)  # processes the browser's events


def wait_until_painted(page: Page) -> None:
    """Wait until the browser has painted all changes so far."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def step(page: Page) -> Locator:
    """The player's field on Train."""
    return page.get_by_role("spinbutton", name="Go to merge")


def story(page: Page) -> Locator:
    """The sentence of the step on Train."""
    return page.get_by_role("group", name="This step")


def rows(page: Page, table: str) -> Locator:
    """The rows of a table, without its head."""
    return page.get_by_role("grid", name=table).locator("[role=rowgroup] [role=row]")


def tabs(page: Page) -> Locator:
    """The tabs of the stage."""
    return page.get_by_role("tablist", name="Cards of the page").get_by_role("tab")


def card(page: Page, name: str) -> Locator:
    """A card on the stage."""
    return page.get_by_role("tabpanel", name=name, exact=True)


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until this element has the focus."""
    for _ in range(60):
        if target.evaluate("target => target.matches(':focus')"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")


def in_chart(page: Page, chart: Locator, share: float, height: float = 0.2) -> tuple[float, float]:
    """A point in a drawn chart, by its slider: at these fractions of the plot's width and height from the top."""
    chart.scroll_into_view_if_needed()
    expect(page.locator(".plot.drawn", has=chart)).to_be_visible(timeout=PATIENCE)
    box = chart.bounding_box()
    assert box is not None
    return box["x"] + share * box["width"], box["y"] + height * box["height"]


def open_page(page: Page, path: str = "/") -> None:
    """Open a page of the app by path and query, and wait until it is drawn."""
    page.goto(path)
    wait_until_idle(page)


def use_popovers(page: Page) -> None:
    """Open all popovers of a page and scroll down, so that everything loaded lazily is loaded."""
    for button in page.get_by_test_id("stPopoverButton").all():
        if button.is_visible() and button.is_enabled():
            button.click()
            page.keyboard.press("Escape")
    page.mouse.wheel(0, 2_000)
    wait_until_idle(page)


# The URL and the state of every control, including those in components: everything that a user can change.
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
    """Show a page of the app in its initial state.

    It is loaded only if the tab does not already show it, or if the keys Escape and Home do not restore the URL and the
    controls that it had when it was opened.
    """
    _look_as_at_first(page)
    if not _shows(page, path) or not _is_as_opened(page):
        _open_and_note(page, path)


def show_page_in_any_state(page: Page, path: str) -> None:
    """Show a page of the app in the state left by another test with the same path, for tests that set up all they need.

    It is loaded only if the tab does not show it.
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
    """True if the tab has opened this path and is still on its page."""
    shown: bool = page.evaluate(
        "path => window.asOpened?.path === path && location.pathname === path.split('?')[0]", path
    )
    return shown


def _open_and_note(page: Page, path: str) -> None:
    page.goto(path)
    wait_until_idle(page, quiet=500)
    page.evaluate(f"path => {{ window.asOpened = {{ path, controls: ({_CONTROLS})() }} }}", path)


def forget_what_is_shown(page: Page) -> None:
    """Make the next `show_page` load its page even if the tab shows it: for tests of loading itself."""
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


# The theme is set and no transition is running: an intermediate colour belongs to neither theme. Each shadow root lists
# only its own animations; infinite ones are ignored.
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
    """Set the system's colour scheme, and wait until the open page is drawn in it."""
    page.emulate_media(color_scheme=color_scheme)
    page.wait_for_function(_IS_IN, arg=color_scheme, polling=50)


def forget_the_visitor(page: Page, url: str) -> None:
    """Clear site storage and permissions of a page's browser, so that the next page opened is a new session.

    Fetched and compiled scripts stay cached: they are the same in every session.
    """
    page.context.clear_cookies()
    page.context.clear_permissions()
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    session.detach()
