"""The token, pair or word under the pointer, or with the focus, is lit wherever it is on the page."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.helpers import expect, open_page, rows, show_page, story, switch_theme, tab_to, wait_until_idle

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture
def page(shared_page: Page) -> Page:
    return shared_page


def text(page: Page) -> Locator:
    return page.get_by_role("listbox", name=re.compile("^The text in tokens|^The training text"))


def lit(where: Locator) -> Locator:
    return where.locator(".lit")


def shown(el: Locator) -> str:
    """Text of a token, with spaces as on the page."""
    return el.text_content() or ""


def outline(el: Locator) -> str:
    return str(el.evaluate("el => getComputedStyle(el).outlineStyle + ' ' + getComputedStyle(el).outlineWidth"))


def put_out(page: Page) -> None:
    page.mouse.move(3, 450)
    expect(lit(page.locator("body"))).to_have_count(0)


def test_a_pair_of_the_sentence_is_lit_where_its_tokens_are_neighbours_in_the_text(page: Page) -> None:
    show_page(page, "/?step=12")
    put_out(page)
    pair = story(page).locator("p").get_by_role("img", name="and").locator("..")  # No tie: the runner-up was i + ght
    size = text(page).bounding_box()
    pair.hover()
    expect(lit(text(page))).not_to_have_count(0)
    tokens = [shown(each) for each in lit(text(page)).all()]
    assert tokens == ["i", "ght"] * (len(tokens) // 2)
    expect(lit(rows(page, "Pairs that the next merge can take").first)).to_have_count(2)
    assert text(page).bounding_box() == size
    for theme in THEMES:
        switch_theme(page, theme)
        assert outline(lit(text(page)).first) == "solid 2px"
    page.emulate_media(media="print")
    assert outline(lit(text(page)).first).startswith("none")
    page.emulate_media(media="screen", color_scheme="light")
    put_out(page)


def test_a_token_of_the_text_is_lit_in_the_sentence_and_in_the_tables(page: Page) -> None:
    show_page(page, "/?step=12")
    text(page).locator(".t", has_text=re.compile("^ght$")).first.hover()
    expect(page.get_by_role("tooltip").filter(has_text='"ght"')).to_be_visible()  # the tooltip stays
    expect(lit(story(page))).to_have_text(["ght"])
    expect(lit(rows(page, "Pairs that the next merge can take").first)).to_have_text(["ght"])
    expect(lit(rows(page, "Merges"))).not_to_have_count(0)
    assert {shown(each) for each in lit(page.locator("body")).all()} == {"ght"}
    put_out(page)


def test_the_next_step_moves_the_light_and_a_merged_pair_is_lit_as_its_token(page: Page) -> None:
    show_page(page, "/?step=12")
    story(page).locator("p .inline").hover()
    expect(lit(text(page)).first).to_have_text("i")
    page.keyboard.press("ArrowRight")
    expect(story(page)).to_contain_text("Merge 13.")
    expect(lit(text(page)).first).to_have_text("ight")
    wait_until_idle(page)
    put_out(page)


def test_the_focus_lights_a_pair_of_the_sentence_and_a_row_of_a_table(page: Page) -> None:
    show_page(page, "/?step=12")
    put_out(page)
    page.get_by_role("grid", name="Pairs that the next merge can take").focus()
    page.keyboard.press("ArrowDown")
    second = [shown(each) for each in rows(page, "Pairs that the next merge can take").nth(1).locator(".t").all()]
    expect(lit(text(page)).first).to_have_text(second[0])
    assert [shown(each) for each in lit(text(page)).all()[:2]] == second
    page.get_by_role("spinbutton", name="Go to merge").focus()
    expect(lit(page.locator("body"))).to_have_count(0)
    tab_to(page, story(page).locator("p .inline"))
    expect(lit(text(page)).first).to_have_text("i")
    page.keyboard.press("Tab")
    expect(lit(text(page))).to_have_count(0)


def test_a_word_of_the_table_is_lit_as_a_whole_word(page: Page) -> None:
    show_page(page, "/?step=12")
    page.get_by_role("radio", name="Words", exact=True).click()
    wait_until_idle(page)
    word = page.get_by_role("grid", name="Words").locator(".word", has_text="ght").first
    word.locator(".t").first.hover()
    expect(lit(word)).to_have_count(word.locator(".t").count())
    page.get_by_role("radio", name="Text", exact=True).click()
    wait_until_idle(page)


def test_a_token_on_encode_is_lit_in_its_tree_its_steps_and_the_reason_of_a_boundary(page: Page) -> None:
    show_page(page, "/encode")
    tokens = text(page).locator(".t")
    put_out(page)
    tree = page.get_by_role("tree", name="Merge tree of the token")
    tree.get_by_role("treeitem").first.hover()
    expect(lit(tokens.first.locator(".."))).to_have_text(["The"])
    steps = page.get_by_role("list", name="The word, merge by merge")
    tokens.first.hover()
    expect(lit(tree)).to_have_text(["The"])
    expect(lit(steps)).to_have_text(["The"])
    text(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("b")
    reason = page.locator(".reason")
    expect(reason).to_contain_text("split")
    second = reason.locator(".pieces .t").nth(1)
    second.hover()
    expect(lit(reason.locator(".pieces"))).to_have_count(1)
    assert [shown(each) for each in lit(text(page)).all()] == [shown(second)]
    put_out(page)


def test_a_token_of_the_reason_on_compare_is_lit_in_the_lanes_and_back(page: Page) -> None:
    show_page(page, "/compare")
    put_out(page)
    lanes = page.get_by_role("listbox").filter(has=page.locator(".segmentation"))
    reason = page.locator(".reason").first
    token = reason.locator(".sentence .t").first
    token.hover()
    expect(lit(lanes.locator(".segmentation"))).not_to_have_count(0)
    put_out(page)
    tab_to(page, token)
    expect(lit(lanes.locator(".segmentation"))).not_to_have_count(0)
    lit(lanes.locator(".segmentation")).first.hover()
    page.get_by_role("textbox", name="Text to compare").focus()
    expect(lit(reason.locator(".sentence"))).to_have_count(1)
    put_out(page)


def test_the_pointer_that_moves_in_the_frame_of_a_focus_has_the_light(page: Page) -> None:
    show_page(page, "/compare")
    put_out(page)
    reason = page.locator(".reason").first.locator(".sentence")
    token = reason.locator(".t").first
    token.hover()
    lane = lit(page.get_by_role("listbox").locator(".segmentation")).first
    expect(lane).to_be_visible()
    begin = """([token, lane]) => {
        token.focus();
        lane.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, composed: true, movementX: 1 }));
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }"""
    page.evaluate(begin, [token.element_handle(), lane.element_handle()])
    page.get_by_role("textbox", name="Text to compare").focus()  # the focus leaves, the pointer rests
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(lit(reason)).to_have_count(1)
    put_out(page)


# Redraws a token, as views do, before or after the focus moves, all before the next frame.
DRAWN_AND_FOCUSED = """async ([old, focused, isFirst]) => {
    if (isFirst) focused.focus();
    const token = Object.assign(old.cloneNode(true), { key: old.key });
    token.classList.remove("lit");
    old.replaceWith(token);
    await null; // the observer has heard of it
    if (!isFirst) focused.focus();
}"""


def test_what_is_drawn_again_in_the_frame_of_a_focus_is_lit(page: Page) -> None:
    show_page(page, "/?step=12")
    put_out(page)
    story(page).locator("p .inline").hover()
    expect(lit(story(page))).to_have_count(2)
    field = page.get_by_role("spinbutton", name="Go to merge")
    page.evaluate(DRAWN_AND_FOCUSED, [lit(story(page)).first.element_handle(), field.element_handle(), False])
    expect(lit(story(page))).to_have_count(2)
    put_out(page)
    page.get_by_role("grid", name="Pairs that the next merge can take").focus()
    page.keyboard.press("ArrowDown")
    anything = lit(page.locator("body"))
    expect(anything).not_to_have_count(0)
    page.evaluate(DRAWN_AND_FOCUSED, [anything.first.element_handle(), field.element_handle(), True])
    expect(anything).to_have_count(0)


def test_a_pair_of_a_card_on_algorithms_is_lit_in_the_sentence(page: Page) -> None:
    show_page(page, "/algorithms")
    pair = page.locator(".cards .pair").filter(has_text="+").first
    pair.hover()
    expect(lit(pair)).to_have_count(2)
    expect(lit(page.locator(".segmentation"))).not_to_have_count(0)
    put_out(page)


def test_a_tap_lights_and_a_tap_beside_puts_out(chromium: Browser, app_url: str) -> None:
    with chromium.new_context(base_url=app_url, viewport={"width": 390, "height": 844}, has_touch=True) as touch:
        tab = touch.new_page()
        open_page(tab, "/?step=12")
        pair = story(tab).locator("p .inline")
        pair.scroll_into_view_if_needed()
        pair.tap()
        expect(lit(story(tab))).to_have_count(2)
        expect(lit(text(tab))).not_to_have_count(0)
        story(tab).locator("strong").first.tap()
        expect(lit(tab.locator("body"))).to_have_count(0)
