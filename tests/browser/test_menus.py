"""Menus in a browser: their fields hold the current values, also in a menu first opened after the page was redrawn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, show_page, wait_until_idle


@pytest.mark.parametrize(
    ("path", "menu", "fields"),
    [
        ("/vocabulary?born=10-50", "Filters", {"Created at step, from": "10", "to": "50"}),
        ("/vocabulary", "Filters", {"Created at step, from": "0", "to": "256"}),
        (
            "/algorithms?special=%5BUNK%5D+%5BCLS%5D&seed=400",
            "Rules",
            {"WordPiece's special tokens": "[UNK] [CLS]", "Unigram's seed": "400"},
        ),
    ],
)
def test_a_menu_opened_after_the_page_was_drawn_again_shows_what_is_set(
    shared_page: Page, path: str, menu: str, fields: dict[str, str]
) -> None:
    show_page(shared_page, path)
    button = shared_page.get_by_role("button", name=menu)
    expect(button).to_be_visible()
    shared_page.keyboard.press("r")
    wait_until_idle(shared_page)
    button.click()
    for label, value in fields.items():
        expect(shared_page.get_by_label(label, exact=True)).to_have_value(value)
    shared_page.keyboard.press("Escape")
