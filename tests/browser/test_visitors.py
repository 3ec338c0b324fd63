"""Each test begins in a new session, though all share the browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.helpers import forget_the_visitor, open_page

KEPT = """async () => [
    document.cookie.includes("known"),
    localStorage.getItem("known") !== null,
    sessionStorage.getItem("known") !== null,
    (await indexedDB.databases()).some(({ name }) => name === "known"),
    await caches.has("known"),
]"""

LEAVE = """async () => {
    document.cookie = "known=1; max-age=9999";
    localStorage.setItem("known", "1");
    sessionStorage.setItem("known", "1");
    await caches.open("known");
    await new Promise(done => { indexedDB.open("known").onsuccess = done; });
}"""


def test_a_visitor_leaves_nothing_to_the_next(page: Page, app_url: str) -> None:
    page.context.grant_permissions(["clipboard-read"])
    open_page(page, "/lessons")
    assert page.evaluate(KEPT) == [False] * 5
    page.evaluate(LEAVE)
    assert page.evaluate(KEPT) == [True] * 5
    forget_the_visitor(page, app_url)
    after = page.context.new_page()
    after.goto("/_stcore/health")
    assert [cookie for cookie in page.context.cookies() if cookie["name"] == "known"] == []
    assert after.evaluate(KEPT) == [False] * 5
    assert (
        after.evaluate("navigator.permissions.query({ name: 'clipboard-read' }).then(each => each.state)") == "prompt"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_every_tab_has_the_theme_of_the_test(
    page: Page, context_of: Callable[[str], BrowserContext], color_scheme: str
) -> None:
    assert page.context is context_of(color_scheme)
    for tab in (page, page.context.new_page()):
        assert tab.evaluate(f"matchMedia('(prefers-color-scheme: {color_scheme})').matches")
