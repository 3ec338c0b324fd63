"""Terms with a dotted line explain themselves: on hover, focus and tap, in views as in Streamlit's headings."""

from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Route

from tests.browser.helpers import expect, open_page, step, wait_for, wait_until_idle, wait_until_painted


def definition(page: Page) -> Locator:
    return page.locator("#bpe-lab-term")


def test_a_term_says_what_it_means_on_hover_focus_and_tap_and_opens_no_page(page: Page) -> None:
    open_page(page, "/encode?text=the%20lowest%20lantern")
    split = page.locator('.st-key-tokens a[href="#term-split"]')
    split.hover()
    expect(definition(page)).to_contain_text("no merge crosses their edges")
    page.mouse.move(0, 0)
    expect(definition(page)).to_be_hidden()
    split.focus()
    expect(definition(page)).to_contain_text("Pre-tokenization")
    expect(split).to_have_attribute(
        "aria-description", "Pre-tokenization: the text is divided into words first, and no merge crosses their edges."
    )
    page.keyboard.press("Escape")
    expect(definition(page)).to_be_hidden()
    split.click()
    expect(definition(page)).to_be_visible()
    assert urlsplit(page.url).path == "/encode"
    assert not urlsplit(page.url).fragment


def test_captions_of_views_are_marked_at_every_step_and_translated(page: Page) -> None:
    open_page(page, "/?sample=toy_hug&step=1&lang=ja")
    changed = page.locator('.st-key-changes a[href="#term-merge"]')
    expect(changed).to_have_text("マージ")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-story")).to_contain_text("2")
    wait_until_idle(page)  # the caption is drawn again with the step
    changed.focus()
    expect(definition(page)).to_contain_text("ペア")
    box = definition(page).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.evaluate("innerWidth")


def test_no_definition_is_shown_of_a_term_that_was_left_while_the_definitions_were_loading(uncached_page: Page) -> None:
    page = uncached_page
    held: list[Route] = []
    page.route("**/glossary.js", lambda route: held.append(route))
    open_page(page, "/")
    term = page.get_by_test_id("stMain").locator('a[href^="#term-"]').first
    term.hover()
    wait_for(page, lambda: len(held) == 1)
    page.mouse.move(0, 0)
    held[0].continue_()
    page.locator('.tv .over a[href^="#term-"]').first.wait_for()  # marked by the same script
    wait_until_painted(page)
    expect(definition(page)).to_have_count(0)
    term.hover()
    expect(definition(page)).to_be_visible()


def test_a_caption_drawn_again_keeps_its_term_and_its_definition_ends_with_it(page: Page) -> None:
    open_page(page, "/?sample=toy_hug&step=1")
    page.locator('.st-key-changes a[href^="#term-"]').first.hover()
    expect(definition(page)).to_be_visible()
    term = page.locator('.st-key-merge-table a[href="#term-merge"]')
    term.hover()
    expect(definition(page)).to_contain_text("replaces a pair")
    marked = term.element_handle()
    page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value("2")
    wait_until_idle(page)
    assert marked.evaluate("term => term.isConnected")
    page.mouse.move(0, 0)
    term.hover()
    expect(definition(page)).to_be_visible()
    box = term.bounding_box()
    assert box is not None
    marked.evaluate("term => term.replaceWith(term.textContent)")
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    expect(definition(page)).to_be_hidden()
