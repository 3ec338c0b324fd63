"""The stage in a browser: cards over the whole window, keyboard control, and animated merges."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route

from tests.browser.helpers import (
    card,
    expect,
    open_page,
    show_page,
    step,
    tabs,
    wait_for,
    wait_until_idle,
    wait_until_painted,
)
from tests.draws import examples, first

TRAIN = "/?sample=parallel_en"
"""A page with little content, drawn quickly."""

PAGES = [TRAIN, "/", "/compare", "/encode", "/vocabulary", "/algorithms", "/pipeline", "/lessons?lesson=overlaps"]
SPAN, TEXT = 28, 20
"""Font sizes in pixels at 1920 × 1080 that are legible from the back row: of tokens, and of all other text."""

# Every drawn text with its effective font size; byte pieces and marks are smaller than their token.
TYPE = """() => {
    const found = [];
    const walk = (node) => {
        if (node.nodeType === Node.TEXT_NODE) {
            const el = node.parentElement;
            const isSeen = el?.checkVisibility({ visibilityProperty: true, opacityProperty: true });
            if (!isSeen || !node.data.trim()) return;
            const range = document.createRange();
            range.selectNodeContents(node);
            const box = range.getBoundingClientRect();
            if (box.width < 2 || box.bottom < 0 || box.top > innerHeight) return;
            const token = el.closest(".t");
            const isPart = el.closest(".hex, .m.name, .above, .chip, sup, .inline, .said, .material-symbols");
            if (isPart || getComputedStyle(el).fontFamily.includes("Material")) return;
            const size = parseFloat(getComputedStyle(el).fontSize) * (el.currentCSSZoom ?? 1);
            found.push([token ? "token" : "text", size, node.data.trim().slice(0, 40)]);
            return;
        }
        if (node instanceof Element && getComputedStyle(node).clipPath === "inset(50%)") return;
        for (const child of node.shadowRoot?.childNodes ?? []) walk(child);
        for (const child of node.childNodes) walk(child);
    };
    walk(document.body);
    return found;
}"""

# Number of tokens drawn over others while they are joined, in each frame from now on.
WATCH = """() => {
    window.joined = [];
    const inside = [...document.querySelectorAll(".st-key-text-view *")].map((el) => el.shadowRoot).find(Boolean);
    const mine = (window.watching = {});
    const look = () => {
        if (window.watching !== mine) return;
        window.joined.push(inside.querySelectorAll(".joining .ghost").length);
        requestAnimationFrame(look);
    };
    look();
}"""


@pytest.fixture
def page(shared_page: Page) -> Page:
    """The shared tab of this file, in a window of the default size. A test may leave it on the stage."""
    resize(shared_page, 1280, 900)
    shared_page.emulate_media(reduced_motion="no-preference")
    return shared_page


@pytest.fixture
def projector(shared_page: Page) -> Page:
    """The same in a window of a projector's size."""
    resize(shared_page, 1920, 1080)
    return shared_page


def resize(page: Page, width: int, height: int) -> None:
    """Resize the window. On the stage it is as large as the screen, so leave the stage first."""
    if page.viewport_size == {"width": width, "height": height}:
        return
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.fullscreenElement === null")
    page.set_viewport_size({"width": width, "height": height})


def chosen(page: Page) -> Locator:
    return page.get_by_role("tablist", name="Cards of the page").get_by_role("tab", selected=True)


def black(page: Page) -> Locator:
    return page.locator("#bpe-lab-stage .black")


def enter(page: Page, path: str = TRAIN) -> None:
    """Enter the stage with the first card, at the first step."""
    if not (tabs(page).first.is_visible() and page.evaluate("window.asOpened?.path") == path):
        size = page.viewport_size
        assert size is not None
        resize(page, 1280, 900)
        show_page(page, path)
        page.set_viewport_size(size)
        wait_until_idle(page)
        page.keyboard.press("s")
        expect(tabs(page).first).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("1")  # a tab remembers the card
    expect(tabs(page).first).to_have_attribute("aria-selected", "true")
    if path == TRAIN:
        expect(step(page)).to_have_value("0")
    wait_until_idle(page)


def test_the_key_of_the_stage_is_not_lost_before_its_words_have_come(uncached_page: Page) -> None:
    page = uncached_page
    held: list[Route] = []
    page.route("**/bpe-lab.*/en-XA.json", lambda route: held.append(route))
    page.goto("/encode?lang=en-XA")
    wait_for(page, lambda: bool(held))
    page.keyboard.press("s")
    wait_until_painted(page)
    expect(tabs(page)).to_have_count(0)
    for route in held:
        route.continue_()
    expect(tabs(page).first).to_be_visible()


def test_a_visitor_s_stage_begins_with_the_first_card_leaves_keys_to_a_field_and_comes_back_after_a_reload_or_by_a_link(
    new_page: Page,
) -> None:
    page = new_page
    open_page(page, "/encode?stage=1")
    expect(chosen(page)).to_have_text("1Tokens")
    field = page.get_by_label("Text to encode")
    field.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("sb.2a?")
    expect(field, "keys in a text field are text").to_have_value("sb.2a?")
    expect(black(page)).to_be_hidden()
    expect(chosen(page)).to_have_text("1Tokens")
    page.keyboard.press("Escape")  # the stage handles the keys again
    expect(tabs(page).first).to_be_visible()
    page.keyboard.press("2")
    expect(chosen(page)).to_have_text("2Token")
    wait_until_idle(page)
    page.reload()
    expect(chosen(page)).to_have_text("2Token")
    page.keyboard.press("Escape")
    page.reload()
    wait_until_idle(page)
    expect(tabs(page)).to_have_count(0)


def test_a_course_is_stepped_and_answered_by_keys_without_leaving_the_stage(new_page: Page) -> None:
    page = new_page
    enter(page, "/lessons?lesson=beginners.three_levels")
    page.keyboard.press("o")
    strip = page.locator(".st-key-lesson-strip")
    expect(strip).to_contain_text("one token for each word")
    expect(card(page, "At a glance")).to_be_visible()
    wait_until_idle(page)
    page.keyboard.press("a")
    expect(page.locator(".st-key-strip-answered")).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator(".st-key-strip-answered")).to_have_count(0)
    wait_until_idle(page)
    page.keyboard.press("Shift+ArrowRight")
    expect(strip).to_contain_text("which two letters are merged first?")
    wait_until_idle(page)
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect(strip).to_contain_text("How many times does the letter r")
    wait_until_idle(page)
    expect(tabs(page).first).to_be_visible()
    expect(page.get_by_role("link", name="Encode", exact=True)).to_have_count(0)  # no page around the card


@pytest.mark.parametrize("path", first(1, PAGES))
def test_the_back_row_reads_every_card(projector: Page, path: str) -> None:
    enter(projector, path)
    for tab in tabs(projector).all():
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        wait_until_idle(projector)
        small = [found for found in projector.evaluate(TYPE) if found[1] < (SPAN if found[0] == "token" else TEXT)]
        assert not small, f"{tab.text_content()}: {small}"


def test_the_token_under_the_pointer_is_enlarged_and_nothing_moves(projector: Page) -> None:
    enter(projector)
    token = projector.get_by_role("listbox", name="The training text in tokens").get_by_role("option").nth(40)
    before = token.bounding_box()
    token.hover()
    shown = projector.locator(".tip-text")
    size = shown.evaluate("el => parseFloat(getComputedStyle(el).fontSize) * el.currentCSSZoom")
    assert size >= 1.5 * SPAN
    assert token.bounding_box() == before
    projector.keyboard.press("6")
    projector.locator(".st-key-merge-table .t").first.hover()  # of a view without a tooltip
    expect(projector.locator("#bpe-lab-stage .large")).to_be_visible()


def test_digits_choose_cards_and_the_others_are_not_seen(page: Page) -> None:
    enter(page)
    expect(card(page, "At a glance")).to_be_visible()
    expect(page.get_by_role("grid", name="Merges")).to_have_count(0)
    page.keyboard.press("3")
    expect(chosen(page)).to_have_text("3This step")
    expect(card(page, "This step")).to_be_visible()
    expect(card(page, "At a glance")).to_have_count(0)
    expect(page.get_by_role("listbox", name="The training text in tokens")).to_have_count(0)
    expect(step(page)).to_be_visible()  # the player stays


def test_a_table_fills_its_card_with_the_current_merge_in_sight(page: Page) -> None:
    enter(page)
    page.keyboard.press("6")
    merges = page.get_by_role("grid", name="Merges")
    expect(merges).to_be_visible()
    page.keyboard.press("End")
    expect(merges.locator("[aria-current=true]")).to_contain_text(re.compile("^158"))
    expect(merges.locator("[aria-current=true]")).to_be_in_viewport(ratio=0.9)
    table, player = merges.bounding_box(), page.locator(".st-key-player").bounding_box()
    assert table is not None
    assert player is not None
    assert 0 < player["y"] - table["y"] - table["height"] < 80


def test_arrows_and_a_remote_step_the_player_on_the_stage(page: Page) -> None:
    enter(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    expect(step(page)).to_have_value("2")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_b_and_the_remote_s_key_make_the_screen_black_until_any_key(page: Page) -> None:
    enter(page)
    for key in ("b", "."):
        page.keyboard.press(key)
        expect(black(page)).to_be_visible()
        page.keyboard.press("ArrowRight")  # shows the card again, and does nothing else
        expect(black(page)).to_be_hidden()
        wait_until_idle(page)
        expect(step(page)).to_have_value("0")


def test_a_merge_is_seen_to_join_its_pairs(page: Page) -> None:
    enter(page)
    page.evaluate(WATCH)
    page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value("1")
    page.wait_for_function("() => window.joined.some((count) => count > 1)")
    page.wait_for_function("() => window.joined.at(-1) === 0")  # no overlay remains
    page.evaluate("window.watching = undefined")


def test_nobody_who_asks_for_less_motion_sees_any(page: Page) -> None:
    enter(page)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(WATCH)
    for merge in ("1", "2"):
        page.keyboard.press("ArrowRight")
        expect(step(page)).to_have_value(merge)
        wait_until_idle(page)
    assert page.evaluate("Math.max(...window.joined)") == 0
    page.evaluate("window.watching = undefined")


@pytest.mark.thorough
def test_leaving_the_full_screen_leaves_the_stage(page: Page) -> None:
    enter(page)
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")
    expect(tabs(page)).to_have_count(0)


def test_question_mark_shows_the_keys_below_all_else_and_the_next_key_hides_them(page: Page) -> None:
    enter(page)
    keys = page.get_by_role("region", name="Keys")
    expect(keys).to_be_hidden()
    page.keyboard.press("?")
    expect(keys).to_contain_text("leave the stage")
    shown, player = keys.bounding_box(), page.locator(".st-key-player").bounding_box()
    assert shown is not None
    assert player is not None
    assert player["y"] + player["height"] <= shown["y"] + 1
    page.keyboard.press("2")
    expect(keys).to_be_hidden()


def test_escape_leaves_the_stage_and_gives_the_focus_back(page: Page) -> None:
    enter(page)  # and choose the first card, which the tab remembers
    page.keyboard.press("Escape")
    button = page.get_by_role("button", name="Stage", exact=True)
    button.click()
    expect(tabs(page).first).to_be_visible()
    expect(card(page, "At a glance")).to_be_focused()
    page.keyboard.press("Escape")
    expect(tabs(page)).to_have_count(0)
    expect(button).to_be_focused()
    expect(page.get_by_role("grid", name="Merges")).to_be_visible()


def test_whoever_comes_back_at_once_stays_on_the_stage(page: Page) -> None:
    enter(page)
    for _again in range(1 + examples(4)):
        page.keyboard.press("Escape")
        page.keyboard.press("s")
    page.wait_for_function("() => document.fullscreenElement !== null")
    expect(tabs(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(tabs(page)).to_have_count(0)
    page.wait_for_function("() => document.fullscreenElement === null")


def test_fast_keys_lose_no_step_while_a_merge_is_being_shown(page: Page) -> None:
    enter(page)
    flow = page.get_by_role("listbox", name="The training text in tokens")
    page.keyboard.press("ArrowRight")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(step(page)).to_have_value("10")
    expect(flow).to_have_attribute("data-step", "10")
    wait_until_idle(page)
    drawn = flow.get_by_role("option").count()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name=f"{drawn:,} tokens")).to_be_visible()
