"""A complete user journey: paste a text, train on it, look at its merges, and compare it with GPT-2 and cl100k."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle

TEXT = "東京の朝は早い。東京の駅の朝は人が多い。駅の人は東京の朝が好きだ。"


@pytest.mark.thorough
def test_a_pasted_japanese_text_is_trained_stepped_through_and_compared(page: Page) -> None:
    open_page(page)
    page.get_by_role("button", name=re.compile("^Paste")).click()
    page.get_by_role("textbox", name="Your text").fill(TEXT)
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_role("button", name=re.compile("^Pasted text"))).to_be_visible()
    wait_until_idle(page)

    merge = page.get_by_role("spinbutton", name="Go to merge")
    page.get_by_role("button", name="Next").first.click()
    expect(merge).to_have_value("1")
    page.get_by_role("button", name="Next").first.click()
    expect(merge).to_have_value("2")
    page.get_by_role("button", name="Back").first.click()
    expect(merge).to_have_value("1")
    merges = page.get_by_role("grid", name="Merges").locator("[role=rowgroup] [role=row]")
    merges.filter(has_text=re.compile(r"^5")).first.click()
    expect(merge).to_have_value("5")
    tokens = page.get_by_role("listbox", name="The training text in tokens")
    expect(tokens).to_contain_text("東")
    expect(page.locator("body")).not_to_contain_text("\N{REPLACEMENT CHARACTER}")

    page.get_by_role("link", name="Compare").click()
    wait_until_idle(page)
    page.get_by_role("textbox", name=re.compile("Text to compare")).fill("東京の朝 and tokens")
    lines = page.locator(".lanes")
    expect(lines).to_contain_text("東京の朝")
    for name in ("Trained", "GPT-2", "cl100k"):
        expect(lines).to_contain_text(name)
        expect(page.get_by_role("grid", name="Counts by tokenizer")).to_contain_text(name)
    expect(page.locator(".st-key-why")).to_contain_text(re.compile("of [0-9]+"))


def tab_until(page: Page, target: Locator) -> None:
    """Press Tab until the element has the focus, as keyboard users do."""
    expect(target).to_be_visible()
    for _press in range(120):
        if target.evaluate("target => target.getRootNode().activeElement === target"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")


def test_the_whole_way_with_a_japanese_text_is_gone_by_keyboard_alone_and_told_in_sentences(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    status = page.locator(".st-key-story-and-changes [role=status]").first
    tab_until(page, page.get_by_role("button", name=re.compile("^Paste")))
    page.keyboard.press("Enter")
    tab_until(page, page.get_by_role("textbox", name="Your text"))
    page.keyboard.insert_text(TEXT)  # as an input method does
    tab_until(page, page.get_by_role("button", name="Train on this text"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("^Pasted text"))).to_be_visible()
    wait_until_idle(page)

    tab_until(page, page.get_by_role("button", name="Next").first)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("spinbutton", name="Go to merge")).to_have_value("2")
    expect(status).to_contain_text(re.compile(r"Merge 2\. The pair occurred .* The new token has id 257\."))

    tab_until(page, page.get_by_role("grid", name="Pairs that the next merge can take"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Your fork: ")).to_be_visible()
    expect(status).to_contain_text("Your choice.")
    expect(page.get_by_role("listbox", name="The training text in tokens")).to_contain_text("東")
    expect(page.locator("body")).not_to_contain_text("\N{REPLACEMENT CHARACTER}")

    tab_until(page, page.get_by_role("link", name="Compare"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_attached()
    wait_until_idle(page)
    tab_until(page, page.get_by_role("textbox", name=re.compile("Text to compare")))
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("東京の朝 and tokens")
    lines = page.locator(".lanes")
    expect(lines).to_contain_text("東京の朝·and")
    for name in ("Trained", "GPT-2", "cl100k"):
        expect(lines).to_contain_text(name)
        expect(page.get_by_role("grid", name="Counts by tokenizer")).to_contain_text(name)
    wait_until_idle(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("n")
    expect(page.locator(".st-key-why [aria-live=polite]").first).to_contain_text(re.compile(r"\w+ \w+ .*\."))
