"""Work that waits for its turn, in the page or in a fragment, is cancelled by a click or by the next action."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.browser.serving import PATIENCE, Server, served_app
from tests.browser.test_long_paste import paste

LONG = "a line of text\n" * 20_000


@dataclass
class Queue:
    """The queue of the server, which is occupied while a file exists."""

    file: Path

    def hold(self) -> None:
        self.file.touch()

    def release(self) -> None:
        self.file.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> Queue:
    return Queue(tmp_path_factory.mktemp("queue") / "held")


@pytest.fixture(scope="module")
def served(queue: Queue, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    faults = ("--held", str(queue.file))
    with served_app(tmp_path_factory.mktemp("held"), module="tests.faults.broken_machine", arguments=faults) as server:
        yield server
    assert "Traceback" not in server.log_text()


@pytest.fixture
def page(chromium: Browser, served: Server, queue: Queue) -> Iterator[Page]:
    with chromium.new_context(base_url=served.url, viewport={"width": 1280, "height": 900}) as context:
        context.set_default_timeout(PATIENCE)
        yield context.new_page()
    queue.release()


def waiting(page: Page) -> Locator:
    return page.get_by_text(re.compile("^Waiting: [0-9]+ before you"))


def train_on_long_text(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    page.get_by_role("button", name=re.compile("^Paste")).click()
    paste(page, page.get_by_role("textbox", name="Your text"), LONG)
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_text("300,000 bytes")).to_be_visible()


def cancel(page: Page, queue: Queue) -> None:
    """Cancel the waiting work, and release the queue."""
    page.get_by_role("button", name="Cancel").click()
    expect(waiting(page)).to_have_count(0)
    wait_until_idle(page)
    queue.release()


def test_what_vocabularies_share_is_cancelled_while_it_waits(page: Page, queue: Queue) -> None:
    open_page(page, "/compare?text=low&with=gpt2,cl100k_base")
    queue.hold()
    page.get_by_text("What the vocabularies share").click()
    expect(waiting(page)).to_be_visible()
    cancel(page, queue)
    page.get_by_text("What the vocabularies share").click()
    expect(page.get_by_text("Tokens are equal where their texts are", exact=False)).to_be_visible()


@pytest.mark.parametrize("query", ["with=gpt2&with=unigram", "with=unknown"])
def test_a_click_elsewhere_leaves_one_progress_bar_of_what_waits(page: Page, queue: Queue, query: str) -> None:
    open_page(page, f"/compare?{query}")
    problem, problems = page.get_by_text("This link cannot be opened."), int(query == "with=unknown")
    expect(problem).to_have_count(problems)
    queue.hold()
    page.get_by_text("What the vocabularies share").click()
    expect(waiting(page)).to_be_visible()
    page.get_by_text("What the vocabularies are made of").click()
    expect(page.get_by_text("Kinds of tokens")).to_be_visible()
    expect(waiting(page)).to_have_count(1)
    expect(problem).to_have_count(problems)


def test_a_smaller_vocabulary_is_cancelled_while_it_waits(page: Page, queue: Queue) -> None:
    train_on_long_text(page)
    page.get_by_role("link", name="Vocabulary").first.click()
    wait_until_idle(page)
    queue.hold()
    page.get_by_text("Make it smaller").click()
    expect(waiting(page)).to_be_visible()
    cancel(page, queue)
    page.get_by_text("Make it smaller").click()
    expect(page.get_by_role("button", name="Open it here")).to_be_visible()


def test_encoding_a_long_text_is_cancelled_while_it_waits(page: Page, queue: Queue) -> None:
    open_page(page, "/encode")
    area = page.get_by_role("textbox", name="Text to encode")
    queue.hold()
    paste(page, area, LONG)
    expect(waiting(page)).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Encoding was cancelled.", exact=False)).to_be_visible()
    expect(waiting(page)).to_have_count(0)
    wait_until_idle(page)
    queue.release()
    page.get_by_role("button", name="Encode anyway").click()
    expect(page.get_by_text("100,000 tokens · 300,000 characters")).to_be_visible()


def test_a_short_text_is_encoded_at_once_although_a_long_one_waits_before_it(page: Page, queue: Queue) -> None:
    open_page(page, "/encode")
    area = page.get_by_role("textbox", name="Text to encode")
    queue.hold()
    paste(page, area, LONG + LONG)  # the server does not have its tokens yet
    expect(waiting(page)).to_be_visible()
    paste(page, area, "low lower")
    expect(page.get_by_text("2 tokens · 9 characters")).to_be_visible()
    expect(waiting(page)).to_have_count(0)
