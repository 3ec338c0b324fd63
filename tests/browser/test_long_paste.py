"""A long paste goes into a text area at once, reaches the app, and can be taken back."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.helpers import open_page, wait_until_idle

LINES = "a line of text\n" * 20_000


def paste(page: Page, area: Locator, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    area.press("Control+a")
    area.press("Control+v")


@pytest.mark.parametrize("color_scheme", ["light"])
def test_many_lines_are_pasted_where_the_caret_is_and_taken_back(page: Page) -> None:
    open_page(page)
    page.get_by_role("link", name="Encode").click()
    area = page.get_by_role("textbox", name="Text to encode")
    area.fill("before")
    wait_until_idle(page)
    paste(page, area, LINES)
    expect(page.get_by_text("100,000 tokens · 300,000 characters")).to_be_visible(timeout=10_000)
    area.press("Control+z")
    expect(area).to_have_value("before")
    expect(page.get_by_text("1 token · 6 characters")).to_be_visible()


@pytest.mark.parametrize("color_scheme", ["light"])
def test_streamlits_own_text_area_takes_a_long_paste_too(page: Page) -> None:
    open_page(page)
    page.get_by_role("button", name=re.compile("^Paste")).click()
    area = page.get_by_role("textbox", name="Your text")
    paste(page, area, LINES)
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_text("300,000 bytes")).to_be_visible(timeout=10_000)
