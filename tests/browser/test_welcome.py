"""The first screen: what a token is, the visitor's name in tokens, and the way to the first merge or the tour."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle


def welcome(page: Page) -> Locator:
    return page.locator(".st-key-welcome")


def tour_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Tour", exact=True)


def test_a_new_visitor_types_a_name_and_is_led_to_the_first_merge(page: Page) -> None:
    open_page(page, "/")
    expect(welcome(page)).to_contain_text("A token is a piece of text with a number")
    expect(tour_button(page)).not_to_have_class(re.compile("offered"))  # one offer, not two
    expect(welcome(page).locator(".t")).to_have_text(["Ad", "a", "·Lo", "vel", "ace"])
    field = page.get_by_label("Type your name")
    field.press_sequentially("Grace")
    field.press("Enter")  # no line break, no button
    expect(welcome(page).locator(".t")).to_have_text(["Gr", "ace"])
    expect(welcome(page)).to_contain_text("2 tokens, which GPT-2 reads as numbers: 8642 558")
    learned = welcome(page).get_by_text("GPT-2 learned these tokens as shown below, but from far more text than this.")
    expect(learned).to_be_hidden()
    page.get_by_role("button", name="How did it learn this?").click()
    expect(learned).to_be_visible()
    expect(welcome(page).locator(".t")).to_have_text(["Gr", "ace"])
    expect(page.get_by_label("Type your name")).to_be_hidden()
    expect(page.get_by_role("button", name="Take the tour")).to_be_hidden()
    expect(page.get_by_role("slider", name="Merges applied")).to_have_value("1")
    expect(page.locator(".st-key-story")).to_contain_text("Merge 1.")
    expect(tour_button(page)).not_to_have_class(re.compile("offered"))
    story = page.locator(".st-key-story").bounding_box()
    assert story is not None
    assert story["y"] + story["height"] < 900
    page.reload()
    wait_until_idle(page)
    expect(welcome(page)).to_be_hidden()
    page.goto("/")
    wait_until_idle(page)
    expect(welcome(page)).to_be_hidden()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_first_screen_has_its_height_from_the_start_and_leads_to_the_tour(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_page(page, "/")
    expect(page.get_by_label("Type your name")).to_be_in_viewport()
    for view in (".st-key-name-area", ".st-key-name-view", ".st-key-welcome-buttons"):  # reserved before it is drawn
        style = page.locator(view).evaluate("(el) => [getComputedStyle(el).minHeight, getComputedStyle(el).height]")
        assert style[0] == style[1]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Take the tour").click()
    card = page.get_by_role("region", name="Tour")
    expect(card).to_contain_text("2 of 8")
    card.get_by_role("button", name="Back").click()
    expect(welcome(page)).to_be_visible()
    card.get_by_role("button", name="End the tour").click()
    expect(welcome(page)).to_be_hidden()
    tour_button(page).click()
    expect(welcome(page)).to_be_visible()


def test_the_first_screen_outlives_a_reload_and_is_closed_for_good(page: Page) -> None:
    open_page(page, "/?lang=ja")
    expect(welcome(page)).to_contain_text("GPT-4o")
    page.reload()
    wait_until_idle(page)
    page.get_by_role("button", name="閉じる").click()
    expect(welcome(page)).to_be_hidden()
    page.reload()
    wait_until_idle(page)
    expect(welcome(page)).to_be_hidden()


def test_a_link_with_settings_and_the_stage_show_no_first_screen(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    expect(welcome(page)).to_be_hidden()
    expect(tour_button(page)).to_have_class(re.compile("offered"))
    tour_button(page).click()
    expect(welcome(page)).to_be_visible()
    page.keyboard.press("s")
    expect(welcome(page)).to_be_hidden()
