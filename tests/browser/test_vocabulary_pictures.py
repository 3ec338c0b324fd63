"""Pictures of whole vocabularies in the browser: a box of the forest zooms and opens its token, a line is gone to."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.helpers import open_page, show_page_in_any_state, wait_until_idle

FOREST = ".st-key-forest-chart"
LINES = ".st-key-lines-chart"


@pytest.fixture
def forest(shared_page: Page) -> Page:
    """Vocabulary with the forest open, whatever token of it was opened."""
    show_page_in_any_state(shared_page, "/vocabulary?sample=toy_hug&forest=1")
    return shared_page


def test_the_forest_is_walked_by_keys(forest: Page) -> None:
    page = forest
    chart = page.get_by_role("slider", name="Tokens and what they are made of")
    chart.scroll_into_view_if_needed()
    expect(page.locator(f"{FOREST} .treemaplayer .slice").first).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("What tokens are made of").focus()
    page.keyboard.press("Tab")
    while not chart.evaluate("chart => chart.matches(':focus')"):
        page.keyboard.press("Tab")
    before = page.url
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(before)
    expect(page).to_have_url(re.compile("token=[0-9]+&forest=1"))


def test_a_box_of_the_forest_zooms_and_opens_its_token(forest: Page) -> None:
    page = forest
    chart = page.locator(FOREST)
    chart.scroll_into_view_if_needed()
    boxes = chart.locator(".treemaplayer .slice")
    expect(boxes.first).to_be_visible()
    wait_until_idle(page)
    box = boxes.filter(has_text=re.compile("^h$")).first
    box.scroll_into_view_if_needed()
    place = box.bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + 8, place["y"] + 8)
    expect(chart.locator(".hovertext")).to_contain_text("Id: 3")
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile("token=3&forest=1"))
    expect(page.get_by_role("heading", name="Token 3")).to_be_visible()
    expect(chart.locator(".treemaplayer .pathbar").first).to_be_visible()


def test_a_point_of_the_lines_leads_to_its_line(page: Page) -> None:
    open_page(page, "/compare?text=low%0A++++x%0Alow%0A++++++++y&with=gpt2&with=cl100k_base&lines=1")
    chart = page.locator(LINES)
    chart.scroll_into_view_if_needed()
    points = chart.locator(".scatterlayer .point")
    expect(points.first).to_be_visible()
    wait_until_idle(page)
    place = points.first.bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(chart.locator(".hovertext")).to_contain_text("Line: 4")
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile("at=14"))
