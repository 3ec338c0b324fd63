"""The page of a lesson, opened from the disk without a network: it asks, waits and shows as the app does."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_until_idle


def downloaded(page: Page, offline: Page, folder: Path, lesson: str, language: str = "en", which: str = "") -> None:
    """Open a lesson, download its page, and open that. `which`: the end of the button's key."""
    open_page(page, f"/lessons?lesson={lesson}&lang={language}")
    page.locator("[class*=st-key-lesson-as-a-page] button").first.click()
    with page.expect_download() as download:
        page.locator(f".st-key-download-lesson-page{which} button").click()
    page.keyboard.press("Escape")
    assert download.value.suggested_filename == "lesson.html"
    download.value.save_as(folder / "lesson.html")
    offline.goto((folder / "lesson.html").as_uri())
    expect(offline.locator(".card.question")).to_be_visible()


def test_a_lesson_waits_for_the_answer_and_then_plays_its_training(page: Page, offline: Page, tmp_path: Path) -> None:
    downloaded(page, offline, tmp_path, "split_before_you_merge")
    question = page.locator(".st-key-to-the-class").inner_text()
    expect(offline.locator(".asks")).to_have_text(question)
    expect(offline.locator(".prose").first).to_be_hidden()  # since it names the right choice
    expect(offline.get_by_role("button", name="Next")).to_have_count(0)
    choices = page.locator(".choice > button")
    expect(offline.locator(".choice > button")).to_have_text(choices.all_inner_texts(), use_inner_text=True)
    for tab in (page, offline):
        tab.locator(".choice > button").first.click()
        expect(tab.locator(".verdict")).not_to_be_empty()
    wait_until_idle(page)
    expect(offline.locator(".verdict")).to_have_text(page.locator(".verdict").inner_text(), use_inner_text=True)
    answer = page.locator(".st-key-shown-answer .stMarkdown").first.inner_text()
    expect(offline.locator(".card.answer .prose")).to_have_text(answer, use_inner_text=True)
    expect(offline.locator(".prose").first).to_have_text(
        page.locator(".st-key-lesson-text .stMarkdown").inner_text(), use_inner_text=True
    )
    step = offline.locator(".field input")
    before = int(step.input_value())
    offline.keyboard.press("ArrowRight")
    expect(step).to_have_value(str(before + 1))
    expect(offline.locator(".inside .story .words")).to_contain_text(f"Merge {before + 1}.")
    offline.reload()  # the tab keeps the answer
    expect(offline.locator(".inside .player")).to_be_visible()
    offline.get_by_role("button", name="Start over").click()
    expect(offline.locator(".inside")).to_be_hidden()
    expect(offline.locator(".card.answer .prose")).to_be_hidden()


def test_the_next_merge_is_asked_before_the_training_shows_it(page: Page, offline: Page, tmp_path: Path) -> None:
    downloaded(page, offline, tmp_path, "a_tie_decides")
    expect(offline.locator(".choice .pair")).to_have_text(page.locator(".choice .pair").all_text_contents())
    expect(offline.locator(".candidates")).to_have_count(0)
    offline.get_by_role("button", name="Show the page without an answer").click()
    expect(offline.locator(".inside li")).to_have_text(["Press Next and note which pair won."])
    expect(offline.locator(".field input")).to_have_value("2")
    offline.get_by_role("button", name="Show the answer").click()
    expect(offline.locator(".choice.right .pair")).to_contain_text("h")
    expect(offline.locator(".card.answer .lanes .lane")).to_have_count(3)
    offline.get_by_role("button", name="Hide the answer").click()
    expect(offline.locator(".choice.right")).to_have_count(0)


def test_lessons_of_other_pages_show_these_or_say_that_they_do_not(page: Page, offline: Page, tmp_path: Path) -> None:
    downloaded(page, offline, tmp_path, "why_japanese_costs_more")
    offline.get_by_role("button", name="Show the page without an answer").click()
    expect(offline.get_by_label("The other tokenizer")).to_have_value("2")  # as the lesson opens it
    downloaded(page, offline, tmp_path, "dropping_pieces")
    offline.get_by_role("button", name="Read the text first").click()
    expect(offline.locator(".inside .cards")).to_have_attribute("data-step", "1")
    downloaded(page, offline, tmp_path, "the_leading_space")
    offline.get_by_role("button", name="Show the answer").click()
    expect(offline.locator(".inside .flow .t")).to_have_count(2)
    open_page(page, "/lessons?lesson=names_in_tokens")
    page.get_by_role("button", name="As a page").click()
    expect(page.get_by_text("What it opens on Pipeline needs the server and is left out.")).to_be_visible()
    downloaded(page, offline, tmp_path, "names_in_tokens")
    offline.locator(".choice > button").first.click()
    expect(offline.locator(".printed").first).to_contain_text("the same here")
    expect(offline.get_by_role("button", name="Show the page without an answer")).to_be_hidden()


@pytest.mark.parametrize(("width", "language"), [(1280, "ja"), (800, "zh"), (390, "en")])
def test_it_fits_the_window_in_its_language_and_plays_in_a_frame_without_rights(
    page: Page, offline: Page, tmp_path: Path, width: int, language: str
) -> None:
    offline.set_viewport_size({"width": width, "height": 800})
    downloaded(page, offline, tmp_path, "score_against_count", language, "-in-all-languages")
    expect(offline.locator(".asks")).to_have_text(page.locator(".st-key-to-the-class").inner_text())
    offline.locator(".choice > button").nth(1).click()
    expect(offline.locator(".inside .cards")).to_be_visible()
    assert offline.evaluate("document.documentElement.scrollWidth") <= width
    (tmp_path / "course.html").write_text('<iframe src="lesson.html" sandbox="allow-scripts" width="350" height="700">')
    offline.goto((tmp_path / "course.html").as_uri())
    frame = offline.frame_locator("iframe")
    frame.locator(".choice > button").first.click()
    expect(frame.locator("html")).to_have_attribute("lang", language)
    frame.locator(".field input").fill("2")
    frame.locator(".field input").press("Enter")
    for code in ("en", "zh", "ja"):
        frame.locator(f".languages [lang={code}]").click()
        expect(frame.locator("html")).to_have_attribute("lang", code)
        expect(frame.locator(".cards")).to_have_attribute("data-step", "2")
    expect(frame.locator(".choice.right")).to_have_count(1)
