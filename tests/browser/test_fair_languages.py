"""The training that is fair to languages, in the browser: its chart, its slider, and what axe-core finds in it."""

import re

from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.browser.test_axe import violations


def test_the_slider_goes_through_the_merges_and_the_sentence_names_the_language(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 1600})
    open_page(page, "/compare?fair=1&fair_merge=11")
    card = page.locator(".st-key-fair-languages")
    sentence = card.locator(".st-key-fair-step-story .words")
    expect(sentence).to_contain_text(re.compile(r"Merge 11 serves \w+, worst off with \d+ tokens"))
    card.scroll_into_view_if_needed()
    titles = card.locator(".st-key-fair-chart .annotation-text")
    expect(titles).to_have_count(12)
    expect(titles.first).to_contain_text("202 → 276")
    card.get_by_test_id("stSlider").locator("[role=slider], input").first.focus()
    page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text(re.compile(r"Merge 12 serves \w+"))
    wait_until_idle(page)
    expect(page).to_have_url(re.compile("fair_merge=12"))
    assert violations(page) == []
