"""Every view as a picture for slides: the file parses, and its text is stored as text."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Literal
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route

from tests.browser.helpers import (
    expect,
    open_page,
    show_page_in_any_state,
    step,
    switch_theme,
    wait_for,
    wait_until_idle,
    wait_until_painted,
)
from tests.draws import first

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {f"{SVG}{name}" for name in ("svg", "title", "rect", "g", "text", "line", "path", "circle", "clipPath")}
HOSTILE = "</text><script>alert(1)</script> ]]> &amp; \x07\u200b <b>bold</b>"

PAGES = {
    "/?sample=toy_hug&step=1": ["This step", "hug", "What comes next", "Merge table", "Over the merges"],
    "/encode?with=gpt2&text=low+lower+東": ["Merge tree", "low", "E6", "step by step"],
    "/compare?with=gpt2&with=o200k_base&text=x+%3D+12345": [
        *("The same lines, in the tokens of each", "12345", "Counts"),
        *("The same paragraph in twelve languages", "Hindi", "Relative to English"),
    ],
    "/vocabulary?sample=toy_hug": ["How long they are", "Bytes"],
    "/algorithms?sample=toy_hug": ["Unigram: the best path", "WordPiece"],
    "/pipeline?with=gpt2&text=low+lower": ["Normalization", "attention mask", "low"],
}
"""The pages, and text contained in their pictures."""


class Drawn:
    """A picture as read by presentation software."""

    def __init__(self, data: bytes) -> None:
        self.root = ElementTree.fromstring(data)
        for each in self.root.iter():
            assert each.tag in ELEMENTS, each.tag
            for name, value in each.attrib.items():
                assert not name.startswith("on")
                assert "href" not in name
                assert "url(" not in value or value.startswith("url(#")
                assert "//" not in value
        self.texts = ["".join(each.itertext()) for each in self.root.iter(f"{SVG}text")]
        self.fills = [each.attrib["fill"] for each in self.root.iter(f"{SVG}rect") if "fill" in each.attrib]

    @property
    def size(self) -> tuple[int, int]:
        return int(self.root.attrib["width"]), int(self.root.attrib["height"])


def buttons(page: Page) -> Locator:
    return page.locator(".tv > button.picture:visible")


def open_menu(page: Page, button: Locator) -> None:
    button.click()
    expect(page.get_by_role("menu", name="Picture")).to_be_visible()


def downloaded(page: Page, button: Locator, item: str = "Download SVG") -> tuple[str, bytes]:
    """Name and content of the file that a click on a menu item saves."""
    open_menu(page, button)
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=item).click()
    page.keyboard.press("Escape")
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def picture(page: Page, button: Locator) -> Drawn:
    return Drawn(downloaded(page, button)[1])


def button_of(page: Page, view: str) -> Locator:
    """The button of the first view that contains this element."""
    return page.locator(".tv", has=page.locator(view)).first.locator("> button.picture")


@pytest.fixture
def two_tokens(shared_page: Page) -> Page:
    """Encode with a short text."""
    show_page_in_any_state(shared_page, "/encode?with=gpt2&text=low+lower")
    expect(shared_page.locator(".flow .t")).to_have_count(2)
    return shared_page


@pytest.mark.parametrize("path", first(2, PAGES))
def test_every_view_of_a_page_is_a_picture_whose_text_is_text(path: str, page: Page) -> None:
    open_page(page, path)
    expect(buttons(page).nth(1)).to_be_visible()
    wait_until_idle(page)
    texts = []
    for at in range(buttons(page).count()):
        drawn = picture(page, buttons(page).nth(at))
        assert len(drawn.texts) > 2
        assert any(text.startswith("http://localhost") for text in drawn.texts)
        texts += drawn.texts
    together = "".join("".join(texts).split())  # a term of the glossary is a text of its own
    assert not [text for text in PAGES[path][1:] if "".join(text.split()) not in together]


def test_a_sentence_beside_right_to_left_tokens_runs_left_to_right(page: Page) -> None:
    open_page(page, "/encode?with=gpt2&text=שלום")
    drawn = picture(page, button_of(page, ".rows .joint"))
    (sentence,) = [each for each in drawn.root.iter(f"{SVG}text") if "Nothing left" in "".join(each.itertext())]
    assert "direction" not in sentence.attrib


def test_a_picture_of_a_reason_has_its_name(page: Page) -> None:
    open_page(page, "/compare?with=gpt2&with=o200k_base&text=שלום")
    name, _ = downloaded(page, button_of(page, ".reason"))
    assert name == "bpe-lab-compare-missing-token.svg"


IN_ITS_LINE = """(buttons) => buttons.flatMap((button) => {
  const box = button.getBoundingClientRect();
  const view = button.closest(".tv");
  const host = button.getRootNode().host;
  const ends = Math.abs(view.getBoundingClientRect().right - (box.left + box.right) / 2 - 7) < 1.5;
  const own = view.querySelector(".over:not([hidden]) b:not(:empty)");
  let card = host;
  while (parseFloat(getComputedStyle(card).borderTopWidth) === 0) card = card.parentElement;
  const heading = own ?? card.querySelector("h2, strong");
  const line = heading.getClientRects()[0];
  const middle = (box.top + box.bottom) / 2;
  const inLine = line.top < middle && middle < line.bottom;
  const others = [...card.querySelectorAll("button, input, [data-testid=stSelectbox] > div")];
  const covers = others.some((each) => {
    const other = each.getBoundingClientRect();
    return other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top;
  });
  return ends && inLine && !covers && box.width === 24 ? [] : [heading.textContent];
})"""
"""Headings of the buttons that are not at the end of their heading's line, or that cover a control."""


@pytest.mark.parametrize(
    "path", first(2, ["/compare?with=gpt2&with=o200k_base&text=x+%3D+12345", "/pipeline", "/?step=3"])
)
@pytest.mark.parametrize("width", first(1, [1280, 800]))
def test_the_button_is_at_the_end_of_the_line_of_the_views_heading(page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, path)
    expect(buttons(page).nth(2)).to_be_visible()
    wait_until_idle(page)
    placed = page.locator(".tv:not(.headless) > button.picture:visible")
    assert placed.count() >= 3
    assert placed.evaluate_all(IN_ITS_LINE) == []


@pytest.mark.parametrize("theme", first(1, ["light", "dark"]))
def test_the_picture_of_spans_has_each_token_in_its_colour(two_tokens: Page, theme: Literal["light", "dark"]) -> None:
    page = two_tokens
    switch_theme(page, theme)
    name, data = downloaded(page, button_of(page, ".flow"))
    drawn = Drawn(data)
    assert name == "bpe-lab-encode-2-tokens-9-characters-9-bytes.svg"
    assert drawn.texts[:4] == ["2 tokens · 9 characters · 9 bytes", "low", "·", "lower"]
    assert len(set(drawn.fills)) >= 3


def test_the_menu_is_loaded_at_the_first_click_and_again_if_that_failed(uncached_page: Page) -> None:
    page = uncached_page
    asked: list[str] = []
    answers = [Route.abort, lambda route: route.fulfill(status=404), Route.continue_]

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        answers[len(asked) - 1](route)

    page.route("**/pictures.js*", answer)
    open_page(page, "/encode?with=gpt2&text=low+lower")
    button = button_of(page, ".flow")
    for _ in range(2):
        with page.expect_console_message(lambda message: "Failed to load resource" in message.text):
            button.click()
        wait_until_painted(page)
        expect(page.get_by_role("menu", name="Picture")).to_have_count(0)
    open_menu(page, button)
    expect(page.get_by_role("menuitem", name="Copy picture")).to_be_focused()
    page.keyboard.press("Escape")
    open_menu(page, button)
    assert len(asked) == len({*asked}) == 3  # a URL that has failed would fail again in many browsers


def test_a_click_elsewhere_while_the_menu_is_loading_opens_none(uncached_page: Page) -> None:
    page = uncached_page
    asked: list[Route] = []
    page.route("**/pictures.js", lambda route: asked.append(route))
    open_page(page, "/encode?with=gpt2&text=low+lower")
    button_of(page, ".flow").click()
    wait_for(page, lambda: len(asked) == 1)
    page.mouse.click(5, 500)
    with page.expect_event("requestfinished"):
        asked[0].continue_()
    wait_until_painted(page)
    expect(page.get_by_role("menu", name="Picture")).to_have_count(0)
    open_menu(page, button_of(page, ".flow"))


@pytest.mark.thorough
def test_hostile_text_stays_text(page: Page) -> None:
    open_page(page, f"/encode?with=gpt2&text={quote(HOSTILE)}")
    expect(page.locator(".flow .t").nth(8)).to_be_visible()
    drawn = picture(page, button_of(page, ".flow"))
    joined = "".join(drawn.texts)
    assert "</" in joined
    assert "script" in joined
    assert "BEL" in joined
    assert "\ufffd" not in joined
    assert "ZWSP" in joined
    assert any("</text><script>alert(1)</script>" in text for text in drawn.texts), "in the caption"


def test_hints_empty_space_and_the_rows_out_of_sight_are_left_out_of_pictures(page: Page) -> None:
    open_page(page, "/?step=3")
    table = page.locator(".tv", has_text="Merge table")
    expect(table.locator(".row.current")).to_have_count(1)
    wait_until_idle(page)
    hints = page.locator(".tv .hint:visible").all_inner_texts()
    assert "click a row to go there" in hints
    assert "Click another pair: what if it had won?" in hints
    for at in range(buttons(page).count()):
        texts = " ".join(picture(page, buttons(page).nth(at)).texts)
        assert not [hint for hint in hints if hint in texts]
    step(page).fill("42")
    step(page).press("Enter")
    expect(table.locator(".row.current")).to_contain_text("42")
    wait_until_idle(page)
    drawn = picture(page, table.locator("> button.picture"))
    assert "rows 33–42 of 256" in " ".join(drawn.texts)
    assert drawn.size[1] < 700
    story = page.locator(".tv", has=page.locator(".story")).first
    box = story.bounding_box()
    assert box
    page.keyboard.press("Escape")
    open_menu(page, story.locator("> button.picture"))
    without = page.get_by_role("menuitemcheckbox", name="With caption")
    without.click()
    page.keyboard.press("Escape")
    assert picture(page, story.locator("> button.picture")).size[1] < box["height"]


@pytest.mark.parametrize("theme", first(1, ["light", "dark"]))
def test_a_png_is_twice_as_large_and_not_blank(two_tokens: Page, theme: Literal["light", "dark"]) -> None:
    page = two_tokens
    switch_theme(page, theme)
    button = button_of(page, ".flow")
    width, height = picture(page, button).size
    name, data = downloaded(page, button, "Download PNG")
    assert name.endswith(".png")
    image = Image.open(BytesIO(data)).convert("RGB")
    assert image.size == (2 * width, 2 * height)
    assert len(image.getcolors(1_000_000) or []) > 20


@pytest.mark.thorough
@pytest.mark.parametrize("color_scheme", ["dark"])
def test_a_picture_for_print_is_dark_on_white_and_what_was_chosen_is_remembered(page: Page) -> None:
    open_page(page, "/encode?with=gpt2&text=low+lower")
    expect(page.locator(".flow .t")).to_have_count(2)
    button = button_of(page, ".flow")
    assert picture(page, button).fills[0] == "#0f1216"
    open_menu(page, button)
    page.get_by_role("menuitemcheckbox", name="For print").click()
    page.get_by_role("menuitemcheckbox", name="With caption").click()
    page.keyboard.press("Escape")
    printed = picture(page, button)
    assert printed.fills[0] == "#ffffff"
    assert not [text for text in printed.texts if "http" in text]
    assert page.locator(".tv .flow").first.evaluate("el => getComputedStyle(el).color") == "rgb(233, 236, 239)"
    page.reload()
    wait_until_idle(page)
    assert picture(page, button_of(page, ".flow")).fills[0] == "#ffffff"


def test_the_menu_is_used_by_keyboard_alone(two_tokens: Page) -> None:
    page = two_tokens
    button = button_of(page, ".flow")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Copy picture")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("menuitemcheckbox", name="With caption")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("menuitemcheckbox", name="With caption")).not_to_be_checked()
    page.keyboard.press("Space")  # with it again, for the next picture
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu", name="Picture")).to_have_count(0)
    expect(button).to_be_focused()
    open_menu(page, button)
    page.mouse.click(5, 500)
    expect(page.get_by_role("menu", name="Picture")).to_have_count(0)


def test_a_picture_is_copied(two_tokens: Page) -> None:
    page = two_tokens
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = button_of(page, ".flow")
    open_menu(page, button)
    page.get_by_role("menuitem", name="Copy SVG text").click()
    expect(page.get_by_role("menu").get_by_text("Copied")).to_be_visible()
    assert "lower" in Drawn(page.evaluate("navigator.clipboard.readText()").encode()).texts
    expect(page.get_by_role("menu", name="Picture")).to_have_count(0)
    open_menu(page, button)
    page.get_by_role("menuitem", name="Copy picture").click()
    expect(page.get_by_role("menu").get_by_text("Copied")).to_be_visible()
    kinds = page.evaluate("navigator.clipboard.read().then((items) => items.flatMap((item) => item.types))")
    assert kinds == ["image/png"]
