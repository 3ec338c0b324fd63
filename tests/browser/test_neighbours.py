"""No two adjacent tokens have the same colour, as painted by the browser."""

import re
from itertools import pairwise
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.helpers import open_page, switch_theme, wait_until_idle
from tests.browser.test_train import open_train, step, use
from tests.draws import first
from ui.session.samples import sample
from ui.session.training import FIRST_SAMPLE

# The painted colours of the tokens in each row of a view, in the order of the text, without the dots of tokens that
# cover no text. A token with several spans counts once.
PAINTED = """root => {
    const rows = new Map();
    for (const el of root.querySelectorAll(".t, .token")) {
        if (el.token === undefined || el.matches(".empty")) continue;
        const row = rows.get(el.row ?? 0) ?? rows.set(el.row ?? 0, new Map()).get(el.row ?? 0);
        row.set(el.token, getComputedStyle(el).backgroundColor);
    }
    return [...rows.values()].map(row => [...row].sort((a, b) => a[0] - b[0]).map(([, colour]) => colour));
}"""


def shared(view: Locator) -> int:
    """Number of adjacent tokens of a view with the same colour."""
    rows: list[list[str]] = view.evaluate(PAINTED)
    assert rows
    assert all(len(row) > 3 for row in rows)
    return sum(one == other for row in rows for one, other in pairwise(row))


def flow(page: Page) -> Locator:
    return page.get_by_role("listbox", name="The training text in tokens")


def go_to(page: Page, number: int) -> None:
    step(page).fill(str(number))
    step(page).press("Enter")
    expect(flow(page)).to_have_attribute("data-step", str(number))


THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
EVERY_WAY = [
    (strong, number, theme) for strong in (False, True) for number in (0, 1, 256, 400, 255, 3) for theme in THEMES
]
WAYS = [EVERY_WAY[at] for at in (0, 3, 4, 7, 20, 23)]
"""Each number once, each theme with each contrast."""


@pytest.mark.parametrize("ways", first(1, [pytest.param(WAYS, id="six ways"), pytest.param(EVERY_WAY, id="every way")]))
def test_neighbours_differ_on_train_at_any_step(
    page: Page, ways: list[tuple[bool, int, Literal["light", "dark"]]]
) -> None:
    open_page(page, f"/?sample={FIRST_SAMPLE}&vocab_size=656")
    wait_until_idle(page, quiet=600)
    button = page.get_by_role("button", name="High contrast")
    pressed = False
    for strong, number, theme in ways:
        if strong != pressed:
            button.click()
            pressed = strong
        expect(button).to_have_attribute("aria-pressed", str(pressed).lower())
        go_to(page, number)
        switch_theme(page, theme)
        assert shared(flow(page)) == 0, (strong, number, theme)


@pytest.mark.thorough
def test_neighbours_differ_after_playing_and_after_scrubbing(page: Page) -> None:
    open_train(page)
    go_to(page, 100)
    page.get_by_role("button", name="Play").click()
    expect(flow(page)).to_have_attribute("data-step", re.compile(r"10[4-9]"))
    page.get_by_role("button", name="Pause").click()
    assert shared(flow(page)) == 0
    slider = page.locator(".st-key-player input[type=range]")
    for position in (10, 250, 30, 31, 256, 0, 200):
        slider.evaluate(
            """(el, position) => {
            el.value = String(position);
            el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        }""",
            position,
        )
        expect(flow(page)).to_have_attribute("data-step", str(position))
        assert shared(flow(page)) == 0, position


@pytest.mark.thorough
def test_a_token_that_follows_itself_is_told_apart(page: Page) -> None:
    open_train(page)
    use(page, "aaaa aaaaaa\nbbbbbbb " * 20)
    for number in (0, 1, 2, 3, 1, 0):
        go_to(page, number)
        assert shared(flow(page)) == 0, number


@pytest.mark.thorough
def test_neighbours_differ_on_encode_and_compare(page: Page) -> None:
    text = sample(FIRST_SAMPLE).text[:600]
    for view, name in (("tokens", "The text in tokens"), ("lanes", "The text in characters, bytes and tokens")):
        open_page(page, f"/encode?{urlencode({'text': text, 'with': 'gpt2', 'view': view})}")
        drawn = page.get_by_role("listbox", name=name)
        expect(drawn.get_by_role("option").nth(3)).to_be_attached()
        assert shared(drawn) == 0
    names = ["gpt2", "t5-small", "bert-base-uncased"]
    open_page(page, f"/compare?{urlencode({'text': text, 'with': names}, doseq=True)}")
    lines = page.locator(".st-key-lines-view .lanes")
    expect(lines).to_have_attribute("data-rev", re.compile("."))
    assert shared(lines) == 0


def test_high_contrast_is_kept_by_the_browser_and_begins_as_the_system_asks(page: Page) -> None:
    button = page.get_by_role("button", name="High contrast")
    open_page(page, "/encode")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.emulate_media(contrast="more")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.emulate_media(contrast="no-preference")
    button.click()
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Train", exact=True).click()
    expect(button).to_have_attribute("aria-pressed", "true")
