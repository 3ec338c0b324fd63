"""Characters missing from all fonts of the machine: reported in a line, and shown by their code points."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle

CUNEIFORM = "\U00012000\U00012040"
NOTICE = "No font here for Cuneiform: 2 different characters are shown by code point. Install one, such as a Noto font."
LOOKED = "() => window.bpeLab?.fonts.known.has('東') && !bpeLab.fonts.waiting.size"


def notices(page: Page) -> Locator:
    return page.locator(".tv > .fonts")


def test_a_script_without_a_font_is_told_and_shown_by_code_points(page: Page) -> None:
    open_page(page, f"/encode?with=o200k_base&text={quote('low ' + CUNEIFORM)}")
    flow = page.locator(".tv", has=page.locator(".flow"))
    expect(flow.locator("> .fonts")).to_have_text(NOTICE)
    expect(flow.locator(".flow .fontless")).to_have_text(["U+12000", "U+12040"])


@pytest.mark.thorough
def test_the_lines_of_compare_show_them_too(page: Page) -> None:
    open_page(page, f"/compare?with=gpt2&with=o200k_base&text={quote('low ' + CUNEIFORM)}")
    lines = page.locator(".tv", has=page.locator(".lanes"))
    expect(lines.locator("> .fonts")).to_have_text(NOTICE)
    expect(lines.locator(".text:not(.copy) .fontless")).to_have_text(["U+12000", "U+12040"])


@pytest.mark.thorough
def test_the_line_goes_with_the_characters(page: Page) -> None:
    open_page(page, f"/encode?with=o200k_base&text={quote(CUNEIFORM)}")
    expect(notices(page).first).to_be_visible()
    page.get_by_label("Text to encode").fill("low lower")
    expect(page.locator(".flow .t")).to_have_text(["low", "·lower"])
    expect(notices(page)).to_have_count(0)


def test_texts_that_have_fonts_tell_nothing(page: Page) -> None:
    text = "café مرحبا שלום 東京タワー かな 한국 👩‍🚀 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 é ∑ Привет Ελλάδα"
    open_page(page, f"/compare?with=gpt2&with=o200k_base&text={quote(text)}")
    page.wait_for_function(LOOKED)
    wait_until_idle(page)
    assert page.evaluate("[...bpeLab.fonts.fontless]") == []
    expect(notices(page)).to_have_count(0)
