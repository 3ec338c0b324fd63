"""The Encode page in a browser: type, choose tokens, look into them, and turn ids back into text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, forget_what_is_shown, show_page_in_any_state, wait_for, wait_until_idle


@pytest.fixture
def encode(shared_page: Page) -> Page:
    """The page, for tests that set the text themselves."""
    page = shared_page
    show_page_in_any_state(page, "/encode")
    expect(flow(page).get_by_role("option").first).to_be_visible()
    wait_until_idle(page)
    return page


def area(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Text to encode")


def ids(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Token ids")


def flow(page: Page) -> Locator:
    return page.get_by_role("listbox", name="The text in tokens")


def lanes(page: Page) -> Locator:
    return page.get_by_role("listbox", name="The text in characters, bytes and tokens")


def tree(page: Page) -> Locator:
    return page.get_by_role("tree", name="Merge tree of the token")


def test_tokens_follow_the_typing_the_caret_stays_and_the_text_outlives_the_page(encode: Page) -> None:
    area(encode).fill("Hello world")
    expect(flow(encode)).to_have_text("Hello·world")
    area(encode).press("Home")
    for _ in range(5):
        area(encode).press("ArrowRight")
    encode.keyboard.type(", wide", delay=60)
    expect(flow(encode)).to_have_text("Hello,·wide·world")
    assert area(encode).evaluate("area => area.selectionStart") == 11
    encode.get_by_role("link", name="Compare").click()
    wait_until_idle(encode)
    encode.get_by_role("link", name="Encode").click()
    expect(area(encode)).to_have_value("Hello, wide world")
    area(encode).press("End")
    encode.keyboard.type("!")
    expect(flow(encode)).to_have_text("Hello,·wide·world!")


def test_an_input_method_is_left_alone_until_it_is_done(encode: Page) -> None:
    area(encode).fill("ab")
    expect(flow(encode)).to_have_text("ab")
    keyboard = encode.context.new_cdp_session(encode)
    keyboard.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    keyboard.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    expect(area(encode)).to_have_value("abにほん")
    wait_until_idle(encode, quiet=400)
    expect(flow(encode)).to_have_text("ab")
    keyboard.send("Input.insertText", {"text": "日本"})
    expect(encode.get_by_text(re.compile("4 characters · 8 bytes"))).to_be_visible()
    expect(area(encode)).to_have_value("ab日本")


def test_a_token_is_chosen_by_keys_and_shows_its_tree_and_the_steps_of_its_word(encode: Page) -> None:
    area(encode).fill("a lantern")
    expect(flow(encode)).to_have_text("a·lantern")
    flow(encode).focus()
    encode.keyboard.press("End")
    encode.keyboard.press("Enter")
    expect(encode.get_by_text("Token 2 of 2")).to_be_visible()
    root = tree(encode).get_by_role("treeitem").first
    expect(root).to_contain_text("·lantern")
    expect(root).to_contain_text("rank 41,207")
    steps = encode.get_by_role("list", name="The word, merge by merge").get_by_role("listitem")
    expect(steps.last).to_contain_text("these are the tokens")
    first_rank = steps.first.locator(".next").first.text_content() or ""
    waiting = [int(rank.replace(",", "")) for rank in steps.first.locator(".joint:not(.next) span").all_text_contents()]
    assert int(first_rank.replace(",", "")) < min(waiting)
    tree(encode).focus()
    encode.keyboard.press("ArrowDown")
    expect(tree(encode)).to_have_attribute("aria-activedescendant", "cursor")
    encode.get_by_role("button", name="One at a time").click()
    expect(steps.nth(1)).to_be_hidden()
    encode.get_by_role("button", name="Next merge").click()
    expect(steps.nth(1)).to_be_visible()


def test_a_click_between_two_tokens_and_a_key_say_why_there_is_a_boundary(encode: Page) -> None:
    area(encode).fill("Hello tokenizer")
    tokens = flow(encode).get_by_role("option")
    expect(tokens).to_have_count(3)
    wait_until_idle(encode)
    box = tokens.nth(2).bounding_box()
    assert box is not None
    encode.mouse.click(box["x"] + 1, box["y"] + box["height"] / 2)
    reason = encode.locator(".st-key-boundary")
    expect(reason).to_contain_text("A boundary inside a word")
    expect(reason).to_contain_text("is not a token of this vocabulary")
    flow(encode).focus()
    encode.keyboard.press("Home")
    encode.keyboard.press("ArrowRight")
    encode.keyboard.press("b")
    expect(reason).to_contain_text("White space begins a new word")


def test_lanes_show_a_split_character_with_the_parts_of_it(encode: Page) -> None:
    area(encode).fill("日本")
    encode.get_by_role("radio", name="Characters, bytes, tokens").click()
    tokens = lanes(encode).get_by_role("option")
    expect(tokens).to_have_count(4)
    expect(tokens.first).to_contain_text("1–2 of 3")
    expect(tokens.nth(1)).to_contain_text("3 of 3")
    expect(lanes(encode).locator(".char.split").first).to_have_text("日")
    tokens.nth(1).click()
    expect(encode.get_by_role("gridcell", name="byte 3 of 3 of 日")).to_be_visible()
    expect(tokens.nth(1)).to_have_attribute("aria-selected", "true")
    encode.get_by_role("radio", name="Tokens", exact=True).click()
    expect(flow(encode)).to_be_visible()


def test_ids_are_copied_and_go_down_and_their_text_comes_up(encode: Page) -> None:
    encode.context.grant_permissions(["clipboard-read", "clipboard-write"])
    area(encode).fill("Hello こ")
    expect(encode.get_by_role("textbox", name="Copy", exact=True)).to_have_text("15496, 23294, 241")
    encode.get_by_role("button", name="Copy this").click()
    wait_for(encode, lambda: encode.evaluate("navigator.clipboard.readText()") == "15496, 23294, 241")
    wait_until_idle(encode)
    encode.get_by_role("button", name="Decode these ids below").click()
    expect(ids(encode)).to_have_value("15496, 23294, 241")
    ids(encode).fill("15496, 23294, 70000")
    expect(encode.get_by_text("GPT-2 has no id 70,000: its ids go from 0 to 50,256.")).to_be_visible()
    expect(encode.get_by_text("Byte 3 is missing: the text ends here.")).to_be_visible()
    ids(encode).fill("15496 995")
    expect(encode.get_by_text("2 ids", exact=True)).to_be_visible()
    wait_until_idle(encode)
    encode.get_by_role("button", name="Encode this text above").click()
    expect(area(encode)).to_have_value("Hello world")
    expect(flow(encode)).to_have_text("Hello·world")


@pytest.mark.thorough
def test_a_refused_special_token_is_explained_and_the_text_kept(encode: Page) -> None:
    encode.get_by_role("radio", name="Refused").click()
    area(encode).fill("a<|endoftext|>")
    expect(encode.get_by_text("Refused: the text names a special token")).to_be_visible()
    encode.get_by_role("radio", name="Parsed").click()
    expect(encode.get_by_text("2 tokens · 14 characters")).to_be_visible()
    expect(area(encode)).to_have_value("a<|endoftext|>")
    forget_what_is_shown(encode)


def test_the_end_of_a_prompt_follows_the_typing_and_an_allowed_token_goes_on(encode: Page) -> None:
    area(encode).fill("The qu")
    encode.get_by_role("radio", name="Prompt end").click()
    rows = encode.locator("[aria-label='Tokens of each prefix'] [role=rowgroup] [role=row]")
    expect(rows).to_have_count(6)
    area(encode).press("End")
    encode.keyboard.type("ic", delay=60)
    expect(rows).to_have_count(8)
    expect(rows.nth(6)).to_contain_text("The·qui")
    allowed = encode.get_by_role("grid", name="Tokens that may follow").locator("[role=rowgroup] [role=row]")
    expect(allowed.first).to_contain_text("quick")
    allowed.first.click()
    expect(area(encode)).to_have_value("The quick")
    expect(flow(encode)).to_have_text("The·quick")
    area(encode).fill("")
    encode.get_by_role("button", name="Half a word", exact=True).click()
    encode.keyboard.type("ck")  # at once, at the end of the example
    expect(area(encode)).to_have_value("The quick")
    expect(flow(encode)).to_have_text("The·quick")
    encode.get_by_role("radio", name="Tokens", exact=True).click()
    expect(rows).to_have_count(0)
    forget_what_is_shown(encode)


@pytest.mark.thorough
def test_a_pasted_megabyte_is_counted_and_a_longer_text_stays_and_says_the_limit(encode: Page) -> None:
    paste = "(area, text) => { area.value = text; area.dispatchEvent(new InputEvent('input', { bubbles: true })) }"
    line = " ".join(["a long line of text"] * 75) + "\n"  # with short lines the browser would take five times as long
    area(encode).evaluate(paste, line * 700)
    expect(encode.get_by_text("263,200 tokens · 1,050,000 characters")).to_be_visible()
    area(encode).evaluate(paste, line * 2_500)
    expect(encode.get_by_text("Shorten it: until then the page shows the previous text.")).to_be_visible()
    expect(encode.get_by_text("263,200 tokens · 1,050,000 characters")).to_be_visible()
    assert area(encode).evaluate("area => area.value.length") == 3_750_000
    forget_what_is_shown(encode)
