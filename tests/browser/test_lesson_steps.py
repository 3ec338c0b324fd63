"""Steps of lessons in a browser: they point at existing elements, continue when the task is done, and teachers choose
theirs.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute

from tests.browser.helpers import expect, open_page, wait_for, wait_until_idle
from tests.draws import RUN
from ui.session.asks import AskMerge
from ui.session.lessons import Lesson, all_lessons
from ui.session.links import to_link
from ui.session.places import place
from ui.session.shared_view import from_plain
from ui.session.step_places import PLACES

SAVED = "sessionStorage.getItem('bpe-lab-tour')"
STEPS = "#bpe-lab-tour"

# The ring is drawn around something that is at least partly in the window.
_POINTS = """() => {
    const ring = document.querySelector("#bpe-lab-tour")?.shadowRoot.querySelector(".ring");
    const box = ring && !ring.hidden ? ring.getBoundingClientRect() : null;
    return box && box.height > 15 && box.width > 15 && box.bottom > 40 && box.top < innerHeight;
}"""
_PRESENT = """(selectors) => selectors.map((each) =>
    [...document.querySelectorAll(each)].some((el) => el.getClientRects().length))"""

ABSENT = {("train", "token"), ("algorithms", "superbpe"), ("algorithms", "boundlessbpe")}
"""Places that appear only after a click."""


def steps_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Show me")


def link_of(each: Lesson) -> str:
    view = from_plain(dict(place(each.name).scene))  # type: ignore[union-attr]
    path = "" if view.page == "train" else view.page
    return f"/{path}?{to_link(view, lambda text: '').query}&via={each.name}"


def begin(page: Page, name: str) -> None:
    """Open a lesson's page as its button does, and its steps."""
    [each] = [each for each in all_lessons() if each.name == name]
    open_page(page, link_of(each))
    begin_steps(page, each)


def begin_steps(page: Page, each: Lesson) -> None:
    """Begin the steps of the lesson whose page is shown."""
    if not isinstance(each.ask, AskMerge):
        page.get_by_role("button", name="Show the page without an answer").click()
    page.get_by_role("button", name="Show me").click()
    expect(steps_of(page)).to_contain_text(f"1 of {len(each.steps)}")


def test_every_step_of_every_lesson_points_at_something_on_the_page_that_the_lesson_opens(page: Page) -> None:
    """The short run takes the last eight lessons; tests/app/test_lesson_steps.py checks the places of all."""
    found: set[tuple[str, str]] = set()
    lessons = all_lessons()[-8:] if RUN == "short" else all_lessons()
    open_page(page, link_of(lessons[0]))
    for each in lessons:
        if each is not lessons[0]:
            page.get_by_role("button", name="Next lesson").click()
        expect(page.locator(".st-key-strip-question")).to_have_text(each.question)
        begin_steps(page, each)
        for number, step in enumerate(each.steps, 1):
            expect(steps_of(page)).to_contain_text(f"{number} of {len(each.steps)}")
            expect(steps_of(page)).to_contain_text(step.says)
            page.wait_for_function(_POINTS)
            page.keyboard.press("t")
        expect(page.locator(STEPS)).to_have_count(0)
        wait_until_idle(page)  # nothing of the previous page is left
        places = list(PLACES[each.page].items())
        present = page.evaluate(_PRESENT, [place.selector for _, place in places])
        found |= {(each.page, name) for (name, _), is_there in zip(places, present, strict=True) if is_there}
    every = {(of, name) for of, places_of in PLACES.items() for name in places_of}
    assert RUN == "short" or every - found == ABSENT


def test_a_step_points_at_its_place_again_when_what_is_drawn_later_pushes_it_out_of_sight(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 2_400})
    begin(page, "what_is_in_a_vocabulary")
    page.wait_for_function(_POINTS)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0, (
        "so that Chromium moves nothing itself"
    )
    push = """() => {
        const late = document.createElement("div");
        late.style.cssText = "flex: none; width: 100%; height: 4000px";
        document.querySelector("[data-testid=stMainBlockContainer]").prepend(late);
    }"""
    page.evaluate(push)
    page.wait_for_function(_POINTS)
    page.mouse.move(640, 400)
    page.mouse.wheel(0, -9_000)
    page.wait_for_function(f"() => !({_POINTS})()")
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    assert not page.evaluate(_POINTS), "a visitor who scrolls away is not dragged back"


@pytest.mark.parametrize("width", [1280, 390])
def test_steps_go_on_when_the_player_moved_and_end_at_the_last(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    begin(page, "hug_pug")
    steps_of(page).get_by_role("button", name="Go on").click()
    page.locator(".st-key-candidates .choice button").first.click()
    expect(steps_of(page)).to_contain_text("Press Next")
    page.get_by_label("Player").get_by_role("button", name="Next").click()
    expect(steps_of(page)).to_contain_text("4 of 4")
    page.keyboard.press("End")
    expect(page.locator(STEPS)).to_have_count(0)
    assert page.evaluate(SAVED) is None


def test_steps_go_on_when_a_token_was_picked_by_click_or_key_and_a_text_changed(page: Page) -> None:
    begin(page, "the_leading_space")
    page.locator(".st-key-tokens .t").nth(1).click()
    expect(steps_of(page)).to_contain_text("2 of 3")
    page.keyboard.press("t")
    page.get_by_label("Text to encode").press("End")
    page.get_by_label("Text to encode").press_sequentially(" Hello t")
    expect(page.locator(STEPS)).to_have_count(0)
    expect(page.get_by_label("Text to encode")).to_have_value("hello hello Hello t")
    wait_until_idle(page)
    page.locator(".st-key-strip-steps button").click()
    expect(steps_of(page)).to_contain_text("1 of 3")
    page.get_by_role("listbox", name="Tokens").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(steps_of(page)).to_contain_text("2 of 3")


def test_steps_go_on_when_another_choice_was_made_and_a_thing_was_clicked(page: Page) -> None:
    begin(page, "emoji_by_bytes")
    page.get_by_role("radio", name="Characters, bytes, tokens").click()
    expect(steps_of(page)).to_contain_text("2 of 3")
    begin(page, "special_tokens")
    page.keyboard.press("t")
    page.get_by_role("radio", name="Parsed").click()
    expect(steps_of(page)).to_contain_text("3 of 3")
    begin(page, "half_width")
    page.keyboard.press("t")
    page.get_by_role("combobox", name="Normalization").click()
    page.get_by_role("option", name="As the tokenizer has it").click()
    expect(page.locator(STEPS)).to_have_count(0)
    begin(page, "a_tie_decides")
    page.keyboard.press("t")
    page.keyboard.press("t")
    page.locator("[class*=st-key-settings-]").get_by_role("button").first.click()
    expect(page.locator(STEPS)).to_have_count(0)
    begin(page, "retraining_on_code")
    page.keyboard.press("t")
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.locator(STEPS)).to_have_count(0)


def test_steps_go_on_when_a_piece_was_picked_and_the_last_merge_was_reached(page: Page) -> None:
    begin(page, "byte_fallback")
    page.locator(".st-key-stages").get_by_text("EC", exact=True).first.click()
    expect(steps_of(page)).to_contain_text("2 of 3")
    page.keyboard.press("t")
    page.get_by_label("Text", exact=True).press("End")
    page.get_by_label("Text", exact=True).press_sequentially(" ☕")
    expect(page.locator(STEPS)).to_have_count(0)
    begin(page, "the_course_corpus")
    page.keyboard.press("ArrowRight")
    expect(steps_of(page)).to_contain_text("2 of 4")
    page.keyboard.press("End")
    expect(steps_of(page)).to_contain_text("3 of 4")
    page.keyboard.press("t")
    page.get_by_role("link", name="Algorithms", exact=True).click()
    expect(page.locator(STEPS)).to_have_count(0)
    begin(page, "where_textbooks_differ")
    page.keyboard.press("t")
    page.keyboard.press("ArrowRight")
    expect(steps_of(page)).to_contain_text("3 of 3")


class HeldPlayer:
    """The server's messages from the first one with a player on; while held, none of them reaches the browser."""

    def __init__(self, page: Page) -> None:
        self.late: list[str | bytes] = []
        self._to_browser: WebSocketRoute | None = None
        page.route_web_socket(re.compile("_stcore/stream"), self._route)

    def _route(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        self._to_browser = route
        route.on_message(server.send)

        def arrived(sent: str | bytes) -> None:
            if self._to_browser and (self.late or (isinstance(sent, bytes) and b'"speeds"' in sent)):
                self.late.append(sent)
            else:
                route.send(sent)

        server.on_message(arrived)

    def release(self) -> None:
        assert self._to_browser
        for sent in self.late:
            self._to_browser.send(sent)
        self._to_browser = None
        self.late.clear()


def test_a_step_pressed_before_the_player_is_drawn_is_seen_as_done(page: Page) -> None:
    player = HeldPlayer(page)
    [each] = [each for each in all_lessons() if each.name == "the_course_corpus"]
    page.goto(link_of(each))
    begin_steps(page, each)
    wait_for(page, lambda: bool(player.late))
    page.keyboard.press("ArrowRight")
    player.release()
    expect(steps_of(page)).to_contain_text("2 of 4")


def test_steps_end_with_the_lesson_closing_is_remembered_and_a_reload_and_a_change_of_language_are_outlived(
    page: Page,
) -> None:
    begin(page, "hug_pug")
    button = page.locator(".st-key-strip-steps button")
    expect(button).to_have_class("offered")
    steps_of(page).get_by_role("button", name="Close the steps").click()
    expect(page.locator(STEPS)).to_have_count(0)
    expect(button).not_to_have_class("offered")
    button.click()
    page.get_by_role("button", name="Next lesson").click()
    expect(page.locator(STEPS)).to_have_count(0)
    page.get_by_role("button", name="Show the page without an answer").click()
    expect(button).to_have_class("offered")
    open_page(page, link_of(next(each for each in all_lessons() if each.name == "hug_pug")))
    expect(button).not_to_have_class("offered")
    button.click()
    expect(steps_of(page)).to_contain_text("1 of 4")
    page.keyboard.press("t")
    page.reload()
    expect(steps_of(page)).to_contain_text("2 of 4")
    wait_until_idle(page)
    page.get_by_role("button", name="English", exact=True).click()
    page.get_by_role("menuitem", name="日本語").click()
    expect(page.locator(STEPS)).to_contain_text("数えた中で最も多かったペアをクリック")
    page.get_by_role("button", name="案内を終わる").click()
    expect(page.locator(STEPS)).to_have_count(0)
    assert page.evaluate(SAVED) is None


# -- a teacher's own -------------------------------------------------------------------------------------------------


@pytest.fixture
def chooser(page: Page) -> Locator:
    """The card that asks what a step points at, for a lesson about Train."""
    open_page(page, "/lessons?lesson=write")
    page.get_by_role("button", name="Add a lesson").click()
    wait_until_idle(page)
    page.get_by_role("button", name="Add a step").click()
    chooser = page.locator("#bpe-lab-chooser")
    expect(chooser).to_contain_text("Step 1: what does it point at?")
    wait_until_idle(page)
    return chooser


def test_a_teacher_clicks_a_card_writes_a_sentence_and_a_learner_takes_the_step(page: Page, chooser: Locator) -> None:
    page.locator(".st-key-player").get_by_role("button", name="Next").click()
    expect(chooser).to_contain_text("points at: Button Next")
    chooser.get_by_label("One sentence").fill("Press <b>Next</b>.")
    chooser.get_by_label("Goes on").select_option("when the player moves")
    chooser.get_by_role("button", name="Add the step").click()
    expect(chooser).to_contain_text("Step 2: what does it point at?")
    expect(page.get_by_label("Go to merge")).to_have_value("0")  # the click did nothing else
    page.locator(".st-key-story").click(position={"x": 40, "y": 40})
    expect(chooser).to_contain_text("points at: This step")
    chooser.get_by_label("One sentence").fill("Read why.")
    chooser.get_by_role("button", name="Add the step").click()
    expect(chooser).to_contain_text("Step 3")
    page.get_by_role("button", name="Back to the editor").click()
    expect(page.get_by_label("Step 2")).to_have_value("Read why.")
    expect(chooser).to_have_count(0)
    page.get_by_role("button", name="Look at the lesson").click()
    page.get_by_role("link", name="Open in Train").click()
    page.get_by_role("button", name="Show me").click()
    expect(steps_of(page)).to_contain_text("Press <b>Next</b>.")
    wait_until_idle(page)
    page.keyboard.press("ArrowRight")
    expect(steps_of(page)).to_contain_text("Read why.")
    page.wait_for_function(_POINTS)


def test_a_teacher_chooses_by_keyboard_from_a_docked_card_that_outlives_a_reload_and_leaves_nothing_behind(
    page: Page, chooser: Locator
) -> None:
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(chooser.get_by_role("button", name="Player")).to_be_focused()
    page.keyboard.press("Enter")
    expect(chooser.get_by_label("One sentence")).to_be_focused()
    page.keyboard.press("Escape")
    expect(chooser).to_contain_text("what does it point at?")
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(chooser).to_contain_text("points at: Link to Compare")
    page.wait_for_timeout(1_500)  # a link without an effect would be clicked again meanwhile
    assert page.url.split("?")[0].endswith("/")
    page.keyboard.press("Escape")
    expect(chooser).to_contain_text("what does it point at?")
    card, strip = chooser.locator(".card").bounding_box(), page.locator(".st-key-choosing").bounding_box()
    assert card is not None
    assert strip is not None
    assert strip["y"] + strip["height"] < card["y"]
    assert card["y"] + card["height"] == page.evaluate("innerHeight")
    expect(chooser.get_by_role("button", name="Button of the tour")).to_be_hidden()
    chooser.get_by_text("In the header").click()
    expect(chooser.get_by_role("button", name="Button of the tour")).to_be_visible()
    page.reload()
    expect(chooser).to_contain_text("Step 1: what does it point at?")
    wait_until_idle(page)
    page.locator(".st-key-player").get_by_role("button", name="Next").click()
    chooser.get_by_label("One sentence").fill("Press it.")
    chooser.get_by_role("button", name="Add the step").click()
    expect(chooser).to_contain_text("Step 2: what does it point at?")
    page.get_by_role("button", name="Back to the editor").click()
    expect(page.get_by_label("Step 1")).to_have_value("Press it.")
    expect(page.get_by_role("button", name="Add a step")).to_be_visible()
    expect(chooser).to_have_count(0)
    wait_until_idle(page)
    page.get_by_role("link", name="Train", exact=True).click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Go to merge")).to_have_value("1")
