"""Names marked on Pipeline with the mouse and the keyboard, and the entities derived from token scores."""

from __future__ import annotations

from urllib.parse import parse_qs, quote, urlparse

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle

TEXT = "Ida told Anna Tom left Sorrelby."


def text(page: Page) -> Locator:
    return page.get_by_role("textbox", name="The text to mark names in")


def character(page: Page, number: int) -> Locator:
    return text(page).locator(".c").nth(number)


def marked(page: Page) -> Locator:
    return text(page).locator(".mark")


def tags(page: Page, words: str) -> Locator:
    """The row of a token."""
    table = page.get_by_role("grid", name="The tags and example scores of each token")
    return table.get_by_role("row").filter(has=page.locator(".cell.chip", has_text=words))


def open_text(page: Page) -> None:
    open_page(page, f"/pipeline?with=gpt2&template=none&text={quote(TEXT)}")
    expect(text(page)).to_be_visible()
    wait_until_idle(page)
    text(page).scroll_into_view_if_needed()


@pytest.mark.thorough
def test_a_user_marks_names_with_the_mouse_and_finds_them_again_after_a_reload(page: Page) -> None:
    open_text(page)
    person = page.get_by_role("button", name="Person")
    expect(person).to_be_disabled()
    character(page, 10).click()
    expect(page.get_by_text("“Anna”, characters 10–13")).to_be_visible()
    person.click()
    expect(marked(page)).to_have_text(["AnnaPER"])
    character(page, 14).hover()
    page.mouse.down()
    character(page, 15).hover()
    character(page, 16).hover()
    page.mouse.up()
    person.click()
    expect(marked(page)).to_have_text(["AnnaPER", "TomPER"])
    expect(tags(page, "Tom")).to_contain_text("B-PERB-PER")
    expect(tags(page, "Anna")).to_contain_text("I-PERB-PER")
    character(page, 25).click()
    page.get_by_role("button", name="Place").click()
    expect(tags(page, "rel")).to_contain_text("I-LOCI-LOC")
    character(page, 10).click()
    page.get_by_role("button", name="Remove").click()
    expect(marked(page)).to_have_text(["TomPER", "SorrelbyLOC"])
    wait_until_idle(page)
    assert parse_qs(urlparse(page.url).query)["mark"] == ["PER.14-17", "LOC.23-31"]
    page.reload()
    expect(marked(page)).to_have_text(["TomPER", "SorrelbyLOC"])
    field = page.get_by_role("textbox", name="Text", exact=True)
    field.press("Home")
    field.press_sequentially("So: ")
    expect(text(page)).to_contain_text("So:·Ida")
    expect(marked(page)).to_have_text(["TomPER", "SorrelbyLOC"])
    wait_until_idle(page)
    query = parse_qs(urlparse(page.url).query)
    assert query["mark"] == ["PER.18-21", "LOC.27-35"]
    assert "score" not in query  # none is chosen


def test_a_user_marks_names_with_the_keyboard_alone(page: Page) -> None:
    open_text(page)
    text(page).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_text("“Anna”, characters 10–13")).to_be_visible()
    page.keyboard.press("1")
    expect(marked(page)).to_have_text(["AnnaPER"])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("3")
    expect(marked(page)).to_have_text(["AnnaPER", "ToORG"])
    expect(page.get_by_text("“To” ends inside the token “Tom”.")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("2")
    expect(marked(page)).to_have_text(["AnnaPER", "ToORG", "SorrelbyLOC"])
    page.keyboard.press("ArrowLeft")  # to the word before it
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    expect(marked(page)).to_have_text(["AnnaPER", "SorrelbyLOC"])
    wait_until_idle(page)


@pytest.mark.thorough
def test_the_strategies_name_the_word_whose_tokens_disagree_differently(page: Page) -> None:
    open_page(page, "/pipeline?with=gpt2")
    page.get_by_role("button", name="Show an example").click()
    found = page.get_by_role("group", name="Names found from the scores", exact=True).locator(".mark")
    expect(found).to_have_text(["EmmaPER", "AnnaPER", "TomPER", "SorPER", "relORG", "byLOC"])
    for strategy, label in {"first": "PER", "max": "ORG", "average": "LOC"}.items():
        page.get_by_role("radio", name=strategy, exact=True).click()
        expect(found.last).to_have_text(f"Sorrelby{label}")
    tags(page, "rel").click()
    wait_until_idle(page)  # before that, the fields belong to another token
    score = page.get_by_role("spinbutton", name="with a score of")
    score.fill("0.5")
    score.press("Enter")
    expect(tags(page, "rel")).to_contain_text("I-ORG 0.50I-LOC 0.50")
    page.get_by_role("radio", name="max", exact=True).click()
    expect(found.last).to_have_text("SorrelbyLOC")
    wait_until_idle(page)
    assert "41-44.0.I-ORG.50.I-LOC" in parse_qs(urlparse(page.url).query)["score"]
