"""The stage as one scene: filled by a small text, walked by a remote alone, voted on by keys, and followed by notes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, Locator, Page, Route

from tests.browser.helpers import card, expect, open_page, step, tabs, wait_for, wait_until_idle
from tests.browser.serving import served_app

LARGEST_GAP = 0.2
"""Maximum share of the screen that may be empty."""

# Boxes of what is drawn in the cards: tokens, rows, sentences and captions; and the share of the window that they,
# the player and the tabs cover. Each card counts as the box around all that is drawn in it.
DRAWN = """() => {
    const boxes = [];
    const cards = [".st-key-story", ".st-key-text", ".st-key-candidates"].map((name) => document.querySelector(name));
    const cut = [];
    for (const card of cards) {
        const outer = card.getBoundingClientRect();
        const found = [];
        for (const el of card.querySelectorAll("*"))
            for (const drawn of el.shadowRoot?.querySelectorAll(".t, .row, .words, .over b, .over span") ?? []) {
                const box = drawn.getBoundingClientRect();
                if (!box.width || !box.height) continue;
                found.push(box);
                const isCut = box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1;
                if (isCut || box.bottom > outer.bottom + 1) cut.push(drawn.textContent);
            }
        const side = (name, pick) => pick(...found.map((box) => box[name]));
        boxes.push([side("left", Math.min), side("right", Math.max), side("top", Math.min), side("bottom", Math.max)]);
    }
    const player = document.querySelector(".st-key-player").getBoundingClientRect();
    const all = 100 * 100;
    let filled = 0;
    for (let x = 0.5; x < 100; x++)
        for (let y = 0.5; y < 100; y++) {
            const [left, top] = [(x / 100) * innerWidth, (y / 100) * innerHeight];
            const isIn = boxes.some(([l, r, t, b]) => left >= l && left <= r && top >= t && top <= b);
            if (isIn || top >= player.top) filled++;
        }
    return { share: filled / all, cut };
}"""

FRESH = """() => {
    const card = document.querySelector(".st-key-text");
    const roots = [...card.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
    const [fresh] = roots.flatMap((root) => [...root.querySelectorAll(".fresh")]);
    const [box, outer] = [fresh.getBoundingClientRect(), card.getBoundingClientRect()];
    const size = parseFloat(getComputedStyle(fresh).fontSize) * (fresh.currentCSSZoom ?? 1);
    return { isSeen: box.top >= outer.top && box.bottom <= outer.bottom, size };
}"""

SLOW_SERVER = """
const { addEventListener } = WebSocket.prototype;
let free = 0;
const later = (listener) => (event) => {
    free = Math.max(performance.now(), free) + 30;
    setTimeout(() => listener(event), free - performance.now());
};
WebSocket.prototype.addEventListener = function (type, listener, ...more) {
    return addEventListener.call(this, type, type === "message" ? later(listener) : listener, ...more);
};
Object.defineProperty(WebSocket.prototype, "onmessage", {
    set(listener) { addEventListener.call(this, "message", later(listener)); },
});
"""
"""Lets a page grow part by part, as on a busy machine."""


@pytest.fixture
def page(page: Page) -> Page:
    page.set_viewport_size({"width": 1920, "height": 1080})
    return page


def enter(page: Page, path: str) -> None:
    open_page(page, path)
    page.keyboard.press("s")
    expect(tabs(page).first).to_be_visible()
    wait_until_idle(page)


def message(page: Page) -> Locator:
    return page.locator("#bpe-lab-stage .message")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        wait_until_idle(page)


def press_fast(page: Page, key: str, times: int) -> None:
    for _ in range(times):
        page.keyboard.press(key)
    wait_until_idle(page)


def test_a_small_text_fills_the_screen_and_nothing_of_it_is_cut(page: Page) -> None:
    enter(page, "/?sample=toy_hug")
    expect(tabs(page).first).to_have_attribute("aria-selected", "true")
    press(page, "ArrowRight")
    expect(page.locator(".st-key-story")).to_contain_text("Merge 1.")
    wait_for(page, lambda: page.evaluate(DRAWN)["share"] >= 1 - LARGEST_GAP)
    for merge in range(2, 5):
        press(page, "ArrowRight")
        expect(page.locator(".st-key-story")).to_contain_text(f"Merge {merge}.")
        wait_for(page, lambda: not page.evaluate(DRAWN)["cut"])


def test_a_long_text_stays_legible_and_scrolls_to_its_merge(page: Page) -> None:
    enter(page, "/?sample=lantern_story")
    press(page, "End")
    expect(step(page)).to_have_value("256")
    wait_for(page, lambda: page.evaluate(FRESH)["isSeen"])
    assert page.evaluate(FRESH)["size"] >= 28
    press(page, "Home", "ArrowRight")
    wait_for(page, lambda: page.evaluate(FRESH)["isSeen"])


def where(page: Page) -> str:
    """The place that the remote has reached; at the steps of a page, the player's step. The page is idle."""
    if page.locator(".st-key-open-the-page").is_visible():
        return "text" if page.locator(".st-key-lesson-text").is_visible() else "question"
    expect(page.locator(".st-key-strip-question")).to_be_visible()
    if page.locator(".st-key-strip-answered").is_visible():
        return "answer"
    return step(page).input_value() if step(page).is_visible() else "page"


def asked(page: Page) -> str:
    return page.locator(".st-key-to-the-class, .st-key-strip-question").first.text_content() or ""


def walk(page: Page, key: str, until: str) -> list[str]:
    """Places that the remote reaches by this key, until a question or a message of the stage contains these words."""
    places = [where(page)]
    for _ in range(60):
        if until in asked(page) or until in (message(page).text_content() or ""):
            return places
        press(page, key)
        place = where(page)
        if place != places[-1]:  # the answer may scroll
            places.append(place)
    raise AssertionError(places)


def test_a_remote_walks_lessons_in_one_order_and_back(page: Page) -> None:
    enter(page, "/lessons?lesson=beginners.counting_letters")
    assert walk(page, "PageDown", "one token for each word") == ["question", "text", "page", "answer", "question"]
    assert walk(page, "PageUp", "This is the beginning") == ["question", "answer", "page", "text", "question"]


def test_of_a_long_training_a_remote_walks_the_first_steps_and_the_last_and_comes_back_by_them(page: Page) -> None:
    enter(page, "/lessons?lesson=beginners.three_levels")
    press(page, "PageDown", "PageDown", "PageDown")
    press_fast(page, "ArrowRight", 11)
    assert walk(page, "PageDown", "which two letters") == ["12", "100", "answer", "question"]
    for place in ("answer", "100", "12", "11"):
        press(page, "PageUp")
        assert where(page) == place
    press_fast(page, "ArrowLeft", 10)
    for place in ("0", "text", "question"):
        press(page, "PageUp")
        assert where(page) == place


def test_a_key_of_the_remote_waits_for_the_page_that_it_went_to(page: Page) -> None:
    page.add_init_script(SLOW_SERVER)
    enter(page, "/lessons?lesson=beginners.three_levels")
    press(page, "PageDown")
    assert where(page) == "text"
    page.keyboard.press("PageDown")  # to the page, which the server draws a second later
    while not step(page).is_visible():
        page.keyboard.press("PageDown")
        page.wait_for_timeout(50)
    wait_until_idle(page)
    assert where(page) in {"0", "1", "2"}  # neither the answer nor the next lesson


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 900)])
def test_a_merge_with_many_ties_is_told_whole_with_its_marks_beside_the_text(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    enter(page, "/lessons?lesson=three_levels")
    press(page, "o", "End")
    story = page.locator(".st-key-story")
    expect(story.locator(".brief")).to_have_text("A tie of 27 pairs, and the one seen first won.")
    expect(story.locator(".brief")).to_be_visible()
    expect(story.locator(".full")).to_be_hidden()
    wait_for(page, lambda: story.evaluate("el => el.scrollHeight <= el.clientHeight + 1"))
    marks = page.locator("#bpe-lab-stage .more")
    expect(marks).to_have_count(1)  # of the table
    mark = marks.bounding_box()
    rows = page.locator(".st-key-candidates .scroll").bounding_box()
    assert mark
    assert rows
    assert mark["x"] >= rows["x"] + rows["width"]
    press(page, "3")
    expect(story.locator(".full")).to_contain_text("this one in word 19")
    expect(story.locator(".full")).to_be_visible()
    expect(story.locator(".brief")).to_be_hidden()


def test_at_the_last_merge_a_remote_turns_the_cards_and_says_where_the_end_is(page: Page) -> None:
    enter(page, "/?sample=toy_hug")
    press(page, "End", "PageDown")
    expect(card(page, "Text")).to_be_visible()
    press(page, "PageUp")
    expect(card(page, "At a glance")).to_be_visible()
    expect(step(page)).to_have_value("4")
    press(page, "PageUp", "PageDown")
    expect(step(page)).to_have_value("4")
    for _ in range(tabs(page).count()):
        press(page, "ArrowRight")  # remotes that send arrows
    expect(tabs(page).last).to_have_attribute("aria-selected", "true")
    expect(message(page)).to_have_text("This is the end.")


def test_a_class_votes_by_keys_and_the_merge_is_revealed_with_the_votes_beside_it(page: Page) -> None:
    enter(page, "/?sample=toy_hug&predict=1")
    choices = page.locator(".st-key-candidates .choice")
    expect(choices).to_have_count(6)
    press(page, "b", "1", "2", "e", "5", "a", "a", "Shift+A", "2", "b")
    hands = page.get_by_role("textbox", name="Hands for")
    expect(hands.nth(0)).to_have_value("2")
    expect(hands.nth(1)).to_have_value("13")
    press(page, "Shift+B")
    expect(hands.nth(1)).to_have_value("12")
    expect(hands.nth(4)).to_have_value("5")
    expect(page.get_by_text("20 times")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-candidates .right")).to_contain_text("20 times")
    expect(page.locator(".st-key-candidates")).to_contain_text("No, it is u + g, 20 times.")
    box, right = choices.locator("..").bounding_box(), choices.locator(".note").first.bounding_box()
    assert box is not None
    assert right is not None
    assert right["x"] + right["width"] <= box["x"] + box["width"]
    expect(hands.nth(1)).to_have_value("12")
    press(page, "PageDown")
    expect(step(page)).to_have_value("1")
    expect(hands.nth(1)).to_have_value("")
    press(page, "PageDown")  # without votes it only reveals
    expect(page.locator(".st-key-candidates")).to_contain_text("It is u + n, 16 times.")
    choices.nth(1).get_by_role("button").first.hover()
    expect(page.locator("#bpe-lab-stage .large")).to_be_hidden()
    press(page, "2")  # digits are cards again
    expect(card(page, "Text")).to_be_visible()


def test_votes_are_counted_while_the_stage_is_still_loading(page: Page) -> None:
    open_page(page, "/?sample=toy_hug&predict=1")
    expect(page.locator(".st-key-candidates .choice")).to_have_count(6)
    held: list[Route] = []
    page.route("**/stage.js", lambda route: held.append(route))
    page.keyboard.press("s")
    wait_for(page, lambda: bool(held))
    for key in ("b", "1", "2", "e", "Shift+E", "e", "a", "5", "Shift+B"):
        page.keyboard.press(key)
    held[0].continue_()
    hands = page.get_by_role("textbox", name="Hands for")
    expect(hands.nth(0)).to_have_value("5")
    expect(hands.nth(1)).to_have_value("11")
    expect(hands.nth(4)).to_have_value("1")


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_the_next_question_is_in_sight_below_the_reason_of_the_merge(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    enter(page, "/?sample=toy_loop&step=2&predict=1&via=a_tie_decides")
    press(page, "1", "Enter")
    card = page.locator(".st-key-candidates")
    for shown in (
        card.get_by_text("in a tie the one seen first wins"),
        card.get_by_role("button", name="Next question"),
    ):
        wait_for(page, lambda shown=shown: below(shown) <= below(card))  # type: ignore[misc]


def below(shown: Locator) -> float:
    """Its lower edge in the window."""
    box = shown.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_the_window_with_the_notes_follows_the_stage_and_its_keys_move_it(page: Page) -> None:
    enter(page, "/lessons?lesson=beginners.hug_pug")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.get_by_role("heading", level=1)).to_contain_text("which two letters are merged first?")
    expect(notes.locator(".notes")).to_contain_text("Have the class count on paper")
    expect(notes.locator(".next")).to_contain_text("The text of this lesson")
    notes.keyboard.press("PageDown")
    expect(notes.locator(".next")).to_contain_text("The page of this lesson")
    notes.keyboard.press("PageDown")
    expect(page.locator(".st-key-strip-question")).to_be_visible()
    wait_until_idle(page)
    expect(notes.locator(".next")).to_contain_text("The merge is revealed.")
    notes.keyboard.press("PageDown")
    expect(notes.locator(".next")).to_contain_text("Step 1")
    notes.keyboard.press("PageDown")
    expect(notes.locator(".where")).to_contain_text("Step 1 of 4")
    expect(notes.locator(".next")).to_contain_text("The merge is revealed.")
    page.reload()
    expect(tabs(page).first).to_be_visible()
    wait_until_idle(page)
    expect(notes.locator(".where")).to_contain_text("Step 1 of 4")
    expect(notes.locator(".next")).to_contain_text("The merge is revealed.")
    notes.keyboard.press("PageDown")
    expect(notes.locator(".next")).to_contain_text("Step 2")
    notes.keyboard.press("PageDown")
    expect(notes.locator(".where")).to_contain_text("Step 2 of 4")
    notes.evaluate("sessionStorage.setItem('bpe-lab-notes-started', String(Date.now() - 3_725_000))")
    notes.reload()
    expect(notes.locator(".elapsed")).to_contain_text("1:02:0")
    expect(notes.locator(".where")).to_contain_text("Step 2 of 4")
    notes.get_by_role("button", name="Reset").click()
    expect(notes.locator(".elapsed")).to_contain_text(re.compile("^0:0"))
    notes.close()


def test_a_browser_that_blocks_the_window_is_named(page: Page) -> None:
    enter(page, "/?sample=toy_hug")
    page.evaluate("window.open = () => null")
    page.keyboard.press("n")
    expect(message(page)).to_contain_text("Allow pop-ups for this address")


def test_tables_scroll_by_arrows_and_show_that_they_go_on(page: Page) -> None:
    enter(page, "/?sample=lantern_story")
    press(page, "ArrowRight", "6")
    merges = page.get_by_role("grid", name="Merges")
    expect(page.locator("#bpe-lab-stage .more")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    wait_for(page, lambda: merges.evaluate("el => el.scrollTop") > 50)
    page.keyboard.press("5")
    changes = page.get_by_role("grid", name="Pairs whose count this merge changed")
    page.keyboard.press("ArrowDown")
    wait_for(page, lambda: changes.evaluate("el => el.scrollTop") > 50)
    page.keyboard.press("ArrowUp")
    wait_for(page, lambda: changes.evaluate("el => el.scrollTop") == 0)


def test_a_server_for_this_machine_alone_says_how_to_start_it_for_a_class(page: Page) -> None:
    enter(page, "/?sample=toy_hug")
    page.keyboard.press("q")
    link = page.get_by_role("dialog", name="Link for the class")
    expect(link).to_contain_text("scripts/run --server.address 0.0.0.0")
    expect(link.get_by_role("img")).to_be_hidden()
    page.keyboard.press("q")
    expect(link).to_have_count(0)
    expect(tabs(page).first).to_be_visible()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for a class, whose machine is called class.example."""
    arguments = ("--server.address", "0.0.0.0", "--browser.serverAddress", "class.example")
    with served_app(tmp_path_factory.mktemp("class"), arguments=arguments) as served:
        yield served.url


# Dark modules of the drawn code, without its white margin.
MODULES = r"""() => {
    const svg = document.querySelector("#bpe-lab-link").shadowRoot.querySelector("svg");
    const size = Number(svg.getAttribute("viewBox").split(" ")[2]) - 8;
    const rows = Array.from({ length: size }, () => Array(size).fill("0"));
    for (const [, x, y] of svg.querySelector("path").getAttribute("d").matchAll(/M(\d+) (\d+)h1v1h-1z/g))
        rows[y - 4][x - 4] = "1";
    return rows.map((row) => row.join(""));
}"""


def test_links_name_the_machine_in_the_network_and_the_code_is_that_of_the_link(chromium: Browser, site: str) -> None:
    context = chromium.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
    page = context.new_page()
    page.goto(f"{site}/?sample=toy_hug")
    wait_until_idle(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    outside = site.replace("localhost", "class.example")
    copied: Any = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{outside}/?")
    page.get_by_role("button", name="Link for the class").click()
    shown = page.get_by_role("dialog", name="Link for the class")
    expect(shown.get_by_role("img", name="QR code of the link")).to_be_visible()
    link = shown.locator(".link").text_content() or ""
    assert link.startswith(f"{outside}/?sample=toy_hug")
    assert page.evaluate(MODULES) == ["".join(map(str, row)) for row in segno.make_qr(link, error="l").matrix]
    page.keyboard.press("Escape")
    expect(shown).to_have_count(0)
    context.close()
