"""The views in another language, and a change of language during an action. The pseudo-locale shows which words come
from a catalogue: those in double brackets."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from bpe_core.language import LANGUAGES
from tests.browser.helpers import choose_language, expect, open_page, wait_until_idle
from tests.draws import first

PSEUDO = "lang=en-XA"
TRAIN = f"/?sample=toy_hug&{PSEUDO}"

VIEWS = {
    TRAIN: {"button[data-do=next]": "Next", ".curve .plot": None, ".scroll .cell": None},
    f"/encode?with=gpt2&text=low+lower&{PSEUDO}": {".bar .one": "One at a time"},
    f"/compare?with=gpt2&with=o200k_base&text=x+%3D+12345&{PSEUDO}": {".pager button span": "Previous"},
    f"/algorithms?sample=toy_hug&{PSEUDO}": {".player .unit": "Step"},
    f"/pipeline?with=gpt2&text=low+lower&{PSEUDO}": {".card .hint": "Point at a piece"},
}
"""Pages, and texts of some of their views."""


def next_button(page: Page) -> Locator:
    return page.locator(".st-key-player button[data-do=next]")


@pytest.mark.parametrize("path", first(1, VIEWS))
def test_the_views_of_a_page_speak_its_language(page: Page, path: str) -> None:
    open_page(page, path)
    for selector, words in VIEWS[path].items():
        expect(page.locator(selector).first).to_be_visible()
        if words is not None:
            expect(page.locator(selector).first).to_contain_text(f"\u27e6{words}")
    assert not page.locator(".tv > button.picture:not([title='\u27e6Picture\u27e7'])").count()


@pytest.mark.thorough
def test_another_language_draws_every_view_anew_and_loses_no_action(page: Page) -> None:
    open_page(page, TRAIN)
    expect(next_button(page)).to_have_text("\u27e6Next\u27e7")
    page.locator(".st-key-languages button:visible").first.click()
    page.get_by_role("menuitem", name=LANGUAGES["ja"].title).evaluate(
        """(item) => {
            const player = [...document.querySelectorAll('.st-key-player *')].find((el) => el.shadowRoot).shadowRoot;
            const next = player.querySelector('button[data-do=next]');
            for (let step = 0; step < 3; step++) next.click();
            item.click();
            next.click();
        }"""
    )
    page.wait_for_function("() => document.documentElement.lang === 'ja'")
    wait_until_idle(page)
    choose_language(page, "en")
    expect(next_button(page)).to_have_text("Next")
    expect(page.locator(".st-key-player input[type=number]")).to_have_value("4")
    expect(page.locator(".st-key-story-view .story, .st-key-story .story").first).to_contain_text("Merge 4.")
    page.wait_for_function("() => new URLSearchParams(location.search).get('step') === '4'")
    assert "\u27e6" not in page.evaluate("document.body.innerText")
    assert not page.locator("button.picture[title*='\u27e6']").count()


def test_what_a_tab_keeps_speaks_the_new_language_as_well(page: Page) -> None:
    open_page(page, TRAIN)
    page.keyboard.press("s")
    stage = page.locator("#bpe-lab-stage .foot")
    expect(stage).to_have_attribute("aria-label", "\u27e6Stage\u27e7")
    page.keyboard.press("Escape")
    expect(stage).to_have_count(0)
    menu = page.locator("#bpe-lab-picture-menu .menu")
    page.locator(".tv > button.picture:visible").first.click()
    expect(menu).to_have_attribute("aria-label", "\u27e6Picture\u27e7")
    page.keyboard.press("Escape")
    choose_language(page, "en")
    page.locator(".tv > button.picture:visible").first.click()
    expect(menu).to_have_attribute("aria-label", "Picture")
    expect(menu).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    expect(stage).to_have_attribute("aria-label", "Stage")
    expect(stage).to_have_count(1)
    page.keyboard.press("2")
    expect(stage.locator("[role=tab]").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(stage).to_have_count(0)


def test_views_follow_the_player_in_any_language(page: Page) -> None:
    open_page(page, TRAIN)
    expect(page.locator(".st-key-merge-table .row").nth(1)).to_be_visible()
    known = page.evaluate("[...bpeLab.following.merges.columns.keys()]")
    assert {"Left", "Right", "New token", "Count", "Id", "Tokens"} <= set(known), "scripts know columns by these names"
