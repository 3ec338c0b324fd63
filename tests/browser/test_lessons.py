"""Lessons in a browser: from the cards to a lesson, to the page that it opens, and back."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_until_idle


def test_a_lesson_leads_from_its_card_to_the_page_and_back(page: Page) -> None:
    open_page(page, "/lessons")
    question = page.get_by_text("are the two words the same token?")
    card = page.locator('[class*="st-key-card-of"]', has=question)
    expect(card.get_by_role("button")).to_be_attached()
    # As before the style that lays the button over its card is loaded; in one step, since React may replace the text.
    parts = "[...document.querySelectorAll('[class*=st-key-card-of] *')]"
    clicked = f"text => {parts}.findLast((el) => el.textContent.includes(text)).click()"
    page.evaluate(clicked, "are the two words the same token?")
    expect(page.get_by_role("heading", name="The leading space")).to_be_visible()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_text("31373")).to_be_visible()
    page.get_by_role("link", name="Open in Encode").click()
    page.wait_for_url("**/encode?**text=hello+hello**")
    expect(page.get_by_label("Text to encode")).to_have_value("hello hello")
    wait_until_idle(page)
    page.go_back()
    expect(page.get_by_role("heading", name="The leading space")).to_be_visible()
    wait_until_idle(page)
    page.go_back()
    expect(page.get_by_role("heading", name="All lessons")).to_be_visible()


def test_arrow_keys_turn_the_lessons_and_a_training_opens_at_its_step(page: Page) -> None:
    open_page(page, "/lessons?lesson=overlaps")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="A tie decides")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("link", name="Open in Train").click()
    expect(page.get_by_label("Go to merge")).to_have_value("2")
    page.get_by_role("link", name="Lesson 4").click()
    expect(page.get_by_role("heading", name="A tie decides")).to_be_visible()
    expect(page.get_by_role("link", name="Lesson 4")).to_have_count(0)


@pytest.mark.thorough
def test_a_lesson_opens_in_a_new_tab_as_well(page: Page) -> None:
    open_page(page, "/lessons?lesson=overlaps")
    address = page.get_by_role("link", name="Open in Train").evaluate("link => link.href")
    open_page(page, address)
    expect(page.get_by_label("Go to merge")).to_have_value("1")
    assert urlsplit(page.url).path == "/"


def test_a_tie_is_guessed_before_the_page_shows_who_wins_and_the_next_lesson_shows_its_pairs(page: Page) -> None:
    open_page(page, "/lessons?lesson=a_tie_decides")
    page.get_by_role("link", name="Open in Train").click()
    expect(page.get_by_role("heading", name="Which pair is merged next?")).to_be_visible()
    expect(page.get_by_role("switch", name="Predict")).to_be_checked()
    expect(page.locator(".st-key-story")).not_to_contain_text("runner-up")
    page.get_by_role("button", name="Next lesson").click()
    page.get_by_role("button", name="Show the page without an answer").click()
    expect(page.get_by_role("heading", name="What comes next")).to_be_visible()
    expect(page.get_by_role("switch", name="Predict")).not_to_be_checked()
