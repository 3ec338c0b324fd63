"""The Algorithms page in a browser: four trainings stepped together, a word followed, hostile text shown as text."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle

HOSTILE = "<img/src=x/onerror=alert(1)>**b**$x$"


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def opened(page: Page, query: str = "") -> Page:
    open_page(page, f"/algorithms?{query}" if query else "/algorithms")
    expect(card(page, "SentencePiece")).to_be_visible()
    wait_until_idle(page)
    return page


def test_one_player_steps_all_four_and_a_word_is_followed(page: Page) -> None:
    opened(page)
    for title in ("BPE", "WordPiece", "Unigram", "SentencePiece"):
        expect(card(page, title)).to_contain_text("0 of")
    announced = card(page, "BPE").get_by_role("row").nth(1).locator(".pair").inner_text()
    page.keyboard.press("ArrowRight")
    expect(card(page, "BPE").locator(".did .pair").first).to_have_text(announced.replace("\n", ""))
    page.get_by_role("button", name="Next", exact=True).click()
    expect(card(page, "Unigram")).to_contain_text("Round 2 of 11")
    expect(card(page, "SentencePiece")).to_contain_text("Merge 2 of")
    page.get_by_role("button", name="Last", exact=True).click()
    expect(card(page, "WordPiece")).to_contain_text("Finished: the vocabulary is full.")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(card(page, "BPE")).to_contain_text("Merge 128 of 129")

    word = page.get_by_role("textbox", name="A sentence or a word")
    row = page.get_by_role("grid", name="Words that the algorithms segment differently").get_by_role("row").nth(3)
    chosen = row.locator(".cell").first.inner_text()
    row.click()
    expect(word).to_have_value(chosen)
    expect(page.locator(".segmentations dd").nth(2)).to_contain_text("▁")
    word.fill("lowest")
    word.press("Enter")
    expect(page.locator(".segmentations dd").first).to_contain_text("low")
    wait_until_idle(page)
    lattice = page.get_by_role("listbox", name="The lattice of the word")
    best = lattice.get_by_role("option", selected=True)
    expect(best).to_have_count(page.locator(".segmentations dd").nth(2).locator(".t").count())
    lattice.focus()
    page.keyboard.press("ArrowRight")
    expect(lattice.locator(".cursor")).to_have_count(1)
    expect(card(page, "BPE")).to_contain_text("Merge 128 of 129")  # the lattice handled the key

    page.get_by_text("The vocabularies side by side").click()
    page.get_by_text("at this step", exact=True).click()
    wait_until_idle(page)
    expect(page.get_by_text("at step 128, with ids or scores")).to_be_visible()
    page.get_by_role("button", name="First", exact=True).click()
    expect(page.locator(".segmentations dd").first.locator(".t")).to_have_count(7)
    page.get_by_text("at the end", exact=True).click()
    expect(page.get_by_text("at the end, with ids or scores")).to_be_visible()
    expect(page.locator(".segmentations dd").first.locator(".t")).not_to_have_count(7)


def test_a_link_carries_the_page_and_a_size_changes_all_four(page: Page) -> None:
    opened(page, f"sample=japanese_station_clock&model=unigram&size=200&at_step=3&word={quote('駅長さんは')}")
    expect(card(page, "BPE")).to_contain_text("Merge 3 of")
    expect(card(page, "SentencePiece")).to_contain_text("The library shows only its result.")
    expect(page.get_by_role("listbox", name="The lattice of the word")).to_have_count(2)
    size = page.get_by_role("spinbutton", name="Vocabulary size")
    size.fill("100")
    size.press("Enter")
    wait_until_idle(page)
    expect(page.get_by_text("WordPiece: the text needs 144 at least, so it has that instead of 100.")).to_be_visible()
    expect(card(page, "Unigram")).to_contain_text("down to 100")
    page.wait_for_url("**size=100**")
    page.reload()
    wait_until_idle(page)
    expect(size).to_have_value("100")
    expect(card(page, "BPE")).to_contain_text("Merge 0 of 0")


def test_other_algorithms_are_put_side_by_side_by_the_keyboard_and_a_removal_has_its_own_tone(page: Page) -> None:
    opened(page, "sample=lantern_story&size=170&at_step=41")
    page.get_by_role("button", name="Rules").press("Enter")
    picker = page.get_by_role("combobox", name="Side by side, one to four")
    for _ in range(3):
        picker.press("Backspace")
    picker.press_sequentially("Picky")
    picker.press("Enter")
    wait_until_idle(page)
    expect(page.locator(".cards .card h2")).to_have_text(["BPE", "PickyBPE"])
    expect(page.locator(".lanes .lane")).to_have_count(2)
    page.wait_for_url("**side_by_side=bpe&side_by_side=picky**")
    page.keyboard.press("Escape")  # of the list, then of the popover
    page.keyboard.press("Escape")
    removed = card(page, "PickyBPE").locator(".did.out")
    expect(removed).to_contain_text("is used almost nowhere now: removed.")
    edges = [page.locator(".cards .card").nth(at).bounding_box() for at in (0, 1)]
    assert edges[0] is not None
    assert edges[1] is not None
    assert edges[0]["y"] == edges[1]["y"]
    page.get_by_role("button", name="Next", exact=True).click()
    expect(removed).to_have_count(0)


@pytest.mark.thorough
def test_hostile_words_and_texts_are_only_text(page: Page) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    opened(page, f"corpus={quote(HOSTILE + ' low lower')}&word={quote(HOSTILE)}&at_step=2")
    expect(page.locator(".segmentations dd").first).to_contain_text("onerror")
    page.get_by_text("The vocabularies side by side", exact=True).click()
    page.get_by_role("textbox", name="Find a piece").fill("<img")
    page.get_by_role("textbox", name="Find a piece").press("Enter")
    expect(page.get_by_role("grid", name="Pieces").get_by_role("row").nth(1)).to_contain_text("<img")
    assert page.locator("img[src=x], .katex").count() == 0


@pytest.mark.thorough
def test_every_filter_of_the_pieces_is_in_a_narrow_window(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_page(page, "/algorithms?vocabularies=1")
    card = page.locator(".st-key-algorithms-vocabularies")
    expect(card.get_by_text("Only SentencePiece")).to_be_visible()
    edge = card.bounding_box()
    assert edge is not None
    for button in card.get_by_test_id("stButtonGroup").get_by_role("radio").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= edge["x"] + edge["width"]


def test_the_menu_of_a_finished_algorithm_stays_while_the_others_go_on(page: Page) -> None:
    opened(page)
    page.keyboard.press("End")
    expect(card(page, "BPE")).to_contain_text("Merge 129 of 129")
    wait_until_idle(page)
    menu = card(page, "Unigram").get_by_role("combobox", name="Use the finished Unigram tokenizer")
    menu.focus()
    page.evaluate("document.dispatchEvent(new CustomEvent('bpe-lab-go-to', { detail: 100, cancelable: true }))")
    expect(card(page, "BPE")).to_contain_text("Merge 100 of 129")
    wait_until_idle(page)
    expect(menu).to_be_focused()
