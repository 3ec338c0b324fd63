"""Typed text survives an immediate reload, before it reaches the server."""

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_until_idle


def test_a_reload_right_after_a_key_keeps_what_was_typed_until_it_is_replaced(page: Page) -> None:
    open_page(page, "/encode?with=gpt2&text=low")
    area = page.get_by_label("Text to encode")
    expect(area).to_have_value("low")
    area.press("End")
    area.press_sequentially("er hugs")
    page.reload()
    expect(area).to_have_value("lower hugs")
    expect(page.get_by_role("listbox", name="The text in tokens")).to_have_text("lower·hugs")
    area.press("End")
    area.press_sequentially("!")
    expect(page.get_by_role("listbox", name="The text in tokens")).to_have_text("lower·hugs!")
    wait_until_idle(page)
    page.goto("/encode?with=gpt2&text=another")
    expect(area, "a text that was replaced does not come back").to_have_value("another")
    wait_until_idle(page)
    expect(area, "a text that was replaced does not come back").to_have_value("another")


@pytest.mark.thorough
def test_a_longer_text_survives_as_well(page: Page) -> None:
    open_page(page, "/encode?with=gpt2&text=low")
    area = page.get_by_label("Text to encode")
    text = "lowest " * 1_000
    area.fill(text)
    page.reload()
    expect(area).to_have_value(text)
    wait_until_idle(page)
    page.reload()
    expect(area).to_have_value(text)
