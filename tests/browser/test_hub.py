"""A hub model as a column: typed, requested with a click, refused with a reason, and reopened after a reload."""

import pytest
from playwright.sync_api import Page

from bpe_core import train
from bpe_core.formats import to_bytes
from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.hub_server import Hub

JSON = to_bytes(train("low lower lowest hug hugs pug").tokenizer(), format="tokenizers")
RANKS = to_bytes(train("low lower").tokenizer(), format="tiktoken")
NAME, SILENT, RANKS_ONLY = "me/tiny-2.5", "me/silent-1b", "me/ranks-7b"


@pytest.fixture
def compare(page: Page, served_hub: Hub) -> Page:
    """Compare in a session without hub requests."""
    served_hub.requests.clear()
    open_page(page, "/compare?text=low&with=gpt2")
    return page


@pytest.mark.thorough
def test_a_download_is_cancelled_and_the_page_says_so(compare: Page, served_hub: Hub) -> None:
    served_hub.add(SILENT, {"tokenizer.json": JSON}, behaviour="silent")
    compare.get_by_role("button", name="Add a tokenizer").click()
    compare.get_by_label("Or a model's name on the Hugging Face hub, or a file's https address").fill(SILENT)
    compare.get_by_role("button", name="Fetch", exact=True).click()
    compare.get_by_role("button", name="Cancel").click()
    expect(compare.get_by_text("The files were not opened: this was cancelled.")).to_be_visible()
    served_hub.may_go_on.set()
    wait_until_idle(compare)


@pytest.mark.thorough
def test_ranks_of_a_model_ask_for_their_split(compare: Page, served_hub: Hub) -> None:
    served_hub.add(RANKS_ONLY, {"qwen.tiktoken": RANKS})
    compare.get_by_label("Text to compare").fill("low hugs")
    compare.get_by_role("button", name="Add a tokenizer").click()
    compare.get_by_label("Or a model's name on the Hugging Face hub, or a file's https address").fill(
        f"{served_hub.url}/{RANKS_ONLY}/tree/main"
    )
    compare.get_by_role("button", name="Fetch", exact=True).click()
    expect(compare.get_by_text(f"Fetched: hf:{RANKS_ONLY}")).to_be_visible()
    compare.get_by_label("Split into words").click()
    compare.get_by_role("option", name="cl100k").click()
    compare.get_by_role("button", name="Add", exact=True).click()
    names = compare.locator(".lanes .chunk").first.locator(".name")
    expect(names.last).to_have_text("ranks-7b")
    wait_until_idle(compare)


def test_a_model_is_asked_for_by_name_and_opened_again_after_a_reload(compare: Page, served_hub: Hub) -> None:
    served_hub.add(NAME, {"tokenizer.json": JSON})
    compare.get_by_label("Text to compare").fill("low hugs")
    for name in ("me/<b>**other**</b>", NAME):
        compare.get_by_role("button", name="Add a tokenizer").click()
        compare.get_by_label("Or a model's name on the Hugging Face hub, or a file's https address").fill(name)
        expect(
            compare.get_by_text(f"Only this button asks {served_hub.url.removeprefix('http://')}, and")
        ).to_be_visible()
        assert not served_hub.asked
        compare.get_by_role("button", name="Fetch", exact=True).click()
        if name != NAME:
            expect(compare.get_by_text("'me/<b>**other**</b>' is not the name of a model")).to_be_visible()
    names = compare.locator(".lanes .chunk").first.locator(".name")
    expect(names.last).to_have_text("tiny-2.5")
    wait_until_idle(compare)
    served_hub.requests.clear()
    compare.reload()
    expect(compare.get_by_text(f"Not here: hf:{NAME}")).to_be_visible()
    assert not served_hub.asked
    compare.get_by_role("button", name="Ask the hub").click()
    expect(names.last).to_have_text("tiny-2.5")
    wait_until_idle(compare)
