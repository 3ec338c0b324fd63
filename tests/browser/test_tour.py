"""The tour: it points at one thing at a time, continues when that is done, and leaves nothing behind."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle

RING = """document.querySelector("#bpe-lab-tour").shadowRoot.querySelector(".ring").getBoundingClientRect()"""
SAVED = "sessionStorage.getItem('bpe-lab-tour')"


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Tour")


def begin(page: Page) -> None:
    page.get_by_role("button", name="Tour", exact=True).click()
    expect(card(page)).to_contain_text("1 of 8")


def ring_is_around(page: Page, selector: str) -> bool:
    """Whether the ring surrounds the element, which is in the window."""
    return bool(
        page.evaluate(
            f"""(selector) => {{
                const ring = {RING};
                const box = document.querySelector(selector).getBoundingClientRect();
                const around = ring.left <= box.left && ring.right >= box.right && ring.top <= box.top;
                return around && ring.bottom >= box.bottom && box.bottom > 0 && box.top < innerHeight;
            }}""",
            selector,
        )
    )


@pytest.mark.parametrize("width", [1280, 800])
def test_the_tour_is_taken_by_doing_what_it_says(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, "/")
    begin(page)
    assert ring_is_around(page, ".st-key-welcome")
    card(page).get_by_role("button", name="Go on").click()
    expect(card(page)).to_contain_text("2 of 8")
    expect(page.locator(".st-key-welcome")).to_be_hidden()
    assert ring_is_around(page, ".st-key-strip")
    card(page).get_by_role("button", name="Go on").click()
    expect(card(page)).to_contain_text("Press Next")
    page.keyboard.press("ArrowRight")
    expect(card(page)).to_contain_text("4 of 8")
    assert ring_is_around(page, ".st-key-story")
    page.keyboard.press("t")
    expect(card(page)).to_contain_text("5 of 8")
    page.keyboard.press("t")
    expect(card(page)).to_contain_text("Drag the slider")
    page.get_by_role("slider", name="Merges applied").press("End")
    expect(card(page)).to_contain_text("open Compare")
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(card(page)).to_contain_text("Click a token")
    expect(page.locator(".lanes .t").first).to_be_visible()
    wait_until_idle(page)
    page.locator(".lanes .t").nth(2).click()
    expect(card(page)).to_contain_text("That was the tour")
    card(page).get_by_role("button", name="Done").click()
    expect(card(page)).to_be_hidden()
    assert page.evaluate(SAVED) is None
    assert page.locator("#bpe-lab-tour").count() == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_the_tour_opens_compare_for_those_who_only_go_on_and_names_the_button_before_the_pages(
    page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_page(page, "/?sample=toy_hug&tour=1")
    expect(card(page)).to_contain_text("1 of 8")
    for number in range(2, 8):
        card(page).locator("button.on").click()
        expect(card(page)).to_contain_text(f"{number} of 8")
    behind = card(page).get_by_text("Open the pages with the button » at the top.")
    if width == 390:
        expect(behind).to_be_visible()
        page.wait_for_function(f"() => {RING}.height > 0")
        assert ring_is_around(page, "[data-testid=stExpandSidebarButton]")
        page.get_by_test_id("stExpandSidebarButton").click()
        expect(behind).to_have_count(0)
    else:
        expect(behind).to_have_count(0)
    card(page).get_by_role("button", name="Go on").click()
    expect(card(page)).to_contain_text("Click a token")
    expect(page.get_by_label("Text to compare")).to_be_visible()


def test_the_tour_outlives_a_reload_is_found_again_from_another_page_and_ends_at_once(page: Page) -> None:
    open_page(page, "/?sample=toy_hug&tour=1")
    expect(card(page)).to_contain_text("1 of 8")
    card(page).get_by_role("button", name="Go on").click()
    page.reload()
    expect(card(page)).to_contain_text("2 of 8")
    wait_until_idle(page)
    page.get_by_role("link", name="Encode", exact=True).click()
    expect(page.get_by_label("Text to encode")).to_be_visible()
    expect(card(page)).to_contain_text("This step is on the page Train.2 of 8")
    page.get_by_label("Text to encode").press_sequentially("ttt")
    expect(card(page)).to_contain_text("2 of 8")
    page.wait_for_function(
        f"() => {{ const ring = {RING}; return ring.height && ring.bottom < 70; }}"
    )  # the link to Train
    card(page).get_by_role("button", name="End the tour").click()
    expect(card(page)).to_be_hidden()
    page.reload()
    wait_until_idle(page)
    expect(card(page)).to_be_hidden()


def test_the_tour_is_offered_until_it_was_taken_and_speaks_the_language_of_the_page(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    button = page.get_by_role("button", name="Tour", exact=True)
    expect(button).to_have_text("Tour")
    expect(button).to_have_class(re.compile("offered"))
    begin(page)
    card(page).get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="English", exact=True).click()
    page.get_by_role("menuitem", name="日本語").click()
    expect(page.get_by_role("region", name="ツアー")).to_contain_text("テキストからトークンを学びます")
    page.get_by_role("button", name="ツアーを終わる").click()
    expect(page.get_by_role("button", name="ツアー", exact=True)).not_to_have_class(re.compile("offered"))


def test_the_tour_hides_on_the_stage(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    begin(page)
    page.keyboard.press("s")
    expect(card(page)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(card(page)).to_be_visible()
