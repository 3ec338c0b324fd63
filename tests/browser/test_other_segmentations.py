"""Encode, "Other segmentations": draw again, change the dropout, and open a word with fewer tokens."""

import re
from urllib.parse import quote

from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.browser.test_axe import expect_nothing_found_in_both_themes


def test_segmentations_are_drawn_again_and_a_word_with_fewer_tokens_opens(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_page(page, "/encode?text=Der+Kuchen+und+lower+siete&with=gpt2")
    drawn = page.get_by_role("listbox", name="One draw")
    expect(drawn).to_have_count(0)
    page.get_by_text("Other segmentations").click()
    expect(drawn).to_have_text("Der·Kuchen·und·lower·siete")
    slider = page.get_by_role("slider", name="Dropout p")
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    expect(drawn.get_by_role("option")).to_have_count(len("Der Kuchen und lower siete"))
    expect(page.get_by_text("1 segmentation in 1,000 draws.")).to_be_visible()
    slider.press("Home")
    expect(drawn.get_by_role("option")).to_have_count(9)
    page.get_by_role("button", name="Draw again").click()
    expect(page.get_by_role("spinbutton", name="Seed")).to_have_value("1")
    words = page.get_by_role("grid", name="Words with fewer tokens")
    words.get_by_role("gridcell", name="·siete", exact=True).click()
    expect(page.get_by_role("heading", name="Token 7 of 9")).to_be_visible()
    wait_until_idle(page)
    expect(page).to_have_url(re.compile(r"many=1.*dropout=0.*seed=1"))
    expect_nothing_found_in_both_themes(page)


def test_segmentations_of_a_right_to_left_word_begin_at_the_right(page: Page) -> None:
    open_page(page, f"/encode?text={quote('שלום והכנסת')}&with=gpt2&many=1")
    words = page.get_by_role("grid", name="Segmentations of the word").locator(".cell.word")
    expect(words.nth(5)).to_be_visible()
    gaps = words.evaluate_all(
        """cells => cells.map(cell => {
            const [first, last] = [cell.firstElementChild, cell.lastElementChild].map(el => el.getBoundingClientRect());
            return [cell.getBoundingClientRect().right - first.right, last.left < first.left];
        })"""
    )
    assert gaps == [[0, True]] * len(gaps)
