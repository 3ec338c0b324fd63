"""Nothing is lost: keys reach their target whatever was clicked before, and every action arrives exactly once."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute

from tests.browser.helpers import (
    IDLE,
    expect,
    forget_what_is_shown,
    in_chart,
    open_page,
    rows,
    show_page_in_any_state,
    step,
    switch_theme,
    wait_for,
    wait_until_idle,
)
from tests.draws import examples, first


def on_train(page: Page) -> None:
    """Open Train at merge 20, and wait until everything is drawn."""
    open_page(page, "/?sample=parallel_en&step=20")
    expect(page.get_by_role("slider", name=re.compile("per token over the merges"))).to_be_visible()
    expect(step(page)).to_have_value("20")


def at_20(page: Page) -> None:
    """Show Train at merge 20, loading it only if necessary. Tests keep the training text and switch Predict off."""
    show_page_in_any_state(page, "/?sample=parallel_en")
    type_a_step(page, 20)
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 20.")
    expect(page.get_by_role("slider", name=re.compile("per token over the merges"))).to_be_visible()


def click_a_merge(page: Page) -> int:
    """Click a row just above that of merge 20, which the table keeps in view, possibly at its edge."""
    rows(page, "Merges").filter(has_text=re.compile("^18")).first.click()
    return 18


def click_a_token(page: Page) -> int:
    page.locator(".st-key-text .t").nth(3).click()
    return 20


def click_a_changed_row(page: Page) -> int:
    rows(page, "Pairs whose count this merge changed").first.click()
    return 20


def click_a_segment(page: Page) -> int:
    page.get_by_role("radio", name="Text", exact=True).click()
    type_a_step(page, 20)
    page.get_by_role("radio", name="Unseen text").click()  # the group gives the focus to the one that had it last
    return 20


def click_another_view_of_the_candidates(page: Page) -> int:
    close = page.get_by_role("button", name="Close", exact=True)  # a token's card may be shown instead
    if close.is_visible():
        close.click()
    page.get_by_role("radio", name="Chart").click()
    return 20


def type_a_step(page: Page, number: int = 30) -> int:
    step(page).fill(str(number))
    step(page).press("Enter")
    return number


def click_the_slider(page: Page) -> int:
    slider = page.get_by_role("slider", name="Merges applied")
    box = slider.bounding_box()
    assert box is not None
    slider.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    expect(step(page)).not_to_have_value("20")
    return int(step(page).input_value())


def click_a_curve(page: Page) -> int:
    curve = page.get_by_role("slider", name=re.compile("per token over the merges"))
    page.mouse.click(*in_chart(page, curve, 0.4))
    expect(step(page)).not_to_have_value("20")
    return int(step(page).input_value())


def choose_a_speed(page: Page) -> int:
    page.get_by_role("combobox", name="Speed").select_option("5 / s")
    return 20


CLICKS = [
    click_a_merge,
    click_a_token,
    click_a_changed_row,
    click_a_segment,
    choose_a_speed,
    click_another_view_of_the_candidates,
    type_a_step,
    click_the_slider,
    click_a_curve,
]


def test_space_in_a_field_is_a_character(shared_page: Page) -> None:
    page = shared_page
    at_20(page)
    search = page.get_by_role("textbox", name="Find a token in the merge table")
    search.fill("a")
    search.press(" ")
    expect(search).to_have_value("a ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    search.fill("")
    search.press("Enter")
    expect(rows(page, "Merges").filter(has_text=re.compile("^20")).first).to_be_visible()


def test_keys_in_a_burst_are_all_steps(shared_page: Page) -> None:
    page = shared_page
    at_20(page)
    for _ in range(25):
        page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value("45")
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 45.")


def test_a_step_that_is_typed_while_another_one_is_drawn_stays_in_the_field(shared_page: Page) -> None:
    page = shared_page
    at_20(page)
    step(page).fill("30")
    page.evaluate("document.dispatchEvent(new CustomEvent('bpe-lab-go-to', { detail: 40 }))")
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 40.")
    wait_until_idle(page)
    expect(step(page)).to_have_value("30")
    step(page).press("Enter")
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 30.")


@pytest.mark.parametrize("click", first(5, CLICKS), ids=lambda click: click.__name__)
def test_after_a_click_the_arrow_keys_step(shared_page: Page, click: Callable[[Page], int]) -> None:
    page = shared_page
    at_20(page)
    at = click(page)
    expect(step(page)).to_have_value(str(at))
    wait_until_idle(page)
    page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value(str(at + 1))
    page.keyboard.press("PageDown")
    expect(step(page)).to_have_value(str(at + 2))
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowLeft")
    expect(step(page)).to_have_value(str(at))
    page.get_by_role("radio", name="Text", exact=True).click()
    expect(page.get_by_role("listbox", name="The training text in tokens")).to_be_visible()


MOVES_THE_PAGE = """() => document.addEventListener(
    "pointerdown",
    () => document.querySelector("[data-testid=stMainBlockContainer]").style.transform = "translateY(400px)",
    { capture: true, once: true },
)"""


def press_while_the_page_moves(page: Page, target: Locator, *, drag: int = 0) -> None:
    """Press and release the mouse at one position while the page moves the element away."""
    target.scroll_into_view_if_needed()
    page.evaluate(MOVES_THE_PAGE)
    box = target.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    wait_for(page, lambda: (target.bounding_box() or box)["y"] > box["y"] + 300)
    if drag:
        page.mouse.move(x + drag, y)
    page.mouse.up()
    page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').style.transform = ''")


def test_what_is_pressed_is_clicked_though_the_page_moves_before_the_release(shared_page: Page) -> None:
    page = shared_page
    at_20(page)
    press_while_the_page_moves(page, page.get_by_role("button", name="Next", exact=True), drag=200)
    wait_until_idle(page)
    expect(step(page)).to_have_value("20")
    press_while_the_page_moves(page, page.get_by_role("button", name="Next", exact=True))
    expect(step(page)).to_have_value("21")
    press_while_the_page_moves(page, page.get_by_role("radio", name="Unseen text"))
    expect(page.get_by_role("radio", name="Unseen text")).to_be_checked()
    page.get_by_role("radio", name="Text", exact=True).click()
    expect(page.get_by_role("listbox", name="The training text in tokens")).to_be_visible()


def test_a_step_leaves_nothing_behind_that_the_next_one_would_draw_as_well(shared_page: Page) -> None:
    page = shared_page
    show_page_in_any_state(page, "/?sample=parallel_en")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value("1")
    wait_until_idle(page)
    following = page.evaluate("bpeLab.following.views.size")
    for number in range(2, 4 + examples(4)):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_label("Go to merge")).to_have_value(str(number))
    wait_until_idle(page)
    page.get_by_role("radio", name="Unseen text").click()
    wait_until_idle(page)
    page.get_by_role("radio", name="Text", exact=True).click()
    wait_until_idle(page)
    assert page.evaluate("bpeLab.following.views.size") == following


def test_space_plays_and_pauses_but_presses_what_the_keyboard_has_moved_to(shared_page: Page) -> None:
    page = shared_page
    at_20(page)
    rows(page, "Merges").first.click()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    wait_until_idle(page)
    paused_at = step(page).input_value()
    page.locator(".st-key-text .t").nth(3).click()  # the server's response takes as long as several steps
    expect(page.locator(".st-key-token")).to_be_visible()
    wait_until_idle(page)
    expect(step(page)).to_have_value(paused_at)
    step(page).fill("30")
    step(page).press("Enter")
    page.get_by_role("checkbox", name="Predict").or_(page.get_by_role("switch", name="Predict")).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press(" ")
    expect(page.get_by_text("Predict", exact=True)).to_be_visible()
    expect(page.get_by_role("switch", name="Predict")).to_be_checked()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    forget_what_is_shown(page)  # while predicting, it shows less


def to_page(page: Page, name: str) -> Locator:
    return page.get_by_role("link", name=name, exact=True)


def test_a_step_right_after_a_click_on_another_page_does_not_bring_this_one_back(shared_page: Page) -> None:
    page = shared_page
    at_20(page)
    page.evaluate(
        """() => document.addEventListener("click", () => {  // after what the link itself does
            document.dispatchEvent(new CustomEvent("bpe-lab-go-to", { detail: 40, cancelable: true }));
        }, { once: true })"""
    )
    to_page(page, "Encode").click()
    expect(page.get_by_role("listbox", name="The text in tokens")).to_be_visible()
    page.reload()  # actions pending for the other page are kept
    expect(page.get_by_role("listbox", name="The text in tokens")).to_be_visible()
    to_page(page, "Train").click()
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 40.")
    expect(step(page)).to_have_value("40")


def test_a_reload_right_after_a_step_opens_that_step(shared_page: Page) -> None:
    page = shared_page
    at_20(page)
    page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value("21")
    page.reload()
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 21.")


@pytest.mark.thorough
def test_a_reload_right_after_the_key_of_the_last_step_opens_it(page: Page) -> None:
    on_train(page)
    page.keyboard.press("End")
    page.reload()
    expect(page.get_by_role("group", name="This step")).to_contain_text("The end")


@pytest.mark.thorough
def test_n_in_a_burst_is_as_many_disagreements(page: Page) -> None:
    open_page(page, "/compare")
    position = page.locator(".st-key-why").get_by_text(re.compile(r"^[\d,]+ of [\d,]+$")).first
    expect(position).to_have_text("1 of 174")
    for _ in range(8):
        page.keyboard.press("n")
    expect(position).to_have_text("9 of 174")
    for _ in range(3):
        page.keyboard.press("p")
    expect(position).to_have_text("6 of 174")


@pytest.mark.thorough
def test_arrows_in_a_burst_are_as_many_lessons_and_a_remote_turns_them_too(page: Page) -> None:
    open_page(page, "/lessons?lesson=overlaps")
    position = page.get_by_text(re.compile(r"^\d+ of \d+$"))
    expect(position).to_have_text(re.compile("^3 of"))
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(position).to_have_text(re.compile("^13 of"))
    page.keyboard.press("PageDown")
    expect(position).to_have_text(re.compile("^14 of"))
    page.keyboard.press("PageUp")
    expect(position).to_have_text(re.compile("^13 of"))


def test_keys_that_are_pressed_while_the_page_loads_wait_for_it(page: Page) -> None:
    page.route(re.compile(r"/static/js/index\..*\.js$"), late := Late())
    page.goto("/?sample=parallel_en&step=20", wait_until="commit")
    page.wait_for_function("() => window.bpeLab !== undefined")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    late.let_go()
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 23.")


class Late:
    """Delays requests, as a slow network does."""

    def __init__(self) -> None:
        self._kept: list[Route] = []
        self._late = True

    def __call__(self, route: Route) -> None:
        if self._late:
            self._kept.append(route)
        else:
            route.continue_()

    @property
    def holds(self) -> bool:
        """True if a request is waiting."""
        return bool(self._kept)

    def let_go(self) -> None:
        self._late = False
        for route in self._kept:
            route.continue_()


def test_a_page_whose_theme_changes_before_its_words_have_come_works(uncached_page: Page) -> None:
    page = uncached_page
    page.route(re.compile(r"/bpe-lab\.[0-9a-f]+/en-XA\.json$"), late := Late())
    page.goto("/?sample=parallel_en&shown=unseen&unseen=low&lang=en-XA")
    wait_for(page, lambda: late.holds)
    page.wait_for_selector(IDLE)
    switch_theme(page, "dark")
    late.let_go()
    wait_until_idle(page)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Go to merge")).to_have_value("1")
    page.get_by_role("radio", name=re.compile(r"^\W*Text")).click()
    expect(page.get_by_role("listbox", name="The training text in tokens")).to_be_visible()
    page.get_by_role("radio", name="Unseen text").click()
    page.get_by_role("button", name="\u27e6Edit\u27e7", exact=True).click()
    page.get_by_role("textbox", name="A text that the training has not seen").fill("lower")
    expect(page).to_have_url(re.compile("unseen=lower"))
    wait_until_idle(page)  # no action is pending any more


class Lossy:
    """Drops messages from the browser to the server."""

    def __init__(self, page: Page, holding: bytes = b"acts") -> None:
        self.holding = holding
        self.left_to_lose = 0
        self.lost = 0
        page.route_web_socket(re.compile("_stcore/stream"), self._route)

    def _route(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(route.send)

        def to_server(message: str | bytes) -> None:
            if self.left_to_lose and self.holding in (message if isinstance(message, bytes) else message.encode()):
                self.left_to_lose -= 1
                self.lost += 1
            else:
                server.send(message)

        route.on_message(to_server)


def test_an_action_and_a_change_of_the_page_whose_messages_are_lost_are_done_all_the_same(page: Page) -> None:
    lossy = Lossy(page)
    on_train(page)
    lossy.left_to_lose = 2
    curve = page.get_by_role("slider", name="Tokens of the training text over the merges")  # updated by the server
    page.keyboard.press("ArrowRight")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("^Merge 21:"))
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 21.")
    assert lossy.lost == 2
    lossy.left_to_lose = 1
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(curve).not_to_have_attribute("aria-valuetext", re.compile("^Merge 21:"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert lossy.lost == 3
    wait_until_idle(page)
    lossy.holding, lossy.left_to_lose = b"", 1
    to_page(page, "Encode").click()
    expect(page.get_by_role("listbox", name="The text in tokens")).to_be_visible()
    assert lossy.lost == 4


class HeldAddresses:
    """The server's messages about a page's address; while `held`, they do not reach the browser."""

    def __init__(self, page: Page, name: str) -> None:
        self.held = False
        self.late: list[str | bytes] = []
        self._mark = f'"page":"{name}"'.encode()
        page.route_web_socket(re.compile("_stcore/stream"), self._route)

    def _route(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)

        def arrived(sent: str | bytes) -> None:
            if self.held and isinstance(sent, bytes) and self._mark in sent:
                self.late.append(sent)
            else:
                route.send(sent)

        server.on_message(arrived)


def test_an_action_on_a_page_left_before_its_address_came_is_there_again_after_back(page: Page) -> None:
    addresses = HeldAddresses(page, "compare")
    open_page(page, "/compare")
    position = page.locator(".st-key-why").get_by_text(re.compile(r"^[\d,]+ of [\d,]+$")).first
    addresses.held = True
    page.keyboard.press("n")
    expect(position).to_have_text("2 of 174")
    wait_for(page, lambda: bool(addresses.late))
    addresses.held = False
    to_page(page, "Train").click()
    expect(step(page)).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("compare"))
    wait_until_idle(page)
    expect(position).to_have_text("2 of 174")
    expect(page).to_have_url(re.compile("at="))


def test_a_choice_made_just_before_a_link_and_back_is_not_replaced_by_what_back_undoes(page: Page) -> None:
    addresses = HeldAddresses(page, "encode")
    open_page(page, "/encode")
    refused = page.get_by_role("radio", name="Refused", exact=True)
    addresses.held = True
    refused.click()
    wait_for(page, lambda: bool(addresses.late))
    addresses.held = False
    to_page(page, "Pipeline").click()
    page.wait_for_function("() => location.pathname === '/pipeline'")
    page.go_back()
    expect(page).to_have_url(re.compile("special=raise"))
    page.wait_for_timeout(1_500)  # what Streamlit sends of its own accord comes within a second
    wait_until_idle(page)
    expect(refused).to_be_checked()
    expect(page).to_have_url(re.compile("special=raise"))


@pytest.mark.thorough
def test_a_text_whose_message_is_lost_is_encoded_all_the_same(page: Page) -> None:
    lossy = Lossy(page)
    open_page(page, "/encode?with=gpt2&text=a")
    lossy.left_to_lose = 1
    page.get_by_label("Text to encode").fill("lantern lantern")
    expect(page.get_by_role("listbox", name="The text in tokens")).to_have_text("lantern·lantern")
    assert lossy.lost == 1


@pytest.mark.thorough
def test_keys_right_after_a_click_on_another_page_are_for_that_page(page: Page) -> None:
    on_train(page)
    to_page(page, "Compare").click()
    page.keyboard.press("n")
    page.keyboard.press("ArrowRight")
    position = page.locator(".st-key-why").get_by_text(re.compile(r"^[\d,]+ of [\d,]+$")).first
    expect(position).to_have_text("2 of 174")
    to_page(page, "Train").click()
    expect(step(page)).to_have_value("20")


def test_text_that_back_undid_is_typed_again_though_the_server_has_replaced_it_since(shared_page: Page) -> None:
    page = shared_page
    open_page(page, "/encode?text=low")
    area, flow = page.get_by_label("Text to encode"), page.get_by_role("listbox", name="The text in tokens")
    area.press("End")
    area.press_sequentially("er")
    expect(flow).to_have_text("lower")
    wait_until_idle(page)
    page.evaluate(
        """() => {
            const outbox = [...bpeLab.actions().of.values()].find((each) => each.last.has("typed"));
            outbox.returned();
            outbox.repeat([[1, "typed", ["name of an earlier push", "lowest"]]]);
        }"""
    )
    expect(flow).to_have_text("lowest")
    expect(area).to_have_value("lowest")
