"""The app as deploy/ serves it: two replicas behind nginx, with affinity, limits and headers.

tests/browser/test_behind_the_proxy.py is the short form: one app at two addresses.
"""

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser

from tests.browser.helpers import expect, open_page, use_popovers, wait_until_idle
from tests.browser.serving import PROJECT
from tests.forged.visitor import visiting
from tests.serving.conftest import Deployed, check_the_headers, check_the_replicas

PAGES = ("/", "/encode", "/compare", "/vocabulary", "/algorithms", "/pipeline", "/lessons")


@pytest.mark.thorough
def test_every_answer_of_a_visitor_comes_from_the_replica_of_his_cookie(deployed: Deployed) -> None:
    check_the_replicas(deployed.url)


@pytest.mark.thorough
@pytest.mark.parametrize("number", ["1", "2"])
def test_a_visitor_uploads_to_the_replica_of_his_session(deployed: Deployed, number: str) -> None:
    text = "a lantern in the window. " * 90_000
    with visiting(deployed.url, cookies=[f"replica={number}"]) as visitor:
        visitor.open()
        run = visitor.run([visitor.upload("upload", "long.txt", text.encode())])
        assert not run.exceptions
        assert "long.txt" in run.text()
    assert "Traceback" not in deployed.log_text()


@pytest.mark.thorough
def test_a_killed_replica_loses_only_what_no_address_holds_and_the_page_says_so(
    doomed: Deployed, chromium: Browser
) -> None:
    context = chromium.new_context(base_url=doomed.url, viewport={"width": 1280, "height": 900})
    train = context.new_page()
    open_page(train, "/?sample=lantern_story&step=42")
    long = context.new_page()
    open_page(long, "/encode")
    area = long.get_by_role("textbox", name="Text to encode")
    area.fill(" ".join(f"{number * 7919 % 100_003} word{number}" for number in range(4_000)))
    long.wait_for_url("**/encode?text.id=*")
    [number] = [each["value"] for each in context.cookies() if each["name"] == "replica"]
    doomed.kill(number)
    # The reconnecting page is redrawn by the other replica.
    expect(long.get_by_text("Its text was too long for a link and is no longer known here")).to_be_visible()
    [other] = [each["value"] for each in context.cookies() if each["name"] == "replica"]
    assert other != number
    wait_until_idle(train)
    train.get_by_role("button", name="Next").click()
    expect(train.get_by_text("Merge 43.")).to_be_visible()
    train.wait_for_url("**step=43*")
    with visiting(doomed.url, cookies=[f"replica={number}"]) as visitor:  # a client that still has the old cookie
        visitor.open()
        assert visitor.step_to(5) == 5
    context.close()


# -- headers and limits ------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_no_page_breaks_the_content_policy(deployed: Deployed, chromium: Browser) -> None:
    context = chromium.new_context(base_url=deployed.url, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    for path in PAGES:
        open_page(page, path)
        use_popovers(page)
    probes = [each for each in problems if "404" in each]  # Streamlit looks for its server beside the page first
    assert [each for each in problems if each not in probes] == []
    context.close()


@pytest.mark.thorough
def test_every_answer_has_the_headers_once(deployed: Deployed) -> None:
    check_the_headers(deployed.url)


@pytest.mark.thorough
def test_what_is_too_large_and_what_is_for_the_machine_is_refused_by_the_proxy(deployed: Deployed) -> None:
    with visiting(deployed.url, cookies=["replica=1"]) as visitor:
        visitor.open()
        with pytest.raises(urllib.error.HTTPError, match="413"):
            visitor.put(visitor.file_urls("x.txt").upload_url, b"x" * 52_000_000, "text/plain")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{deployed.url}/_stcore/metrics")


def test_the_files_of_deploy_name_what_there_is() -> None:
    ignored = (PROJECT / "deploy" / "Dockerfile.dockerignore").read_text()
    for name in re.findall(r"^!(\S+)$", ignored, re.MULTILINE):
        assert (PROJECT / name).exists(), name
    docker = (PROJECT / "deploy" / "Dockerfile").read_text()
    assert re.search(r"^USER lab$", docker, re.MULTILINE)
    assert "chown" not in docker  # /app is not owned by its user
    compose = (PROJECT / "deploy" / "compose.yaml").read_text()
    replica, proxy = compose.split("\nservices:\n")
    for part in (replica, proxy.partition("  proxy:\n")[2]):
        for setting in ("read_only: true", "cpus: ", "nofile: ", "mem_limit: ", "cap_drop: [ALL]", "no-new-privileges"):
            assert part.count(setting) == 1, setting
    assert re.search(r"^HEALTHCHECK ", docker, re.MULTILINE)
