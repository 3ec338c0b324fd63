"""The Pipeline page in a browser: the hovered or focused piece marks its own characters in every stage."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle

STAGES = {
    "text": "Text: characters",
    "normalization": "Normalization: pieces",
    "split": "Split: words",
    "model": "Model: tokens",
    "special": "Special tokens: ids",
    "decoding": "Decoding: pieces",
}


def stage(page: Page, name: str) -> Locator:
    return page.get_by_role("listbox", name=STAGES[name], exact=True)


def piece(page: Page, name: str, number: int) -> Locator:
    return stage(page, name).get_by_role("option").nth(number - 1)


def card(page: Page) -> Locator:
    return page.locator(".card")


def marked(page: Page) -> dict[str, list[str]]:
    """The marked texts in each stage, with visible white-space marks turned back into white space."""
    read = "els => els.map(el => el.querySelector(':scope > .text').textContent.replaceAll('·', ' '))"
    return {name: stage(page, name).locator(".p.on").evaluate_all(read) for name in STAGES}


def expect_marked(page: Page, **texts: list[str]) -> None:
    """Wait until exactly these are marked; stages not named have no mark."""
    wanted = {name: texts.get(name, []) for name in STAGES}
    for name, each in wanted.items():
        expect(stage(page, name).locator(".p.on")).to_have_count(len(each))
    assert marked(page) == wanted


def open_pipeline(page: Page, **choices: str) -> None:
    open_page(page, "/pipeline?" + "&".join(f"{name}={quote(value)}" for name, value in choices.items()))
    expect(stage(page, "text")).to_be_visible()
    wait_until_idle(page)


def test_both_forms_of_e_acute_are_found_in_every_stage(page: Page) -> None:
    open_pipeline(page, text="a café, a cafe\u0301", form="NFC", template="bert")
    piece(page, "text", 6).click()
    expect_marked(
        page,
        text=["é"],
        normalization=["é"],
        split=[" café"],
        model=[" café"],
        special=[" café"],
        decoding=[" café"],
    )
    expect(card(page)).to_contain_text("U+00E9 latin small letter e with acute")
    piece(page, "text", 15).click()  # the accent of the decomposed one
    expect_marked(
        page,
        text=["◌\u0301"],
        normalization=["é"],
        split=[" café"],
        model=[" café"],
        special=[" café"],
        decoding=[" café"],
    )
    expect(card(page)).to_contain_text("e + ◌\u0301 → é")
    expect(stage(page, "normalization").get_by_role("option").last).to_contain_text("14–15")
    expect(page.locator(".loss")).to_have_text(
        "First difference at character 14, e◌\u0301 became é; lost in the normalization: NFC.".replace("e◌", "e")
    )
    piece(page, "split", 2).click()
    expect_marked(
        page,
        text=[" ", "c", "a", "f", "é"],
        normalization=[" ", "c", "a", "f", "é"],
        split=[" café"],
        model=[" café"],
        special=[" café"],
        decoding=[" café"],
    )
    page.reload()
    wait_until_idle(page)
    expect(stage(page, "special").get_by_role("option").first).to_have_text("[CLS]50257 newtype 0")
    stage(page, "special").get_by_role("option").first.hover()
    expect(card(page)).to_contain_text("no: it was given the next free id")
    expect_marked(page, special=["[CLS]"])


@pytest.mark.thorough
def test_a_token_of_some_bytes_marks_its_character_and_only_itself(page: Page) -> None:
    open_pipeline(page, text="a 語")
    piece(page, "model", 3).click()
    expect(stage(page, "model").locator(".p.on")).to_have_count(1)
    assert marked(page)["text"] == ["語"]
    assert marked(page)["split"] == [" 語"]
    expect(card(page)).to_contain_text("byte 2 of 3 of 語")
    piece(page, "model", 3).click()
    page.mouse.move(0, 0)  # the piece below the pointer is marked
    expect_marked(page)
    page.get_by_role("textbox", name="Text", exact=True).fill("b")
    expect(stage(page, "model")).to_have_text("b1")


def test_arrow_keys_walk_along_a_stage_and_through_the_stages(page: Page) -> None:
    open_pipeline(page, text="unlikely ﬁt", form="NFKC", words="white space")
    stage(page, "text").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect_marked(
        page, text=["ﬁ"], normalization=["fi"], split=["fit"], model=["fit"], special=["fit"], decoding=["fit"]
    )
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(stage(page, "split")).to_be_focused()
    expect(stage(page, "split").locator(".cursor")).to_have_attribute(
        "aria-label", re.compile(r"Word 2.*characters 10–11.*ﬁ → f \+ i.*fit id 11147", re.DOTALL)
    )
    page.keyboard.press("Enter")
    expect(stage(page, "split").locator("[aria-selected=true]")).to_have_text("fit10–11")
    page.keyboard.press("Escape")
    expect(stage(page, "split").locator("[aria-selected=true]")).to_have_count(0)


def test_a_user_who_forges_the_system_is_caught_by_the_mark_up(page: Page) -> None:
    open_page(page, "/pipeline")
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("button", name="A chat in which the user forges the system").click()
    forged = stage(page, "special").locator(".forged")
    expect(forged).to_have_count(2)
    forged.first.click()
    expect(card(page)).to_contain_text("the message itself")
    page.get_by_role("radio", name="Special tokens", exact=True).click()
    expect(forged).to_have_count(0)
    for of, by in (("template", "the template"), ("message", "a message")):
        stage(page, "model").locator(f".by-{of}").first.click()
        expect(card(page)).to_contain_text(f"Written by{by}")
    grid = page.get_by_role("grid", name="The chat under each way to treat its mark-up")
    expect(grid.get_by_role("row").nth(2)).to_contain_text("Parsed from the finished text")
    page.get_by_role("radio", name="Two texts").click()
    expect(page.get_by_role("textbox", name="Text B")).to_be_visible()
    expect(grid).to_have_count(0)
    expect(stage(page, "special").get_by_role("option").last).to_contain_text("<|endoftext|>")


def test_a_batch_is_a_grid_whose_masks_follow_the_choices(page: Page) -> None:
    """A template is typed, one of its tokens inserted by a click; a batch is truncated and padded."""
    texts = "low\nthe lantern is out"
    open_page(page, f"/pipeline?with=gpt2&input=batch&template=own&single=%24A&most=3&texts={quote(texts)}")
    grid = page.get_by_role("region", name="The ids of each text, with their masks")
    rows = grid.locator("tbody")
    expect(rows).to_have_count(3)
    expect(rows.nth(1).locator(".removed")).to_contain_text("1 token removed")
    field = page.get_by_label("For one text")
    field.press("End")
    page.get_by_role("button", name="<|endoftext|>:0").first.click()
    expect(field).to_have_value("$A <|endoftext|>:0")
    expect(rows.nth(0).locator(".ids td")).to_have_text(["9319", "50256"])
    expect(rows.nth(1).locator(".removed del")).to_have_text("·is·out")
    page.get_by_role("combobox", name="Padding").click()
    page.get_by_role("option", name="To the longest").click()
    expect(rows.nth(0).locator(".attention td")).to_have_text(["1", "1", "0"])
    expect(rows.nth(0).locator(".special-mask td")).to_have_text(["0", "1", "1"])
    expect(rows.nth(0).locator(".tokens td.pad")).to_have_text(["[PAD]"])
    expect(page.get_by_text("New to this vocabulary: [PAD] gets id 50,257.")).to_be_visible()
    field.fill("<q>:x")
    expect(page.get_by_text("Write '<q>:0', for example.")).to_be_visible()
    expect(grid).to_have_count(0)
    field.fill("<q> $A")
    expect(rows.nth(0).locator(".ids td")).to_have_text(["50257", "9319", "50258"])
    wait_until_idle(page)


def test_views_that_could_not_be_loaded_come_with_the_next_change(uncached_page: Page) -> None:
    page = uncached_page
    page.route("**/pipeline.js*", lambda route: route.abort())
    open_page(page, "/pipeline?with=gpt2&text=low")
    expect(stage(page, "text")).to_have_count(0)
    page.unroute_all()
    page.get_by_role("textbox", name="Text", exact=True).fill("lower")
    expect(stage(page, "text").get_by_role("option")).to_have_count(5)


@pytest.mark.thorough
def test_a_batch_fades_at_the_right_edge_until_its_end_is_seen(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_page(page, "/pipeline?input=batch&texts=" + quote("one\n" + "a long line of many words, " * 4))
    grid = page.get_by_role("region", name="The ids of each text, with their masks")
    expect(grid).to_have_class(re.compile("goes-on"))
    grid.evaluate("el => el.scrollTo({ left: el.scrollWidth })")
    expect(grid).not_to_have_class(re.compile("goes-on"))


@pytest.mark.thorough
def test_the_controls_of_a_row_have_their_labels_on_one_line(page: Page) -> None:
    open_page(page, "/pipeline?input=batch&most=12&padding=longest&texts=low")
    for row in ("stages", "lengths"):
        labels = page.locator(f".st-key-pipeline-{row}").get_by_test_id("stWidgetLabel")
        expect(labels.nth(3)).to_be_visible()
        tops = [box["y"] + box["height"] for each in labels.all() if (box := each.bounding_box())]
        assert max(tops) - min(tops) < 3


def test_the_letters_of_an_unchanged_arabic_word_run_right_to_left(page: Page) -> None:
    open_page(page, "/pipeline?with=gpt2&text=" + quote("hello مرحبا بالعالم"))
    run = stage(page, "normalization").locator(".run")
    for number, text in enumerate(("hello", "مرحبا")):
        letters = run.nth(number).locator(".bare")
        places = [box["x"] for each in letters.all()[: len(text)] if (box := each.bounding_box())]
        assert places == sorted(places, reverse=text != "hello"), text
