"""A token has one colour wherever it is, and an edge next to its neighbour, as painted by the browser."""

import re
from itertools import product
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, step, switch_theme, wait_until_idle
from tests.browser.test_train import open_train, use
from ui.session.samples import sample
from ui.session.training import FIRST_SAMPLE

# Text and painted colour of each token and chip of a view that is drawn whole.
PAINTED = """root => [...root.querySelectorAll(".t")]
    .filter(el => !el.matches(".empty, .hex, .chip") && el.textContent)
    .map(el => [el.textContent, getComputedStyle(el).backgroundColor])"""

# Whether every token ends in an edge of the page's background, at least two pixels wide, or is outlined as made now.
EDGES = """flow => {
    const tokens = [...flow.querySelectorAll(".t")];
    return tokens.length > 3 && tokens.every(el => {
        const { boxShadow } = getComputedStyle(el);
        const edge = boxShadow.match(/ -([\\d.]+)px 0px 0px 0px inset$/);
        const isSeen = edge && edge[1] >= 2 && !boxShadow.startsWith(getComputedStyle(el).backgroundColor);
        return el.matches(".fresh") || isSeen;
    });
}"""

# The accessible name of each token, without its number and id, and its colour.
LABELLED = """root => [...root.querySelectorAll("[role=option].t:not(.empty)")]
    .map(el => [el.getAttribute("aria-label"), getComputedStyle(el).backgroundColor])"""


def colours(view: Locator) -> dict[str, set[str]]:
    """Colours of every text that is drawn as a token."""
    found: dict[str, set[str]] = {}
    for text, colour in view.evaluate(PAINTED):
        found.setdefault(text, set()).add(colour)
    assert len(found) > 3
    return found


def flow(page: Page) -> Locator:
    return page.get_by_role("listbox", name="The training text in tokens")


def go_to(page: Page, number: int) -> None:
    step(page).fill(str(number))
    step(page).press("Enter")
    expect(flow(page)).to_have_attribute("data-step", str(number))


def test_a_token_has_one_colour_on_train_at_any_step(page: Page) -> None:
    open_page(page, f"/?sample={FIRST_SAMPLE}&vocab_size=656")
    wait_until_idle(page, quiet=600)
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for strong, theme in product((False, True), themes):
        switch_theme(page, theme)
        if strong and theme == "light":
            page.get_by_role("button", name="High contrast").click()
        known: dict[str, set[str]] = {}
        for number in (0, 256, 400, 3):
            go_to(page, number)
            for text, seen in colours(flow(page)).items():
                known.setdefault(text, set()).update(seen)
        assert all(len(seen) == 1 for seen in known.values())
        assert len({colour for seen in known.values() for colour in seen}) == 8


def test_a_token_that_follows_itself_is_told_apart(page: Page) -> None:
    open_train(page)
    for text in ("aaaa aaaaaa\nbbbbbbb " * 20, "\u05d0\u05d0\u05d0\u05d0 " * 8, "\u3042" * 30):
        use(page, text)
        expect(flow(page)).to_contain_text(text[0])  # not the previous text
        for number in (0, 2, 1):
            go_to(page, number)
            assert flow(page).evaluate(EDGES), text


def test_a_token_has_one_colour_in_all_tokenizers(page: Page) -> None:
    text = sample(FIRST_SAMPLE).text[:600]
    names = ["gpt2", "cl100k_base", "bert-base-uncased"]
    open_page(page, f"/compare?{urlencode({'text': text, 'with': names}, doseq=True)}")
    lines = page.locator(".st-key-lines-view .lanes")
    expect(lines).to_have_attribute("data-rev", re.compile("."))
    known: dict[str, set[str]] = {}
    for text, colour in lines.evaluate(LABELLED):
        known.setdefault(text, set()).add(colour)
    assert len(known) > 50
    assert all(len(seen) == 1 for seen in known.values())


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
