"""Tests that need a proxy of their own: floods, which it limits, and TLS, which it terminates."""

import subprocess
import urllib.error
import urllib.request
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.helpers import expect, open_page
from tests.browser.serving import free_port
from tests.serving.conftest import Deployed, ports_of, proxy

pytestmark = pytest.mark.thorough

TOO_MANY = 429


def flood(port: int, method: str, path: str, count: int) -> Counter[int]:
    """The statuses of consecutive requests, up to the first that is refused."""
    statuses: Counter[int] = Counter()
    connection = HTTPConnection("127.0.0.1", port)
    while statuses.total() < count and not statuses[TOO_MANY]:
        connection.request(method, path)
        answer = connection.getresponse()
        answer.read()
        statuses[answer.status] += 1
    connection.close()
    return statuses


def test_a_flood_of_sessions_or_uploads_is_stopped_and_pages_go_on(deployed: Deployed, tmp_path: Path) -> None:
    port = free_port()
    with proxy(tmp_path / "nginx", "http.conf", ports_of(deployed.replicas), {80: port}):
        sessions = flood(port, "GET", "/_stcore/stream", 5_000)
        uploads = flood(port, "PUT", "/_stcore/upload_file/nobody/nothing", 1_000)
        pages = flood(port, "GET", "/", 50)
    assert sessions[TOO_MANY] == uploads[TOO_MANY] == 1
    assert sessions.total() > 400  # a class that connects at the same time
    assert uploads.total() > 60
    assert pages == {200: 50}


def test_the_proxy_ends_tls_and_leads_to_it(deployed: Deployed, chromium: Browser, tmp_path: Path) -> None:
    folder, plain, port = tmp_path / "nginx", free_port(), free_port()
    make_certificate(folder / "certificates")
    with proxy(folder, "https.conf", ports_of(deployed.replicas), {80: plain, 443: port}):
        assert redirected_to(f"http://localhost:{plain}/encode?text=a") == "https://localhost/encode?text=a"
        context = chromium.new_context(base_url=f"https://localhost:{port}", ignore_https_errors=True)
        page = context.new_page()
        open_page(page, "/?sample=lantern_story&step=7")
        page.get_by_role("button", name="Next", exact=True).click()  # also over an encrypted websocket
        expect(page.get_by_text("Merge 8.")).to_be_visible()
        [cookie] = [each for each in context.cookies() if each["name"] == "replica"]
        headers = context.request.get("/").headers
        context.close()
    assert cookie["secure"]
    assert headers["strict-transport-security"] == "max-age=31536000"


def make_certificate(folder: Path) -> None:
    """Create a self-signed certificate for this machine."""
    folder.mkdir(parents=True)
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", *files]
    subprocess.run([*command, "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)


def redirected_to(url: str) -> str | None:
    """The redirect target of a URL, without following it."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *given: object) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(url)
    except urllib.error.HTTPError as redirect:
        return redirect.headers["Location"]
    return None
