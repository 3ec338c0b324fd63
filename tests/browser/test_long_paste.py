"""A long paste is inserted immediately, reaches the app, and can be undone and redone."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.draws import first

LINES = "a line of text\n" * 20_000


def paste(page: Page, area: Locator, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    area.press("Control+a")
    area.press("Control+v")


@pytest.mark.parametrize("color_scheme", ["light"])
def test_many_lines_are_pasted_where_the_caret_is_and_taken_back(page: Page) -> None:
    open_page(page, "/encode")
    area = page.get_by_role("textbox", name="Text to encode")
    area.fill("before")
    wait_until_idle(page)
    paste(page, area, LINES)
    expect(page.get_by_text("100,000 tokens · 300,000 characters")).to_be_visible()
    area.press("Control+z")
    expect(area).to_have_value("before")
    expect(page.get_by_text("1 token · 6 characters")).to_be_visible()
    for redo in ("Control+Shift+z", "Control+y"):
        area.press(redo)
        expect(page.get_by_text("100,000 tokens · 300,000 characters")).to_be_visible()
        expect(area).to_have_value(LINES)
        area.press("Control+z")
        expect(page.get_by_text("1 token · 6 characters")).to_be_visible()


@pytest.mark.parametrize("color_scheme", ["light"])
def test_streamlits_own_text_area_takes_a_long_paste_too(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    page.get_by_role("button", name=re.compile("^Paste")).click()
    area = page.get_by_role("textbox", name="Your text")
    area.fill("before")
    paste(page, area, LINES)
    area.press("Control+z")
    expect(area).to_have_value("before")
    area.press("Control+y")
    expect(area).to_have_value(LINES)
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_text("300,000 bytes")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("color_scheme", ["light"])
def test_the_area_lays_a_long_paste_out_only_when_the_whole_answer_is_drawn(page: Page) -> None:
    open_page(page, "/compare")
    area = page.get_by_role("textbox", name="Text to compare")
    area.evaluate(
        """area => {
            const counts = () => document.querySelector(".st-key-headline")?.textContent;
            const before = counts();
            window.laidOut = new Promise(seen => {
                const look = () => {
                    if (area.value.length < 300_000) return setTimeout(look, 5);
                    const state = document.querySelector("[data-testid=stApp]").dataset.testScriptState;
                    seen([state, counts() !== before]);
                };
                look();
            });
        }"""
    )
    paste(page, area, LINES)
    assert page.evaluate("laidOut") == ["notRunning", True]
    expect(area).to_have_value(LINES)


@pytest.mark.parametrize("color_scheme", ["light"])
@pytest.mark.parametrize("act", first(1, ["wheel", "key"]))
def test_who_does_something_in_the_area_finds_a_long_paste_whole_at_once(page: Page, act: str) -> None:
    open_page(page, "/compare?text=low&with=gpt2")
    area = page.get_by_role("textbox", name="Text to compare")
    page.evaluate("void (window.requestIdleCallback = () => 0)")  # a page that is never idle
    area.hover()
    paste(page, area, LINES)
    assert len(area.input_value()) < len(LINES)
    if act == "wheel":
        page.mouse.wheel(0, 100)
    else:
        area.press("Control+Home")
    expect(area).to_have_value(LINES)


@pytest.mark.parametrize("color_scheme", ["light"])
@pytest.mark.parametrize("path", first(1, ["/encode", "/compare?text=low&with=gpt2"]))
def test_a_text_of_many_lines_is_selected_and_typed_over(page: Page, path: str) -> None:
    """Chromium needs minutes for it while anything on the page is left out by content-visibility."""
    open_page(page, path)
    area = page.get_by_role("textbox", name=re.compile("^Text to"))
    paste(page, area, "a\n" * 100_000)
    wait_until_idle(page)
    area.press("Control+a")
    area.press("x")
    expect(area).to_have_value("x")
