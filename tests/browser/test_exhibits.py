"""Exhibits beside the answers of lessons, in a browser: tables, and printed results beside computed ones."""

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page


def expect_nothing_cut_off(page: Page) -> None:
    """Assert that all pieces in the table of an answer are fully visible."""
    rows = page.get_by_role("grid", name="What comes out").get_by_role("row")
    expect(rows.nth(1)).to_be_visible()
    cut_off = rows.locator(".cell").evaluate_all(
        "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"
    )
    assert cut_off == []


@pytest.mark.thorough
def test_a_printed_result_and_the_one_from_here_are_under_each_other(page: Page) -> None:
    open_page(page, "/lessons?lesson=the_course_corpus")
    page.get_by_role("button", name="Show the answer").click()
    loss = page.locator("pre", has_text="413.104")
    expect(loss).to_have_text("printed  413.104\nhere     382.104")
    expect(page.get_by_text("· the same here")).to_have_count(6)
    expect(page.get_by_text("· not the same here")).to_have_count(1)


def test_the_table_of_an_answer_is_there_and_whole_and_the_lesson_opens_what_it_is_about(page: Page) -> None:
    open_page(page, "/lessons?lesson=longest_match")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_text("pug|##s")).to_be_visible()
    expect_nothing_cut_off(page)
    page.get_by_role("link", name="Open in Algorithms").click()
    expect(page.get_by_label("A sentence or a word")).to_have_value("pugs")
    expect(page.get_by_text("2 pieces: the longest that fits, from the left")).to_be_visible()


def test_the_button_for_pictures_is_beside_its_view_and_no_label_of_the_picture_is_cut_off(page: Page) -> None:
    open_page(page, "/lessons?lesson=a_tie_decides")
    page.get_by_role("button", name="Show the answer").click()
    view = page.locator(".st-key-shown-answer .tv").filter(has=page.locator(".label"))
    button = view.locator("button.picture")
    expect(button).to_be_visible()
    box, around = button.bounding_box(), view.bounding_box()
    assert box
    assert around
    assert around["y"] <= box["y"] + 1
    assert box["y"] + box["height"] <= around["y"] + around["height"], "also beside a bold word of the answer"
    page.keyboard.press("ArrowRight")
    expect_labels_whole(page)
    open_page(page, "/lessons?lesson=the_end_of_a_word")
    expect_labels_whole(page)


def expect_labels_whole(page: Page) -> None:
    """Show the answer, and assert that the labels of its picture are fully visible."""
    page.get_by_role("button", name="Show the answer").click()
    labels = page.locator(".st-key-shown-answer .label .name")
    expect(labels.first).to_contain_text("merges")
    cut = labels.evaluate_all("all => all.filter((el) => el.scrollWidth > el.clientWidth).map((el) => el.textContent)")
    assert cut == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    "lesson", ["score_against_count", "longest_match", "the_best_path", "word_starts", "optimal_against_greedy"]
)
def test_no_pieces_in_the_table_of_an_answer_are_cut_off(page: Page, lesson: str) -> None:
    open_page(page, f"/lessons?lesson={lesson}")
    page.get_by_role("button", name="Show the answer").click()
    expect_nothing_cut_off(page)
