"""Questions of lessons, answered in a browser by pointer and keyboard, by one learner or by a class."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle


def ask(page: Page) -> Locator:
    return page.get_by_role("group", name="Your answer first")


def test_a_number_is_judged_at_once_reveals_the_answer_and_is_scored_over_a_reload(page: Page) -> None:
    open_page(page, "/lessons?lesson=more_merges")
    field = ask(page).get_by_role("textbox")
    field.fill("many")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(ask(page).get_by_role("status")).to_be_empty()
    field.fill("60")
    field.press("Enter")
    expect(ask(page).get_by_role("status")).to_have_text("✓ Right. Your answer: 60. Exactly: 70. ")
    expect(page.get_by_text("The story starts with 2,547 tokens")).to_be_visible()
    wait_until_idle(page)
    page.reload()
    expect(ask(page).get_by_role("textbox")).to_have_value("60")
    expect(ask(page).get_by_role("status")).to_have_text("✓ Right. Your answer: 60. Exactly: 70. ")
    ask(page).get_by_role("button", name="Start over").click()
    expect(ask(page).get_by_role("status")).to_be_empty()
    wait_until_idle(page)
    page.reload()
    expect(ask(page).get_by_role("textbox")).to_have_value("")  # asked again
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="The leading space")).to_be_visible()
    ask(page).get_by_role("button", name="Yes").click()
    expect(ask(page).get_by_role("status")).to_contain_text("✗ Not quite.")
    expect(ask(page).get_by_role("status")).to_contain_text("1 of 2 questions right at the first try")
    expect(ask(page).locator(".right")).to_contain_text("No✓ right")
    ask(page).get_by_role("button", name="No").click()
    expect(ask(page).get_by_role("status")).to_contain_text("1 of 2 questions right at the first try")


@pytest.mark.parametrize("width", [1280, 390])
def test_cuts_are_drawn_by_keyboard_and_stand_above_the_tokenizers_with_the_reasons(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, "/lessons?lesson=counting_letters")
    gaps = ask(page).get_by_role("checkbox")
    expect(gaps).to_have_count(9)
    gaps.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(gaps.nth(1)).to_be_checked()
    gaps.nth(6).click()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    status = ask(page).get_by_role("status")
    expect(status).to_contain_text("You found 1 of 2 cuts. 1 of yours is not a cut.")
    expect(ask(page).locator(".token")).to_have_text(["st", "raw", "berry"])
    boxes = [
        ask(page).locator(place).nth(at).bounding_box() for place, at in ((".gap", 1), (".token", 1), (".cell", 4))
    ]
    assert boxes[0]
    assert boxes[1]
    assert boxes[2]
    assert boxes[0]["x"] < boxes[1]["x"]
    assert abs(boxes[1]["x"] + boxes[1]["width"] - boxes[2]["x"] - boxes[2]["width"]) < 2
    reasons = ask(page).get_by_role("listitem")
    expect(reasons).to_have_count(2)
    expect(reasons.first).to_contain_text("No merge joins raw + berry")
    expect(reasons.last).to_contain_text("No cut here: “berry” is one token, id 8396.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert ask(page).locator(".grid").evaluate("grid => grid.scrollWidth <= grid.clientWidth")  # all ten letters
    gaps.nth(6).click()
    gaps.nth(4).click()
    ask(page).get_by_role("button", name="Check").click()
    expect(status).to_contain_text("✓ Right. The same 2 cuts.")


def test_on_a_phone_a_thumb_hits_a_gap_beside_it_and_choices_take_the_whole_line(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    open_page(page, "/lessons?lesson=counting_letters")
    letter = ask(page).locator(".cell").nth(5).bounding_box()
    assert letter
    page.mouse.click(letter["x"] + 2, letter["y"] + letter["height"] / 2)
    expect(ask(page).get_by_role("checkbox").nth(4)).to_be_checked()
    open_page(page, "/lessons?lesson=special_tokens")
    choice = ask(page).get_by_role("button", name="The end of the document").bounding_box()
    assert choice
    assert choice["height"] < 50, "one line"


def test_the_strip_asks_above_the_page_in_one_line_and_the_player_keeps_its_keys(page: Page) -> None:
    open_page(page, "/lessons?lesson=three_levels")
    page.get_by_role("link", name="Open in Train").click()
    in_strip = page.locator(".st-key-lesson-strip").get_by_role("group", name="Your answer first")
    choice = in_strip.get_by_role("button", name="Lose it")
    expect(choice).to_be_visible()
    expect(page.get_by_label("Go to merge")).to_have_count(0)  # the page would show the answer
    box = in_strip.bounding_box()
    assert box is not None
    assert box["height"] < 90
    choice.click()
    expect(in_strip.get_by_role("status")).to_contain_text("✓ Right.")
    expect(page.locator(".st-key-strip-answered")).to_contain_text("Subwords")
    wait_until_idle(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Go to merge")).to_have_value("1")
    wait_until_idle(page)
    page.reload()
    expect(in_strip.get_by_role("status")).to_contain_text("✓ Right.")
    expect(page.get_by_label("Go to merge")).to_have_value(
        "1"
    )  # what was answered before the reload is not asked again


def test_a_class_is_counted_by_show_of_hands_on_the_stage(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_page(page, "/lessons?lesson=split_before_you_merge")
    hands = ask(page).get_by_role("textbox", name="Hands for")
    expect(hands).to_have_count(0)  # hidden
    page.keyboard.press("s")
    expect(hands).to_have_count(3)
    page.keyboard.press("?")
    expect(page.locator("#bpe-lab-stage .keys")).to_contain_text("H, A – Hone hand up, with Shift one down")
    page.keyboard.press("h")
    for key in ("a", "A", "1", "5", "Shift+A", "c", "c", "Shift+c", "1", "1"):
        page.keyboard.press(key)
    more = ask(page).get_by_role("button", name="One more hand for")
    more.nth(2).click()
    for _ in range(11):
        more.nth(0).click(modifiers=["Shift"])
    expect(hands.nth(0)).to_have_value("3")
    expect(hands.nth(2)).to_have_value("12")
    shares = [each.evaluate("el => el.style.getPropertyValue('--share')") for each in ask(page).locator(".bar").all()]
    assert shares == ["0.2", "0", "0.8"]
    page.keyboard.press("Escape")  # leaves the field
    page.keyboard.press("a")
    expect(page.get_by_text(re.compile("No merge crosses a boundary of the split. Without one"))).to_be_visible()
    page.keyboard.press("1")
    expect(ask(page).locator(".right")).to_contain_text("✓ right")
    expect(hands.nth(2)).to_have_value("12")  # of the class
    expect(ask(page).get_by_role("status")).to_be_empty()  # no learner's own answer
    last = ask(page).get_by_role("button").last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] < 1040
    page.keyboard.press("o")
    in_strip = page.locator(".st-key-lesson-strip").get_by_role("group", name="Your answer first")
    expect(in_strip.get_by_role("textbox", name="Hands for")).to_have_count(3)
    expect(in_strip.get_by_role("textbox", name="Hands for C")).to_have_value("12")
    wait_until_idle(page)
    page.keyboard.press("a")
    expect(in_strip.get_by_role("button", name="✓ right")).to_have_text(
        "CNo merge crosses a boundary of the split✓ right"
    )
    right = in_strip.locator(".choice.right").bounding_box()
    own = in_strip.get_by_role("textbox", name="Hands for C").bounding_box()
    assert right
    assert own
    assert right["x"] < own["x"] < own["x"] + own["width"] < right["x"] + right["width"]


def test_a_lesson_opened_from_the_end_of_the_list_begins_at_its_top(page: Page) -> None:
    open_page(page, "/lessons")
    page.get_by_role("button", name="The last merges").last.click()
    expect(page.get_by_role("button", name="All lessons")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop === 0")
