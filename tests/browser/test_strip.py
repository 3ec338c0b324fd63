"""The strip of a lesson in a browser: it persists over a reload and Back, and disappears on leaving the lesson."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle

HOSTILE = "<img src=x onerror=alert(1)> **b** $x$"


def strip(page: Page) -> Locator:
    return page.locator(".st-key-lesson-strip")


def test_a_lesson_goes_with_its_page_over_reload_next_and_back_until_it_is_left(page: Page) -> None:
    open_page(page, "/lessons?lesson=counting_letters")
    page.get_by_role("link", name="Open in Compare").click()
    expect(strip(page)).to_contain_text("How many times does the letter r")
    expect(page.get_by_label("Text to compare")).to_have_count(0)  # shows the answer
    page.get_by_role("button", name="Show the page without an answer").click()
    expect(page.get_by_label("Text to compare")).to_be_visible()
    wait_until_idle(page)
    page.reload()
    expect(strip(page)).to_contain_text("How many times does the letter r")
    wait_until_idle(page)
    page.get_by_role("button", name="Next lesson").focus()
    page.keyboard.press("Enter")
    expect(strip(page)).to_contain_text("which two letters are merged first?")
    expect(page.get_by_label("Go to merge")).to_have_value("0")
    wait_until_idle(page)
    page.keyboard.press("ArrowRight")  # the player still handles the key
    page.get_by_role("button", name="Next lesson").click()
    expect(strip(page)).to_contain_text("The pair (a, a) occurs twice")  # on the same page
    wait_until_idle(page)
    page.go_back()
    expect(strip(page)).to_contain_text("which two letters are merged first?")
    wait_until_idle(page)
    page.go_back()
    expect(strip(page)).to_contain_text("How many times does the letter r")
    page.get_by_role("button", name="Show the page without an answer").click()
    expect(page.get_by_label("Text to compare")).to_have_value(re.compile("strawberry"))
    wait_until_idle(page)
    page.wait_for_timeout(1_500)  # a repeated action is sent to an idle server, after a second at most
    expect(strip(page)).to_contain_text("How many times does the letter r")
    page.get_by_role("button", name="Answer").click()
    expect(strip(page)).to_contain_text("73700")
    wait_until_idle(page)
    page.get_by_role("button", name="Leave the lesson").click()
    expect(strip(page)).to_have_count(0)
    page.wait_for_function("() => !location.search.includes('via=')")


@pytest.mark.thorough
def test_lessons_of_a_teachers_own_show_their_words_as_text_and_stay_over_a_reload(page: Page) -> None:
    open_page(page, "/encode?text=hello+class&with=cl100k_base")
    page.get_by_role("link", name="Lessons").click()
    page.get_by_role("button", name="Write lessons").click()
    page.get_by_label("Title of lesson 1").fill(HOSTILE)
    page.get_by_label("Question for the class").fill(f"Why {HOSTILE}?")
    page.get_by_label("Answer", exact=True).fill(f"So {HOSTILE}.")
    page.get_by_role("combobox", name="Page that it opens").click()
    page.get_by_role("option", name="Encode").click()
    expect(page.get_by_role("button", name="Use what I see on Encode now")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_text(f"Why {HOSTILE}?")).to_be_visible()
    page.get_by_role("button", name="Lesson 1 ").click()
    page.get_by_role("link", name="Open in Encode").click()
    expect(strip(page)).to_contain_text(f"Why {HOSTILE}?")
    wait_until_idle(page)
    page.reload()
    expect(strip(page)).to_contain_text(f"Why {HOSTILE}?")
    wait_until_idle(page)
    page.get_by_role("button", name="Answer").click()
    expect(strip(page)).to_contain_text(f"So {HOSTILE}.")
    expect(page.locator("img[src='x']")).to_have_count(0)
