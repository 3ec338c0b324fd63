"""Every page on a phone of 390 pixels, read and stepped with a thumb, and in a narrow window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.browser.serving import PATIENCE
from tests.draws import first

HEIGHT = 844
THUMB = 40
"""Minimum size in pixels of the controls for stepping with a thumb."""

CONTENT: dict[str, Callable[[Page], Locator]] = {
    "/?step=12": lambda page: page.get_by_role("group", name="This step"),
    "/encode": lambda page: page.get_by_role("listbox", name="The text in tokens"),
    "/compare": lambda page: page.locator(".segmentation").first,
    "/vocabulary": lambda page: page.get_by_role("heading", name="512 tokens"),
    "/algorithms": lambda page: page.get_by_role("region", name="BPE", exact=True),
    "/pipeline": lambda page: page.get_by_text("as it came in"),
    "/lessons": lambda page: page.get_by_text("From letters to tokens").first,
    "/lessons?lesson=counting_letters": lambda page: page.get_by_role("heading", name="Why counting letters fails"),
}
"""The main content of each page, which comes before its settings or right after them."""


Tabs = Callable[[str], Page]
"""The tab that shows a path, opened by its first test; the others come after it and leave the page as it is."""


def tabs_in(context: BrowserContext) -> Tabs:
    context.set_default_timeout(PATIENCE)

    @cache
    def tab(path: str) -> Page:
        page = context.new_page()
        open_page(page, path)
        return page

    return tab


@pytest.fixture(scope="module")
def phone(chromium: Browser, app_url: str) -> Iterator[Tabs]:
    viewport = {"width": 390, "height": HEIGHT}
    with chromium.new_context(base_url=app_url, viewport=viewport, has_touch=True, is_mobile=True) as context:  # type: ignore[arg-type]
        yield tabs_in(context)


@pytest.fixture(scope="module")
def narrow(chromium: Browser, app_url: str) -> Iterator[Tabs]:
    with chromium.new_context(base_url=app_url, viewport={"width": 800, "height": 1000}) as context:
        yield tabs_in(context)


def sideways(page: Page) -> int:
    """Pixels by which the page could be scrolled sideways."""
    assert page.evaluate("document.documentElement.scrollWidth") == page.evaluate("innerWidth")
    main = page.get_by_test_id("stMain")
    return int(main.evaluate("main => Math.max(main.scrollWidth - main.clientWidth, main.scrollLeft)"))


def top(el: Locator) -> float:
    box = el.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize("path", CONTENT)
def test_a_page_on_a_phone_shows_its_content_at_once_and_scrolls_down_only(phone: Tabs, path: str) -> None:
    page = phone(path)
    content = CONTENT[path](page)
    expect(content).to_be_visible()
    assert top(content) < HEIGHT
    assert sideways(page) == 0
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    wait_until_idle(page)
    assert sideways(page) == 0


@pytest.mark.parametrize("path", first(1, CONTENT))  # test_axe.py opens every page in one of 800 pixels
def test_a_narrow_window_names_every_page_and_scrolls_down_only(narrow: Tabs, path: str) -> None:
    page = narrow(path)
    expect(CONTENT[path](page)).to_be_visible()
    assert sideways(page) == 0
    header = page.get_by_test_id("stHeader")
    for name in ("Train", "Encode", "Compare", "Vocabulary", "Algorithms", "Pipeline", "Lessons"):
        expect(header.get_by_role("link", name=name)).to_be_in_viewport()
    expect(header.get_by_text("more")).to_have_count(0)


@pytest.mark.parametrize("path", first(1, ["/encode", "/pipeline"]))
def test_a_mouse_finds_all_settings_in_sight_at_twice_the_zoom(narrow: Tabs, path: str) -> None:
    page = narrow(path)
    page.set_viewport_size({"width": 640, "height": 450})
    strip = page.locator(".st-key-strip, .st-key-pipeline-choices").first
    assert strip.evaluate("strip => strip.scrollWidth - strip.clientWidth") <= 0
    page.set_viewport_size({"width": 800, "height": 1000})


def test_a_narrow_window_says_below_the_bar_that_a_link_was_copied(narrow: Tabs) -> None:
    page = narrow("/encode")
    page.get_by_role("button", name="Copy link").click()
    box = page.get_by_text("Copied").bounding_box()
    assert box is not None
    assert box["width"] > 50
    assert box["y"] > 30


def test_the_player_is_stepped_by_taps_on_targets_for_a_thumb(phone: Tabs) -> None:
    for path in ("/?step=12", "/algorithms?step=3"):
        page = phone(path)
        number = page.get_by_role("spinbutton", name="Go to")
        before = int(number.input_value())
        controls = [
            page.get_by_role("button", name=name, exact=True) for name in ("First", "Back", "Next", "Last", "Play")
        ]
        for control in [*controls, number, page.get_by_role("combobox", name="Speed"), page.locator(".slider")]:
            box = control.bounding_box()
            assert box is not None
            assert min(box["height"], box["width"]) >= THUMB, control
        page.get_by_role("button", name="Next", exact=True).tap()
        expect(number).to_have_value(str(before + 1))
        page.get_by_role("button", name="Back", exact=True).tap()
        expect(number).to_have_value(str(before))
        wait_until_idle(page)


def test_a_tie_and_the_reasons_of_changed_counts_are_whole(phone: Tabs) -> None:
    page = phone("/?step=1")
    words = page.get_by_role("group", name="This step").get_by_text("A tie")
    expect(words).to_be_visible()
    story = page.locator(".st-key-story .story")
    assert story.evaluate("story => story.scrollHeight <= story.clientHeight")
    table = page.get_by_role("grid", name="Pairs whose count this merge changed")
    expect(table).to_contain_text("h was merged")
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")


def test_compare_opens_at_the_beginning_of_the_first_line(phone: Tabs) -> None:
    page = phone("/compare")
    lanes = page.get_by_role("listbox").filter(has=page.locator(".segmentation"))
    expect(page.locator(".note")).to_have_count(1)
    assert lanes.evaluate("lanes => lanes.scrollTop") == 0


def test_the_published_vocabularies_on_the_cost_curve_are_named_apart(phone: Tabs) -> None:
    page = phone("/?step=12")
    chart = page.locator(".st-key-costs figure .plot")
    chart.scroll_into_view_if_needed()
    expect(page.locator(".st-key-costs figure .plot.drawn")).to_be_visible()
    for texts in (".textpoint", ".xtick text"):
        boxes = [text.bounding_box() for text in chart.locator(texts).all()]
        assert len(boxes) >= 3
        for number, one in enumerate(boxes):
            for other in boxes[:number]:
                assert one is not None
                assert other is not None
                beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
                assert beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]


def test_what_a_phone_has_no_room_for_is_not_offered(phone: Tabs, narrow: Tabs) -> None:
    for tabs, offered in ((phone, False), (narrow, True)):
        page = tabs("/compare")
        expect(page.get_by_role("button", name="Copy link")).to_be_visible()
        expect(page.get_by_role("button", name="Stage")).to_have_count(int(offered))


def test_hints_say_what_a_finger_can_do(phone: Tabs, narrow: Tabs) -> None:
    for tabs, tap, drag in ((phone, 1, 0), (narrow, 0, 1)):
        page = tabs("/vocabulary")
        expect(page.get_by_text("tap a bar, or set a range below").filter(visible=True)).to_have_count(tap)
        expect(page.get_by_text("click a bar, or drag over several").filter(visible=True)).to_have_count(drag)


def test_a_finger_drags_over_the_characters_of_a_label(phone: Tabs) -> None:
    page = phone("/pipeline")
    labels = page.locator(".st-key-labels-over-tokens")
    labels.scroll_into_view_if_needed()
    expect(labels.get_by_text("Tap a word or drag over characters, then choose a label.")).to_be_visible()
    expect(labels.get_by_text("Del", exact=True)).to_be_hidden()
    characters = labels.locator(".c")
    first, last = characters.nth(4).bounding_box(), characters.nth(7).bounding_box()
    assert first is not None
    assert last is not None
    finger = page.context.new_cdp_session(page)
    ends = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (first, last)]
    way = [(ends[0][0] + (ends[1][0] - ends[0][0]) * part / 8, ends[0][1]) for part in range(9)]
    for number, (x, y) in enumerate(way):
        kind = "touchMove" if number else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    expect(labels.locator(".c.on")).to_have_text(["c", "a", "f", "é"])
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()
    labels.get_by_role("button", name="PER Person").click()
    expect(labels.locator(".mark").first).to_contain_text("café")


def test_no_heading_is_below_its_button_for_pictures(phone: Tabs) -> None:
    page = phone("/compare")
    title = page.get_by_role("heading", name="The same lines, in the tokens of each")
    button = page.locator(".st-key-lines").get_by_role("button", name="Picture").first
    expect(button).to_be_visible()
    end = title.evaluate(
        "title => { const text = document.createRange(); text.selectNodeContents(title);"
        " return Math.max(...[...text.getClientRects()].map(({ right }) => right)); }"
    )
    box = button.bounding_box()
    assert box is not None
    assert end <= box["x"]


def test_the_choice_of_what_the_text_card_shows_covers_nothing(phone: Tabs) -> None:
    page = phone("/?step=12")
    choice = page.get_by_role("radiogroup").filter(has=page.get_by_role("radio", name="Unseen text"))
    count = page.get_by_role("heading", name="1,912 tokens")
    box = choice.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= top(count)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


# The choice of what the text card shows, and the text beside it, where they overlap.
COVERED = """() => {
    const over = [...document.querySelectorAll(".st-key-text *")].find(el => el.shadowRoot?.querySelector(".over"));
    const boxes = [...document.querySelectorAll(".st-key-text-choice button")].map(el => el.getBoundingClientRect());
    const text = document.createRange();
    return [...over.shadowRoot.querySelectorAll(".over :is(b, span)")].filter(el => {
        text.selectNodeContents(el);
        return [...text.getClientRects()].some(line => boxes.some(box =>
            line.left < box.right && box.left < line.right && line.top < box.bottom && box.top < line.bottom));
    }).map(el => el.textContent);
}"""


@pytest.mark.parametrize("shown", first(1, ["unseen", "words", "training"]))
def test_the_choice_of_what_the_text_card_shows_covers_nothing_in_japanese(narrow: Tabs, shown: str) -> None:
    page = narrow(f"/?lang=ja&sample=lantern_story&step=40&shown={shown}")
    for width in (500, 800, 1000, 1280, 1500, 1920, 800):
        page.set_viewport_size({"width": width, "height": 1000})
        assert page.evaluate(COVERED) == [], width


def test_choices_that_do_not_fit_have_a_second_line(narrow: Tabs) -> None:
    page = narrow("/encode?with=gpt2&text=low")
    page.set_viewport_size({"width": 640, "height": 1000})
    choice = page.get_by_role("radiogroup").filter(has=page.get_by_role("radio", name="Prompt end"))
    ends = choice.evaluate(
        """group => [group, group.querySelector("button:last-of-type")].map(el => el.getBoundingClientRect().right)"""
    )
    page.set_viewport_size({"width": 800, "height": 1000})
    assert ends[1] <= ends[0]


def test_a_lesson_that_waits_has_its_buttons_in_one_line_below_the_one_that_closes_it(phone: Tabs) -> None:
    page = phone("/lessons?lesson=special_tokens")
    page.get_by_role("link", name="Open in").tap()
    strip = page.locator(".st-key-lesson-strip")
    buttons = [strip.locator(f".st-key-strip-{name} button:visible").last for name in ("close", "answer")]
    buttons += [strip.get_by_role("button", name=name) for name in ("Previous lesson", "Next lesson")]
    expect(buttons[-1]).to_be_visible()
    wait_until_idle(page)
    boxes = [button.bounding_box() for button in buttons]
    close, answer, *pager = [box for box in boxes if box]
    assert close["y"] + close["height"] <= answer["y"]
    assert close["x"] > answer["x"] + answer["width"]
    assert all(abs(box["y"] + box["height"] / 2 - answer["y"] - answer["height"] / 2) < 4 for box in pager)
    assert sideways(page) == 0


def test_the_text_is_as_wide_as_the_other_cards_while_the_next_merge_is_predicted(narrow: Tabs) -> None:
    page = narrow("/?sample=toy_hug&predict=1")
    text, changes = [page.locator(f".st-key-{name}").bounding_box() for name in ("text", "changes")]
    assert text
    assert changes
    assert (text["x"], text["width"]) == (changes["x"], changes["width"])
