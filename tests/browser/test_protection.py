"""The server without a proxy: headers on every response, pages working under the CSP, metrics for this machine."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPMessage

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.conftest import SharedVisit
from tests.browser.helpers import expect, open_page, use_popovers, wait_until_idle
from tests.browser.serving import Server
from tests.draws import first

PAGES = ("/", "/encode", "/compare", "/vocabulary", "/algorithms", "/pipeline", "/lessons")
METRICS = "/_stcore/metrics"

_TRY = """() => new Promise(resolve => {
    const found = [];
    document.addEventListener("securitypolicyviolation", event => {
        found.push(event.effectiveDirective);
        if (found.length === 3) resolve(found.sort());
    });
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
    const image = document.createElement("img");
    image.src = "http://a.example/x.png";
    document.body.append(image);
    const frame = document.createElement("iframe");
    frame.src = "/";
    document.body.append(frame);
})"""


def headers_of(server: Server, path: str, sent: dict[str, str] | None = None) -> tuple[int, HTTPMessage]:
    try:
        with urllib.request.urlopen(urllib.request.Request(server.url + path, headers=sent or {})) as answer:
            return answer.status, answer.headers
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers


@pytest.mark.parametrize(
    "path",
    [
        *PAGES,
        "/_stcore/health",
        "/_stcore/host-config",
        METRICS,
        "/no-such-page",
        "/media/none",
        "/component/none/a.js",
    ],
)
def test_every_response_has_each_header_once(server: Server, path: str) -> None:
    headers = headers_of(server, path)[1]
    [policy] = headers.get_all("Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy
    for name, value in {"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY"}.items():
        assert headers.get_all(name) == [value]
    assert headers.get_all("Referrer-Policy") == ["same-origin"]


def test_metrics_answer_this_machine_and_no_request_that_a_proxy_passes_on(server: Server) -> None:
    assert headers_of(server, METRICS)[0] == 200
    for name in ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-IP", "Via"):
        for value in ("203.0.113.7", "127.0.0.1"):
            assert headers_of(server, METRICS, {name: value})[0] == 404


def test_the_policy_stops_what_is_not_the_apps(
    context_of: Callable[[str], BrowserContext], shared_visit: SharedVisit
) -> None:
    """Uses a tab that the fixture does not watch: blocked requests are logged in the console."""
    shared_visit.end()
    page = context_of("light").new_page()
    open_page(page, "/")
    assert page.evaluate(_TRY) == ["frame-src", "img-src", "script-src-elem"]
    assert page.evaluate("window.ran") is None
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.close()


_NAMED = """() => {
    const found = [];
    const look = root => {
        for (const each of root.querySelectorAll("*")) {
            for (const { value } of each.attributes) if (value.includes("of_others")) found.push(each.outerHTML);
            if (each.shadowRoot) look(each.shadowRoot);
        }
    };
    look(document);
    return found;
}"""


@pytest.mark.parametrize(
    "path", first(3, ["/lessons", "/", "/encode", "/compare", "/vocabulary", "/algorithms?sample=toy_hug", "/pipeline"])
)
def test_a_page_works_under_the_policy_and_parameters_of_others_leave_its_address_and_are_in_no_link(
    page: Page, path: str
) -> None:
    """The fixture fails the test on console errors, and every violation of the policy is one."""
    query = "?" if "?" not in path else "&"
    open_page(page, f"{path}{query}of_others=1&of_others.z=2&<b>=of_others")
    page.wait_for_url(lambda url: "of_others" not in url)
    wait_until_idle(page)
    assert page.evaluate(_NAMED) == []
    use_popovers(page)
